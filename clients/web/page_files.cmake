# Writes OUTPUT, the source of FUNCTION() with the files of a page, NAME.js and so on, in FOLDER.

set(index_html "text/html; charset=utf-8")
set(${NAME}_js "text/javascript; charset=utf-8")
set(${NAME}_css "text/css; charset=utf-8")
set(icon_svg "image/svg+xml")

set(source "#include \"clients/web/page_files.hpp\"\n\nnamespace pitboss::clients {\n\n")
set(rows "")
foreach(name index.html ${NAME}.js ${NAME}.css icon.svg)
  file(READ ${FOLDER}/${name} text)
  file(SHA256 ${FOLDER}/${name} sum)
  string(SUBSTRING ${sum} 0 16 sum)
  string(REGEX REPLACE "[^a-z]" "_" word ${name})
  string(REGEX REPLACE "^index.html$" "" path ${name})
  string(APPEND source "static constexpr std::string_view ${word} = R\"page_file(${text})page_file\";\n")
  string(APPEND rows "    {\"/${path}\", \"${${word}}\", \"\\\"${sum}\\\"\", ${word}},\n")
endforeach()
string(APPEND source "static constexpr PageFile all[] = {\n${rows}};\n\n"
  "std::span<const PageFile> ${FUNCTION}() { return all; }\n\n}  // namespace pitboss::clients\n")
file(WRITE ${OUTPUT} "${source}")
