#include "clients/experiments/match_configuration.hpp"

#include <doctest/doctest.h>

#include <string>

#include "clients/experiments/player_settings.hpp"
#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

TEST_CASE("configuration: a match and its players are read as they were written") {
  Match match;
  set_game(match, "hex size=11");
  match.games = 2;
  match.players = {
      parse_player("name=A program=\"'my engine' -x\" speaks=gtp dialect=hexgui setup='komi 0'",
                   {}),
      parse_player("name=B k=0.5 preset=paper", {{"host", 1}})};
  const std::string text = configuration(match);
  const Match read = parse_configuration(text);
  CHECK(configuration(read) == text);
  CHECK(setup_key(read.players[0]) == setup_key(match.players[0]));
  CHECK(read.players[0].dialect == protocol::Dialect::hexgui);
  CHECK_FALSE(read.players[1].dialect);

  std::string unknown = text;
  unknown.replace(unknown.find("hexgui"), 6, "klingo");
  CHECK_THROWS_AS(static_cast<void>(parse_configuration(unknown)), UserError);
}

}  // namespace pitboss::clients
