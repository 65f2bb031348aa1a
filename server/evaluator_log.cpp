#include "server/evaluator_log.hpp"

#include <spdlog/spdlog.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace pitboss::server {

namespace {

/// The error as one short line of printable characters, without the evaluator's name. Part of it
/// may be text that the evaluator has sent.
std::string told(const std::string& url, std::string_view error) {
  constexpr std::size_t most = 300;
  for (const std::string& word : {"evaluator " + url, std::string(": ")}) {
    if (error.starts_with(word)) error.remove_prefix(word.size());
  }
  std::string text(error.substr(0, most));
  std::ranges::replace_if(
      text, [](unsigned char c) { return c < ' ' || c > '~'; }, '?');
  return text;
}

}  // namespace

void EvaluatorLog::note(const std::string& url, const std::string& error, TimePoint now) {
  const std::scoped_lock lock(mutex_);
  Evaluator& evaluator = evaluators_[url];
  evaluator.error = error;
  ++evaluator.untold;
  tell(url, evaluator, now);
}

void EvaluatorLog::catch_up(TimePoint now) {
  const std::scoped_lock lock(mutex_);
  for (auto& [url, evaluator] : evaluators_) {
    if (evaluator.untold > 0) tell(url, evaluator, now);
  }
}

void EvaluatorLog::tell(const std::string& url, Evaluator& evaluator, TimePoint now) {
  constexpr auto period = std::chrono::seconds(10);
  constexpr int most = 2;
  if (now - evaluator.begun >= period) {
    evaluator.begun = now;
    evaluator.lines = 0;
  }
  if (evaluator.lines >= most) return;
  ++evaluator.lines;
  const int untold = std::exchange(evaluator.untold, 0) - 1;
  const std::string more =
      untold > 0 ? " (" + std::to_string(untold) + " changes before that left out)" : "";
  if (evaluator.error.empty()) {
    spdlog::info("the evaluator {} answers again{}", url, more);
  } else {
    spdlog::warn("the evaluator {} is left out: {}{}", url, told(url, evaluator.error), more);
  }
}

}  // namespace pitboss::server
