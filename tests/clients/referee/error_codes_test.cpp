#include <doctest/doctest.h>

#include "tests/clients/referee/peer_matches.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/peers/rewording.hpp"
#include "tests/server/running_server.hpp"
#include "tests/server/token_file.hpp"

// Clients go by the codes of failures: whatever the sentences are, they do the same.

namespace pitboss::clients {

using peers::Rewording;
using tests::RunningServer;

TEST_CASE("codes: a server that is busy is asked again, whatever it says") {
  server::Config config = RunningServer::small();
  config.limits.max_searches_per_client = 1;  // for both players and all games
  const RunningServer server(config);
  const Rewording rewording(server.port());
  Match match;
  set_game(match, "connect4");
  for (int i = 0; i < 2; ++i) {
    match.players[i] =
        parse_player(i == 0 ? "name=A simulations=3000" : "name=B simulations=3000 threads=2",
                     {rewording.address()});
  }
  match.games = 4 * match.round();
  match.seed = 7;
  match.move_timeout = std::chrono::seconds(60);
  const ScratchFolder folder;
  const PlayedMatch played(match, conduct_in(folder.path(), 4));
  CHECK(played.kind() == RunEnd::Kind::complete);
  CHECK(played.standings().games() == match.games);
  CHECK(played.standings().forfeits() == 0);
  for (const Incident& incident : incidents_in(folder.path(), match)) CHECK(incident.reason == "");
  CHECK(rewording.reworded() > 0);
}

TEST_CASE("codes: the bridge tells who lacks a token how to give one, whatever the server says") {
  const tests::TokenFile file;
  const RunningServer server(file.config());
  const Rewording rewording(server.port());
  const auto ended = peers::ended({tests::bin_folder() + "/pitboss", "gtp", "--connect",
                                   rewording.address().text(), "--game", "hex"});
  CHECK(ended.code == 2);
  CHECK(ended.err == "pitboss: " + rewording.address().text() +
                         ": refused: game hex: no, I'd rather not; --token-file FILE names the "
                         "file that has one\n");
}

}  // namespace pitboss::clients
