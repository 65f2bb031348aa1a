#include "server/evaluator_log.hpp"

#include "environment/awake_clock.hpp"

#include <doctest/doctest.h>
#include <spdlog/sinks/ostream_sink.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <sstream>
#include <string>
#include <utility>

using pitboss::server::EvaluatorLog;
using namespace std::chrono_literals;

namespace {

const std::string known_url = "grpc://host:8001";
const std::string left_out = "warning the evaluator " + known_url + " is left out: ";
const std::string back = "info the evaluator " + known_url + " answers again";

/// The default log in a string.
class LogInString {
 public:
  LogInString() {
    auto logger = std::make_shared<spdlog::logger>(
        "test", std::make_shared<spdlog::sinks::ostream_sink_mt>(text_));
    logger->set_pattern("%l %v");
    spdlog::set_default_logger(std::move(logger));
  }
  ~LogInString() { spdlog::set_default_logger(before_); }
  LogInString(const LogInString&) = delete;
  LogInString& operator=(const LogInString&) = delete;

  /// What has been written since the last call.
  std::string written() {
    std::string text = text_.str();
    text_.str("");
    return text;
  }

 private:
  std::shared_ptr<spdlog::logger> before_ = spdlog::default_logger();
  std::ostringstream text_;
};

}  // namespace

TEST_CASE("EvaluatorLog: one that wavers has two lines in ten seconds, and then the last word") {
  LogInString log;
  EvaluatorLog evaluators;
  const EvaluatorLog::TimePoint start = pitboss::environment::AwakeClock::now();
  evaluators.note(known_url, "", "no answer in time", start);
  evaluators.note(known_url, "", "", start + 1s);
  CHECK(log.written() == left_out + "no answer in time\n" + back + "\n");
  for (const auto time : {2s, 4s, 6s}) {
    evaluators.note(known_url, "", "connection lost", start + time);
    evaluators.note(known_url, "", "", start + time + 1s);
  }
  evaluators.note(known_url, "", "connection lost", start + 8s);
  evaluators.note("grpc://other:8001", "", "", start + 8s);
  CHECK(log.written() == "info the evaluator grpc://other:8001 answers again\n");
  evaluators.catch_up(start + 9s);
  CHECK(log.written().empty());
  evaluators.catch_up(start + 10s);
  CHECK(log.written() == left_out + "connection lost (6 changes before that left out)\n");
  evaluators.catch_up(start + 30s);
  CHECK(log.written().empty());
}

TEST_CASE("EvaluatorLog: a network that wavers has lines of its own") {
  LogInString log;
  EvaluatorLog evaluators;
  const auto now = pitboss::environment::AwakeClock::now();
  for (int i = 0; i < 3; ++i) evaluators.note(known_url, "net", "it broke", now);
  evaluators.note(known_url, "other", "not ready", now);
  evaluators.note(known_url, "", "gone", now);
  evaluators.note(known_url, "other", "", now);
  const std::string place = "the evaluator " + known_url;
  const std::string broke = "warning " + place + " is left out for the network net: it broke\n";
  CHECK(log.written() == broke + broke + "warning " + place +
                             " is left out for the network other: not ready\n" + left_out +
                             "gone\n" + "info " + place + " answers again for the network other\n");
}
