#include <doctest/doctest.h>

#include <algorithm>
#include <boost/regex.hpp>  // of the standard one GCC 12, with a sanitizer, says what is not so
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/daemon.hpp"

// Runs the suites in tests/regress against the real programs, as gogui-regress does (docs/guis.md):
// a command with a number is a test if the next line says, as "#? [pattern]", what the whole answer
// looks like. "!" before the pattern negates it. A "?" fails the test. A "*" behind the bracket
// marks a test that fails; in our suites it marks a command that is refused, so that "[]*" accepts
// no success, whatever its text.

namespace pitboss::clients {

using peers::Process;
using tests::Daemon;

namespace {

struct Answer {
  bool ok = false;
  std::string text;  ///< behind the first blank
};

Answer ask(Process& gtp, const std::string& line) {
  gtp.write(line + "\n");
  std::string all;
  for (std::string part = gtp.output_line(); !part.empty(); part = gtp.output_line()) {
    all += (all.empty() ? "" : "\n") + part;
  }
  const std::size_t blank = all.find(' ');
  std::string text = blank == std::string::npos ? "" : all.substr(blank);
  text.erase(0, text.find_first_not_of(" \n"));
  text.erase(text.find_last_not_of(" \n") + 1);
  return {all.starts_with('='), text};
}

/// Whether a line such as "#? [!d[34]]*" holds of an answer.
bool holds(std::string expected, const Answer& answer) {
  expected.erase(0, expected.find_first_not_of(' ', 2));
  const bool fails = expected.ends_with('*');
  if (fails) expected.pop_back();
  if (!expected.starts_with('[') || !expected.ends_with(']')) {
    throw std::runtime_error("no pattern: " + expected);
  }
  std::string pattern = expected.substr(1, expected.size() - 2);
  const bool negated = pattern.starts_with('!');
  if (negated) pattern.erase(0, 1);
  // gogui-regress ends on a long answer: Java's stack overflows in a choice that is repeated.
  if (pattern.find("|\\n)*") != std::string::npos) {
    throw std::runtime_error("write [\\s\\S]* for any text: " + expected);
  }
  if (fails) return !answer.ok;
  return answer.ok && boost::regex_match(answer.text, boost::regex(pattern)) != negated;
}

bool has_number(const std::string& line) {
  return line.find_first_not_of("0123456789") == line.find(' ') && line[0] != ' ';
}

/// Runs one suite; the number of its tests.
int run_suite(const std::filesystem::path& file, const std::string& server) {
  Process gtp({tests::bin_folder() + "/pitboss", "gtp", "--connect", server});
  std::ifstream in(file);
  std::string command;
  std::optional<Answer> answer;
  int tests = 0;
  const auto check_alone = [&] {
    if (answer) CHECK_MESSAGE(answer->ok, command << ": " << answer->text);
    answer.reset();
  };
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with("#?")) {
      REQUIRE_MESSAGE(answer, "no command before " << line);
      CHECK_MESSAGE(holds(line, *answer), command << "\n" << line << "\nwas: " << answer->text);
      tests += has_number(command) ? 1 : 0;
      answer.reset();
      continue;
    }
    check_alone();
    if (line.empty() || line[0] == '#') continue;
    command = line;
    answer = ask(gtp, line);
  }
  check_alone();
  gtp.end_input();
  CHECK(gtp.wait() == 0);
  return tests;
}

}  // namespace

TEST_CASE("regress: the patterns") {
  CHECK(holds("#? [d[34]]", {true, "d3"}));
  CHECK_FALSE(holds("#? [d]", {true, "d3"}));
  CHECK_FALSE(holds("#? [d3]", {false, "d3"}));
  CHECK(holds("#? [d3]*", {false, "d3"}));
  CHECK_FALSE(holds("#? [d3]*", {true, "d3"}));
  CHECK_FALSE(holds("#? [d3]*", {true, "d4"}));
  CHECK(holds("#? []*", {false, "not legal"}));
  CHECK_FALSE(holds("#? []*", {true, ""}));
  CHECK_FALSE(holds("#? []*", {true, "d3"}));
  CHECK(holds("#? [!d3]", {true, "d4"}));
  CHECK_FALSE(holds("#? [!d3]", {true, "d3"}));
  CHECK_FALSE(holds("#? [!d3]", {false, "d4"}));
  CHECK(holds("#? []", {true, ""}));
  CHECK(holds("#? [[\\s\\S]*d4[\\s\\S]*]", {true, "d3\nd4\nd5"}));
  CHECK_THROWS(holds("#? [(.|\\n)*d4]", {true, "d3\nd4"}));
  CHECK(has_number("10 genmove b"));
  CHECK_FALSE(has_number("genmove b"));
}

TEST_CASE("regress: the suites") {
  Daemon daemon;
  const std::string server = Daemon::address_of(daemon.output_line());
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(tests::tests_folder() + "/regress")) {
    if (entry.path().extension() == ".tst") files.push_back(entry.path());
  }
  std::ranges::sort(files);
  CHECK(files.size() >= 6);
  for (const auto& file : files) {
    CAPTURE(file.filename());
    CHECK(run_suite(file, server) > 5);
  }
}

}  // namespace pitboss::clients
