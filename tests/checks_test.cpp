#include <doctest/doctest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>

#include "tests/documents.hpp"
#include "tests/folders.hpp"

namespace {

namespace fs = std::filesystem;

std::string text_of(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// The names of tests that begin with "check N: ", by N. A name with "${" stands for several.
std::map<int, std::set<std::string>> checks() {
  const std::regex name(R"#((?:TEST_CASE\(\s*|NAME )"check (\d+): ([^"]+)")#");
  std::map<int, std::set<std::string>> found;
  for (const auto& entry : fs::recursive_directory_iterator(pitboss::tests::tests_folder())) {
    const fs::path& path = entry.path();
    if (path.extension() != ".cpp" && path.filename() != "CMakeLists.txt") continue;
    const std::string text = text_of(path);
    for (std::sregex_iterator i(text.begin(), text.end(), name), end; i != end; ++i) {
      found[std::stoi((*i)[1])].insert((*i)[2]);
    }
  }
  return found;
}

}  // namespace

TEST_CASE("docs: each of the twenty checks has a test, and docs/server.md names it") {
  constexpr int most = 20;
  const auto found = checks();
  std::string table = "| check | tests |\n|---|---|\n";
  for (int number = 1; number <= most; ++number) {
    CAPTURE(number);
    REQUIRE(found.contains(number));
    std::string names;
    for (const std::string& name : found.at(number)) {
      names += (names.empty() ? "" : "; ") +
               std::regex_replace(name, std::regex(R"(\$\{name\})"), "...");
    }
    table += "| " + std::to_string(number) + " | " + names + " |\n";
  }
  CHECK(found.size() == most);
  pitboss::tests::check_generated("server.md", "checks", table);
}
