#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <map>
#include <string>
#include <string_view>

// CTest runs every test case by its name: `--test-case=NAME`. doctest takes a filter that no case
// matches for a success, so the program below makes it a failure.

namespace {

/// Of the run that has ended; -1 before, and if the test cases were only listed.
int cases_run = -1;

class CountCases : public doctest::IReporter {
 public:
  explicit CountCases(const doctest::ContextOptions&) {}

  void test_run_end(const doctest::TestRunStats& stats) override {
    cases_run = static_cast<int>(stats.numTestCasesPassingFilters);
  }

  void report_query(const doctest::QueryData&) override {}
  void test_run_start() override {}
  void test_case_start(const doctest::TestCaseData&) override {}
  void test_case_reenter(const doctest::TestCaseData&) override {}
  void test_case_end(const doctest::CurrentTestCaseStats&) override {}
  void test_case_exception(const doctest::TestCaseException&) override {}
  void subcase_start(const doctest::SubcaseSignature&) override {}
  void subcase_end() override {}
  void log_assert(const doctest::AssertData&) override {}
  void log_message(const doctest::MessageData&) override {}
  void test_case_skipped(const doctest::TestCaseData&) override {}
};

REGISTER_LISTENER("count_cases", 1, CountCases);

}  // namespace

TEST_CASE("test cases: each is run by its name, and no other with it") {
  // CMake splits a list at ";", unless a bracket is open. In a filter of doctest "*" and "?" stand
  // for other characters, "\" is dropped, and upper and lower case are the same.
  constexpr std::string_view special = ";[]*?\\";
  std::map<std::string, int> names;
  for (const doctest::detail::TestCase& test : doctest::detail::getRegisteredTests()) {
    std::string name = test.m_name;
    CAPTURE(name);
    CHECK(name.find_first_of(special) == std::string::npos);
    CHECK_FALSE(name.starts_with(' '));
    CHECK_FALSE(name.ends_with(' '));
    std::ranges::transform(name, name.begin(),
                           [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    ++names[name];
  }
  for (const auto& [name, count] : names) {
    CAPTURE(name);
    CHECK(count == 1);
  }
}

int main(int argc, char** argv) {
  const int status = doctest::Context(argc, argv).run();
  if (cases_run != 0) return status;
  std::fputs("no test case matches the filters\n", stderr);
  return 1;
}
