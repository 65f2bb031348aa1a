#include "clients/players/gtp_clock.hpp"

#include <doctest/doctest.h>

#include <string>

#include "clients/experiments/time_control.hpp"
#include "clients/players/engine_failure.hpp"

namespace pitboss::clients {

using namespace std::chrono_literals;

namespace {

const std::string plain_words = "play\ngenmove\ntime_settings\ntime_left";
const std::string kgs = plain_words + "\nkgs-time_settings";
const std::string kata = kgs + "\nkata-time_settings\nkata-list_time_settings";
const std::string kata_systems = "none absolute byoyomi canadian fischer fischer-capped";

/// How a program with these commands is told a clock, or why it is not.
std::string told(const std::string& clock, const std::string& commands,
                 const std::string& systems = "") {
  try {
    return clock_of_others(parse_time_control(clock), commands, systems).text();
  } catch (const EngineFailure& failure) {
    CHECK(failure.kind() == EngineFailure::Kind::refused);
    return failure.what();
  }
}

}  // namespace

TEST_CASE("clock_of_others") {
  const std::string no = "cannot be told its clock: ";
  CHECK(told("10", plain_words) == "time_settings 10 0 0; time_left");
  CHECK(told("10.5", plain_words) == "time_settings 10 0 0; time_left");  // no more than there is
  CHECK(told("10+0.1", plain_words) == "time_settings 10 0 0; time_left");
  CHECK(told("40/60", plain_words) == "time_settings 0 60 40; time_left");
  CHECK(told("10m+30s/5", plain_words) == "time_settings 600 30 5; time_left");
  CHECK(told("10m+30s:5", kgs) == "kgs-time_settings byoyomi 600 30 5; time_left");
  CHECK(told("10m+30s:5", plain_words) ==
        no + "byo-yomi needs kata-time_settings or kgs-time_settings, and it has neither");
  CHECK(told("0.5", kgs) ==
        no + "it has no kata-time_settings, and GTP's other commands count whole seconds");
  CHECK(told("10+0.1", "play\ntime_settings") ==
        no + "an increment needs kata-time_settings or time_left, and it has neither");
  CHECK(told("10", "play\ntime_settings") == "time_settings 10 0 0");
  CHECK(told("10+0.1", "play\ntime_left") == "time_left");
  CHECK(told("10", "play\ngenmove") == no + "it has neither time_settings nor time_left");
  for (const std::string& systems : {std::string(), kata_systems}) {
    CHECK(told("10+0.1", kata, systems) == "kata-time_settings fischer 10 0.1; time_left");
    CHECK(told("0.5", kata, systems) == "kata-time_settings absolute 0.5; time_left");
    CHECK(told("30s:5", kata, systems) == "kata-time_settings byoyomi 0 30 5; time_left");
    CHECK(told("40/60", kata, systems) == "kata-time_settings canadian 0 60 40; time_left");
  }
  // Programs that have the command without all systems.
  CHECK(told("10+0.1", kata, "none absolute") == "time_settings 10 0 0; time_left");
}

TEST_CASE("GtpClock::time_left tells no more time than there is") {
  const auto ten = parse_time_control("10");
  const GtpClock whole = clock_of_others(ten, plain_words, "");
  CHECK(whole.time_left("b", {9.99s, 0}) == "time_left b 9 0");
  CHECK(whole.time_left("w", {0.3s, 4}) == "time_left w 0 4");
  CHECK(clock_of_ours(ten).time_left("b", {9.9996s, 0}) == "time_left b 9.999 0");
  CHECK(clock_of_ours(ten).time_left("b", {-1s, 0}) == "time_left b 0 0");
  CHECK(clock_of_others(ten, "time_settings", "").time_left("b", {9s, 0}).empty());
}

}  // namespace pitboss::clients
