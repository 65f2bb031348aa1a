#include "clients/experiments/time_control.hpp"

#include <doctest/doctest.h>

#include <string>

#include "clients/experiments/match_configuration.hpp"
#include "clients/experiments/player_settings.hpp"
#include "clients/experiments/user_error.hpp"
#include "tests/clients/error_of.hpp"

namespace pitboss::clients {

using protocol::TimeSettings, protocol::TimeSystem;
using namespace std::chrono_literals;

TEST_CASE("parse_time_control") {
  struct Row {
    const char* text;
    TimeSettings clock;
    const char* canonical;
  };
  const auto absolute = [](TimeSettings::Seconds main) {
    return TimeSettings{.system = TimeSystem::absolute, .main = main};
  };
  const auto fischer = [](TimeSettings::Seconds main, TimeSettings::Seconds increment) {
    return TimeSettings{.system = TimeSystem::fischer, .main = main, .period = increment};
  };
  const auto canadian = [](TimeSettings::Seconds main, TimeSettings::Seconds time, int moves) {
    return TimeSettings{
        .system = TimeSystem::canadian, .main = main, .period = time, .count = moves};
  };
  const auto byo_yomi = [](TimeSettings::Seconds main, TimeSettings::Seconds time, int periods) {
    return TimeSettings{
        .system = TimeSystem::byo_yomi, .main = main, .period = time, .count = periods};
  };
  const Row rows[] = {{"10", absolute(10s), "10"},
                      {"0.5", absolute(500ms), "0.5"},
                      {"500ms", absolute(500ms), "0.5"},
                      {"10m", absolute(600s), "600"},
                      {"1h", absolute(3600s), "3600"},
                      {"2:30", absolute(150s), "150"},
                      {"10+0", absolute(10s), "10"},
                      {"10+0.1", fischer(10s, 100ms), "10+0.1"},
                      {"1:00+2", fischer(60s, 2s), "60+2"},
                      {"5m+100ms", fischer(300s, 100ms), "300+0.1"},
                      {"40/60", canadian(0s, 60s, 40), "40/60"},
                      {"40/5:00", canadian(0s, 300s, 40), "40/300"},
                      {"10m+30s/5", canadian(600s, 30s, 5), "600+30/5"},
                      {"30s:5", byo_yomi(0s, 30s, 5), "30s:5"},
                      {"0.5s:3", byo_yomi(0s, 500ms, 3), "0.5s:3"},
                      {"10m+30s:5", byo_yomi(600s, 30s, 5), "600+30s:5"}};
  for (const Row& row : rows) {
    CAPTURE(row.text);
    CHECK(parse_time_control(row.text) == row.clock);
    CHECK(text_of(row.clock) == row.canonical);
    CHECK(parse_time_control(row.canonical) == row.clock);
  }
}

TEST_CASE("parse_time_control refuses what is no clock") {
  for (const char* text :
       {"",      "0",      "-1",      "x",      "10+",     "+1",     "0+1",  "10+x",
        "10+-1", "10 + 1", "inf",     "nan",    "1e9",     "40/",    "/60",  "0/60",
        "40/0",  "1.5/60", "40/60+1", "10+30/", "10+30/0", "10+0/5", "30s:", "30s:0",
        "30s:x", "0s:5",   "2:60",    "2:30:5", "10+1+1",  "10s5",   "10 s", "1d"}) {
    CAPTURE(text);
    CHECK(error_of([&] {
            static_cast<void>(parse_time_control(text));
          }).starts_with("tc is a clock such as 10+0.1"));
  }
}

TEST_CASE("a player's clock is part of what its match is") {
  Match match;
  set_game(match, "connect4");
  match.players[0] = parse_player("name=A tc=10+0.1", {{"a", 1}});
  match.players[1] = parse_player("name=B simulations=10", {{"a", 1}});
  match.time_margin = 70ms;
  REQUIRE(match.has_clock());
  const std::string text = configuration(match);
  const Match read = parse_configuration(text);
  CHECK(read.players[0].clock == match.players[0].clock);
  CHECK_FALSE(read.players[1].clock.has_value());
  CHECK(read.time_margin == 70ms);
  CHECK(configuration(read) == text);
  Match other = match;
  other.players[0].clock = parse_time_control("10+0.2");
  CHECK(configuration(other) != text);
  CHECK(setup_key(other.players[0]) != setup_key(match.players[0]));
  other.players[0].clock.reset();
  CHECK(configuration(other).find("margin") == std::string::npos);
}

TEST_CASE("parse_player: a clock is a bound, and is read with the player") {
  const std::vector<Address> servers{{"a", 1}};
  CHECK(parse_player("name=A simulations=0 tc=40/60", servers).clock->count == 40);
  for (const char* text : {"name=A tc=fast", "name=A tc=10 tc=10", "name=A tc="}) {
    CAPTURE(text);
    CHECK_THROWS_AS(static_cast<void>(parse_player(text, servers)), UserError);
  }
}

}  // namespace pitboss::clients
