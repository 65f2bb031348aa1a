#include "clients/review/search_positions.hpp"

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "tests/games/set_up.hpp"
#include "tests/server/daemon.hpp"

namespace pitboss::clients {

TEST_CASE("a server is looked for from its loss on, however long the search was before") {
  auto daemon = std::make_unique<tests::Daemon>();
  const std::string address = tests::Daemon::address_of(daemon->output_line());
  const std::vector<GamePosition> questions{{"connect4", games::game_of("connect4")->position()}};
  const ReviewSearch search{
      .servers = {parse_address(address)},
      .options = {{"preset", "uct"}, {"exact", "false"}, {"movetime", "3000"}},
      .connections = 1,
      .patience = std::chrono::milliseconds(1500)};
  int found = 0;
  int asked = 0;
  std::string why;
  ReviewEvents events;
  events.found = [&](const GamePosition&, const Finding&) { ++found; };
  events.gave_up = [&](const std::string& sentence) { why = sentence; };
  // After two seconds of the search the daemon is another one.
  events.is_stopped = [&] {
    if (++asked == 20) {
      daemon.reset();
      daemon = std::make_unique<tests::Daemon>(std::vector<std::string>{"--listen", address});
      static_cast<void>(daemon->output_line());
    }
    return false;
  };
  CHECK(search_positions(questions, search, events).empty());
  CHECK(why.empty());
  CHECK(found == 1);
  CHECK(asked > 20);
}

}  // namespace pitboss::clients
