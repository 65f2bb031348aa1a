#define DOCTEST_CONFIG_IMPLEMENT
#include <doctest/doctest.h>

#include <cstdio>

// CTest runs the cases of one source at a time: `--source-file=PATTERN`. doctest takes a filter
// that no case matches for a success, so the program below makes it a failure.

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

int main(int argc, char** argv) {
  const int status = doctest::Context(argc, argv).run();
  if (cases_run != 0) return status;
  std::fputs("no test case matches the filters\n", stderr);
  return 1;
}
