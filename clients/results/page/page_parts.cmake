# Adds games_script() and results_style() to OUTPUT, from what is bundled in FOLDER.

file(READ ${FOLDER}/games.js script)
file(APPEND ${OUTPUT} "#include \"clients/results/document/page_parts.hpp\"\n\nnamespace pitboss::clients {\n\n"
  "std::string_view games_script() { return R\"script(${script})script\"; }\n\n"
  "std::string_view results_style() { return results_css; }\n\n"
  "}  // namespace pitboss::clients\n")
