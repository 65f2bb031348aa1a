#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <string_view>

#include "protocol/session.hpp"

namespace pitboss::protocol {

/// A session that is asked line by line.
class Client {
 public:
  explicit Client(const SessionConfig& config = {}) : session(config) {}

  /// The whole answer, frame included.
  std::string raw(std::string_view line) {
    std::string out;
    status = session.handle(line, out);
    while (status == Session::Status::working)
      status = session.work(std::chrono::milliseconds(1), out);
    session.end_work();
    return out;
  }
  /// The text of a success; fails the test otherwise.
  std::string ask(std::string_view line) {
    const std::string answer = raw(line);
    CAPTURE(line);
    CHECK_MESSAGE(answer.starts_with("= "), answer);
    REQUIRE(answer.size() >= 4);
    return answer.substr(2, answer.size() - 4);
  }
  /// The text of a failure, which must have changed nothing.
  std::string refused(std::string_view line) {
    const std::string before = state();
    const std::string answer = raw(line);
    CAPTURE(line);
    CHECK_MESSAGE(answer.starts_with("? "), answer);
    CHECK(answer.ends_with("\n\n"));
    CHECK(state() == before);
    REQUIRE(answer.size() >= 4);
    return answer.substr(2, answer.size() - 4);
  }
  std::string state() {
    return ask("game") + ask("get_position") + ask("moves") + ask("getoption k") +
           ask("getoption simulations") + ask("getoption novelty") + ask("getoption preset");
  }

  Session session;
  Session::Status status = Session::Status::ready;
};

inline bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace pitboss::protocol
