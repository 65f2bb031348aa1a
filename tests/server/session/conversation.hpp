#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "tests/server/session/stepped_session.hpp"
#include "tests/text.hpp"

namespace pitboss::tests {

/// A session that is asked line by line, each until its answer is complete.
class Conversation {
 public:
  explicit Conversation(const server::SessionConfig& config = {}) : session(config) {}

  /// The whole answer, frame included; empty if there is none. What goes on until something else is
  /// asked (analysis) has a moment.
  std::string raw(std::string_view line) {
    using namespace std::chrono_literals;
    std::string out;
    status = session.handle(line, out);
    for (int slices = 0; status == SteppedSession::Status::running; ++slices) {
      constexpr int moment = 30;
      if (session.yields() && slices >= moment) session.interrupt();
      status = session.step(1ms, out);
      if (status == SteppedSession::Status::ready) status = session.begin_next(out);
    }
    session.end_job();
    return out;
  }
  /// The text of a success; fails the test otherwise.
  std::string ask(std::string_view line) { return text_of(line, raw(line), "= "); }
  /// The text of a failure, which must have changed nothing.
  std::string refused(std::string_view line) {
    const std::string before = state();
    const std::string answer = raw(line);
    CHECK(state() == before);
    return text_of(line, answer, "? ");
  }
  std::string state() {
    return ask("game") + ask("get_position") + ask("moves") + ask("kata-get-params");
  }

  SteppedSession session;
  SteppedSession::Status status = SteppedSession::Status::ready;

 private:
  static std::string text_of(std::string_view line, const std::string& answer,
                             std::string_view status) {
    CAPTURE(line);
    CHECK_MESSAGE(answer.starts_with(status), answer);
    CHECK(answer.ends_with("\n\n"));
    constexpr std::size_t frame = 4;
    REQUIRE(answer.size() >= frame);
    return answer.substr(2, answer.size() - frame);
  }
};

/// What stands between blanks and line feeds.
inline std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

}  // namespace pitboss::tests
