# Writes OUTPUT, the source of report_script() and board_style(), from what is bundled in FOLDER.

file(READ ${FOLDER}/games_viewer.js script)
file(READ ${FOLDER}/games_viewer.css style)
file(WRITE ${OUTPUT} "#include \"clients/report/report_script.hpp\"\n\nnamespace pitboss::clients {\n\n"
  "std::string_view report_script() { return R\"script(${script})script\"; }\n\n"
  "std::string_view board_style() { return R\"style(${style})style\"; }\n\n"
  "}  // namespace pitboss::clients\n")
