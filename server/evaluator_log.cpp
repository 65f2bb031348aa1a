#include "server/evaluator_log.hpp"

#include <spdlog/spdlog.h>

namespace pitboss::server {

void EvaluatorLog::note(const std::string& url, const std::string& network, const std::string& why,
                        TimePoint now) {
  const std::scoped_lock lock(mutex_);
  const Name name{url, network};
  Subject& subject = subjects_[name];
  subject.why = why;
  ++subject.untold;
  tell(name, subject, now);
}

void EvaluatorLog::catch_up(TimePoint now) {
  const std::scoped_lock lock(mutex_);
  for (auto& [name, subject] : subjects_) {
    if (subject.untold > 0) tell(name, subject, now);
  }
}

void EvaluatorLog::tell(const Name& name, Subject& subject, TimePoint now) {
  constexpr auto period = std::chrono::seconds(10);
  constexpr int most = 2;
  if (now - subject.begun >= period) {
    subject.begun = now;
    subject.lines = 0;
  }
  if (subject.lines >= most) return;
  ++subject.lines;
  const int untold = std::exchange(subject.untold, 0) - 1;
  const std::string more =
      untold > 0 ? " (" + std::to_string(untold) + " changes before that left out)" : "";
  const auto& [url, network] = name;
  const std::string place = network.empty() ? "" : " for the network " + network;
  if (subject.why.empty()) {
    spdlog::info("the evaluator {} answers again{}{}", url, place, more);
  } else {
    spdlog::warn("the evaluator {} is left out{}: {}{}", url, place, subject.why, more);
  }
}

}  // namespace pitboss::server
