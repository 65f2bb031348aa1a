#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "server/session/session.hpp"

namespace pitboss::tests {

/// A slice of the command that takes time: `working`, or `ready` when it is over.
inline server::Session::Status go_on(server::Session& session, std::chrono::microseconds slice,
                                     std::string& out, bool updates = true) {
  const auto progress = session.work(slice, out, updates);
  return progress == engine::Progress::done ? server::Session::Status::ready
                                            : server::Session::Status::working;
}

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
    for (int slices = 0; status == server::Session::Status::working; ++slices) {
      constexpr int moment = 30;
      if (session.yields() && slices >= moment) session.interrupt();
      status = go_on(session, 1ms, out);
      if (status == server::Session::Status::ready) status = session.begin_next(out);
    }
    session.end_work();
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

  server::Session session;
  server::Session::Status status = server::Session::Status::ready;

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

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace pitboss::tests
