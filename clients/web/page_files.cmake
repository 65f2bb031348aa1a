# Writes OUTPUT, the source of page_files() with the files of a page, NAME.js and so on, in FOLDER. The folder OWNER
# of the sources declares it in page_files.hpp; the namespace is that of OWNER.

set(index_html "text/html; charset=utf-8")
set(${NAME}_js "text/javascript; charset=utf-8")
set(${NAME}_css "text/css; charset=utf-8")
set(icon_svg "image/svg+xml")

string(REGEX MATCH "^[a-z]+" namespace ${OWNER})
set(source "#include \"${OWNER}/page_files.hpp\"\n\nnamespace pitboss::${namespace} {\n\n")
set(rows "")
foreach(name index.html ${NAME}.js ${NAME}.css icon.svg)
  file(READ ${FOLDER}/${name} text)
  file(SHA256 ${FOLDER}/${name} sum)
  execute_process(COMMAND gzip -9nc ${FOLDER}/${name} OUTPUT_FILE ${FOLDER}/${name}.gz COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${FOLDER}/${name}.gz zipped HEX)
  string(REGEX REPLACE "(..)" "\\\\x\\1" zipped "${zipped}")
  string(SUBSTRING ${sum} 0 16 sum)
  string(REGEX REPLACE "[^a-z]" "_" word ${name})
  string(REGEX REPLACE "^index.html$" "" path ${name})
  string(APPEND source "static constexpr std::string_view ${word} = R\"page_file(${text})page_file\";\n")
  string(APPEND source "static constexpr char ${word}_zipped[] = \"${zipped}\";\n")
  string(APPEND rows "    {\"/${path}\", \"${${word}}\", \"\\\"${sum}\\\"\", ${word},\n"
    "     {${word}_zipped, sizeof(${word}_zipped) - 1}},\n")
endforeach()
string(APPEND source "static constexpr protocol::WebFile all[] = {\n${rows}};\n\n"
  "std::span<const protocol::WebFile> page_files() { return all; }\n\n}  // namespace pitboss::${namespace}\n")
file(WRITE ${OUTPUT} "${source}")
