#include <doctest/doctest.h>

#include <chrono>
#include <string>

#include "tests/server/session/conversation.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using namespace std::chrono_literals;
using namespace std::string_literals;
using tests::contains;
using tests::Conversation;

TEST_CASE("session: the clock") {
  Conversation c;
  CHECK(contains(c.refused("time_settings 1 2"), "syntax error"));
  CHECK(contains(c.refused("time_settings -1 0 0"), "syntax error"));
  CHECK(contains(c.refused("time_left b 1 -1"), "syntax error"));
  for (const char* settings : {"none", "absolute 60", "canadian 60.5 10 5", "byoyomi 60 10 3"}) {
    CHECK(c.ask("kgs-time_settings "s + settings).empty());
    CHECK(c.ask("kata-time_settings "s + settings).empty());
  }
  CHECK(contains(c.refused("kgs-time_settings"), "none | absolute | byoyomi | canadian"));
  CHECK(contains(c.refused("kgs-time_settings fischer 60 5"), "syntax error"));
  CHECK(contains(c.refused("kgs-time_settings canadian 60 5"), "canadian MAIN PERIOD STONES"));
  CHECK(contains(c.refused("kgs-time_settings byoyomi 60 5 0"), "syntax error"));
  CHECK(c.ask("kata-time_settings fischer 60 2.5").empty());
  CHECK(c.ask("kata-time_settings fischer-capped 60 2.5 120 -1").empty());
  CHECK(contains(c.refused("kata-time_settings fischer-capped 60 2 59 -1"), "below MAIN"));
  CHECK(c.ask("kata-list_time_settings") ==
        "none absolute byoyomi canadian fischer fischer-capped");
  CHECK(c.ask("cputime") == "0.000");
  CHECK(c.ask("kata-time_settings none").empty());
  c.ask("setoption simulations 0");
  c.ask("time_settings 0 60 1");
  c.ask("time_left b 31 100");  // for each move a tenth of a second, without the lag
  const auto begun = std::chrono::steady_clock::now();
  c.ask("genmove b");
  const auto used = std::chrono::steady_clock::now() - begun;
  CHECK(used > 100ms);
  CHECK(used < 10s);  // not all that is left, nor what was before
  const double counted = std::stod(c.ask("cputime"));
  CHECK(counted > 0);  // the processor may be busy elsewhere
  CHECK(counted <= std::chrono::duration<double>(used).count());
  CHECK(c.ask("gomill-cpu_time") == c.ask("cputime"));
}

TEST_CASE("time_left: a clock that has run past nothing has nothing left") {
  Conversation c;
  c.ask("setoption simulations 0");
  c.ask("time_settings 3600 0 0");
  CHECK(c.ask("time_left b -5 0").empty());  // GoGui's clock
  const auto begun = std::chrono::steady_clock::now();
  c.ask("genmove b");
  CHECK(std::chrono::steady_clock::now() - begun < 10s);
}

TEST_CASE("last_time: what this connection's last command that takes time took") {
  Conversation c;
  CHECK(c.refused("last_time") == "no command of this connection has taken time yet");
  c.ask("setoption movetime 60");
  const auto begun = std::chrono::steady_clock::now();
  c.ask("genmove b");
  const auto used = std::chrono::steady_clock::now() - begun;
  c.ask("last_search");  // takes none
  const double told = std::stod(c.ask("last_time"));
  CHECK(told >= 0.06);
  CHECK(told <= std::chrono::duration<double>(used).count());
  c.ask("game othello");
  c.ask("setoption movetime 1");
  c.ask("genmove b");
  CHECK(std::stod(c.ask("last_time")) < told);
}
