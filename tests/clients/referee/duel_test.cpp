#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <string>
#include <vector>

#include "clients/experiments/player_settings.hpp"
#include "clients/referee/play_game.hpp"
#include "clients/referee/verify_games.hpp"
#include "tests/clients/referee/peer_matches.hpp"
#include "tests/clients/run_task.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/server/running_server.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using peers::Manner;
using peers::Peer;
using tests::RunningServer;

namespace {

Match match_at(const Address& server, const std::string& game, const std::string& second) {
  Match match;
  set_game(match, game);
  match.players[0] = parse_player("name=A simulations=30 reuse_tree=true", {server});
  match.players[1] = parse_player("name=B simulations=20 " + second, {server});
  match.openings = parse_openings("random:1", *match.initial_position(), {});
  match.games = match.round();
  match.seed = 7;
  return match;
}

/// The simulations and the depth of each of a player's moves.
std::vector<std::pair<std::int64_t, std::int64_t>> work_of(const PlayedGame& record,
                                                           std::size_t player) {
  std::vector<std::pair<std::int64_t, std::int64_t>> work;
  for (const Effort& effort : efforts_in(record.efforts[player])) {
    work.emplace_back(effort.simulations.value(), effort.depth.value());
  }
  return work;
}

asio::awaitable<void> compare(const Match& match, asio::io_context& io) {
  Engines engines;
  for (const std::size_t i : {0, 1}) {
    engines[i] = make_engine(io.get_executor(), match.players[i]);
    co_await engines[i]->open();
  }
  CHECK(may_duel(match, {}));
  const auto instance = co_await engines[0]->duellist()->duelling_instance();
  CHECK(instance);
  for (int game = 0; game < match.games; ++game) {
    CAPTURE(game);
    DuelEnd end = co_await play_duel(match, game, {}, engines);
    GameEnd in_turn = co_await play_game(match, game, {}, engines, ServerWatch(io.get_executor()));
    REQUIRE(end.record);
    CHECK(end.record->seconds[0] > 0);
    CHECK(end.record->seconds[1] > 0);
    CHECK(in_turn.record.latency[0] > 0);  // of moves one by one
    end.record->seconds = in_turn.record.seconds = {};
    end.record->latency = in_turn.record.latency = {};
    for (const std::size_t player : {0, 1}) {
      CHECK(work_of(*end.record, player) == work_of(in_turn.record, player));
    }
    end.record->efforts = in_turn.record.efforts = {};
    CHECK(*end.record == in_turn.record);  // with the values that the engines told
    CHECK_FALSE(end.record->values.empty());
  }
  for (auto& engine : engines) engine->close();
}

}  // namespace

TEST_CASE("games that a server plays by itself are those that the referee would have it play") {
  const RunningServer server;
  const Address address{"127.0.0.1", server.port()};
  for (const std::string game : {"connect4", "hex size=5", "rolit players=3", "amazons"}) {
    CAPTURE(game);
    asio::io_context io;
    Match match = match_at(address, game, "novelty=pseudocount");
    run(io, compare(match, io));
    match.max_plies = 7;
    run(io, compare(match, io));
  }
}

TEST_CASE("the record of a game that a server plays by itself has the moves that are proven") {
  const RunningServer server;
  asio::io_context io;
  Match match = match_at({"127.0.0.1", server.port()}, "othello size=4", "exact=true");
  for (Player& player : match.players) player.options.emplace_back("simulations", "2000");
  run(io, compare(match, io));
  const auto play = [&]() -> asio::awaitable<void> {
    Engines engines;
    for (const std::size_t i : {0, 1}) {
      engines[i] = make_engine(io.get_executor(), match.players[i]);
      co_await engines[i]->open();
    }
    const DuelEnd end = co_await play_duel(match, 0, {}, engines);
    REQUIRE(end.record);
    for (const std::size_t player : {0, 1}) {
      const auto efforts = efforts_in(end.record->efforts[player]);
      CHECK(efforts.size() > 3);
      for (const Effort& effort : efforts) CHECK(effort.is_exact == (player == 1));
    }
    for (auto& engine : engines) engine->close();
  };
  run(io, play());
}

TEST_CASE("a server that lets one client search no more just now is waited for") {
  auto config = RunningServer::small();
  config.limits.max_searches_per_client = 1;
  const RunningServer server(config);
  const Address address{"127.0.0.1", server.port()};
  asio::io_context io;
  Match match = match_at(address, "connect4", "");
  for (Player& player : match.players) player.options.emplace_back("movetime", "20");
  const auto play = [&](int game) -> asio::awaitable<void> {
    Engines engines;
    for (const std::size_t i : {0, 1}) {
      engines[i] = make_engine(io.get_executor(), match.players[i]);
      co_await engines[i]->open();
    }
    const GameEnd end =
        co_await play_game(match, game, {}, engines, ServerWatch(io.get_executor()));
    CHECK_FALSE(end.gone);
    CHECK(end.record.reason == "rules");
    for (auto& engine : engines) engine->close();
  };
  std::vector<std::exception_ptr> failures;
  for (const int game : {0, 1}) {
    asio::co_spawn(io, play(game), [&](std::exception_ptr e) { failures.push_back(e); });
  }
  io.run();
  for (const auto& failure : failures) CHECK(failure == nullptr);
}

TEST_CASE("whose games a server may play by itself") {
  const Address here{"127.0.0.1", 1};
  const Address there{"127.0.0.1", 2};
  Match match = match_at(here, "connect4", "");
  CHECK(may_duel(match, {}));
  match.players[1].location = there;
  CHECK_FALSE(may_duel(match, {}));
  match.players[1].location = here;
  match.players[1].language = Language::gtp;
  CHECK_FALSE(may_duel(match, {}));
  match.players[1].language = Language::pitboss;
  match.players[1].options.push_back({"playout", "two words"});
  CHECK_FALSE(may_duel(match, {}));
  match.players[1].options.pop_back();
  DeclaredPair declared;
  declared[1].emplace().add_option("network_sha256", "ab");
  CHECK_FALSE(may_duel(match, declared));
  match.adjudication.draw_moves = 3;
  CHECK_FALSE(may_duel(match, {}));
}

TEST_CASE("a refused duel leaves the connection as it is") {
  const RunningServer server;
  const Match match = match_at({"127.0.0.1", server.port()}, "connect4", "threads=2");
  asio::io_context io;
  const auto try_it = [&]() -> asio::awaitable<void> {
    Engines engines{make_engine(io.get_executor(), match.players[0])};
    co_await engines[0]->open();
    const DuelEnd end = co_await play_duel(match, 0, {}, engines);
    CHECK_FALSE(end.record);
    CHECK(end.is_refusal);
    CHECK(engines[0]->is_open());
    engines[0]->close();
  };
  run(io, try_it());
}

TEST_CASE("a run leaves a server's games to the server, and hears of them in parts") {
  const Peer peer({.in_duels = Manner::plays});
  const ScratchFolder folder;
  Match match = match_between(peer, peer, "connect4", 10);
  match.max_plies = 10;
  const PlayedMatch played(match, conduct_in(folder.path()));
  CHECK(played.kind() == RunEnd::Kind::complete);
  CHECK(played.standings().forfeits() == 0);
  CHECK(peer.asked() == 0);
  // One of each player for each game at once, and one that watches.
  CHECK(peer.connections() <= 2 * 8 + 1);
  CHECK(peer.duels() > 2 * match.games);
  for (const PlayedGame& record : records_in(folder.path(), match)) {
    CHECK(fault_in(match, record) == "");
    CHECK(record.plies <= 10);
    CHECK(record.seconds[0] >= 0.15);
  }
}

TEST_CASE("a game that fails as a duel is played move by move, the others stay with the server") {
  struct Row {
    Manner manner;
    const char* reason;
  };
  constexpr Row rows[] = {{Manner::plays_illegal, "illegal move: e9"},
                          {Manner::talks_garbage, "garbage: Segmentation fault"},
                          {Manner::crashes, "connection closed"}};
  const auto short_match = [](const Peer& peer) {
    Match match = match_between(peer, peer, "connect4", 30);
    match.max_plies = 3;
    return match;
  };
  const auto moves_with = [&](const Peer& peer) {
    const ScratchFolder folder;
    const Match match = short_match(peer);
    const PlayedMatch played(match, conduct_in(folder.path()));
    std::vector<std::string> moves;
    for (const PlayedGame& record : records_in(folder.path(), match)) moves.push_back(record.moves);
    return moves;
  };
  const auto by_move = moves_with(Peer());
  const auto by_duel = moves_with(Peer({.in_duels = Manner::plays}));
  for (const auto& [manner, reason] : rows) {
    CAPTURE(static_cast<int>(manner));
    const Peer peer({.one_in = 10, .in_duels = manner});
    const ScratchFolder other;
    const Match anew = short_match(peer);
    const PlayedMatch again(anew, conduct_in(other.path(), 1));
    CHECK(again.kind() == RunEnd::Kind::complete);
    CHECK(again.standings().forfeits() == 0);
    const auto fails = [&](int game) { return engine_seed(anew, game, 0) % 10 == 0; };
    const auto incidents = incidents_in(other.path(), anew);
    CHECK_FALSE(incidents.empty());
    for (const Incident& incident : incidents) {
      CHECK(fails(incident.game - 1));
      CHECK_MESSAGE(incident.reason.starts_with(reason), incident.reason);
    }
    const auto records = records_in(other.path(), anew);
    REQUIRE(records.size() == by_duel.size());
    for (std::size_t i = 0; i < records.size(); ++i) {
      CHECK(records[i].moves == (fails(static_cast<int>(i)) ? by_move : by_duel)[i]);
    }
  }
}

TEST_CASE("a duel for which the server is too busy is played move by move, and no other") {
  const Peer peer({.one_in = 10, .in_duels = Manner::is_busy});
  const ScratchFolder folder;
  Match match = match_between(peer, peer, "connect4", 30);
  match.max_plies = 3;
  const PlayedMatch played(match, conduct_in(folder.path(), 1));
  CHECK(played.kind() == RunEnd::Kind::complete);
  CHECK(peer.asked() > 0);
  CHECK(peer.duels() >= match.games);
  CHECK(incidents_in(folder.path(), match).empty());
}

TEST_CASE("what goes wrong in a duel is recorded, and the game played again move by move") {
  const Peer good;
  const ScratchFolder folder;
  const Match match = match_between(good, good, "connect4", 3);
  const PlayedMatch played(match, conduct_in(folder.path()));
  const auto expected = records_in(folder.path(), match);
  struct Row {
    Manner manner;
    const char* reason;  ///< how that of the incidents begins; null if there are none
    int from_ply = 0;
  };
  constexpr Row rows[] = {{Manner::plays_illegal, "illegal move: e9"},
                          {Manner::plays_illegal, "illegal move: e9", 5},
                          {Manner::plays_nothing, "garbage: 0.1 0.1"},
                          {Manner::forgets_id, "garbage: soon enough"},
                          {Manner::plays_on, "plays on"},
                          {Manner::takes_long, "no answer in 300 s"},
                          {Manner::talks_garbage, "garbage: Segmentation fault", 4},
                          {Manner::crashes, "connection closed"},
                          {Manner::crashes, "connection closed", 7},
                          {Manner::is_interrupted, "refused: duel "},
                          {Manner::refuses, nullptr}};
  for (const auto& [manner, reason, from_ply] : rows) {
    CAPTURE(static_cast<int>(manner));
    const Peer peer({.from_ply = from_ply, .in_duels = manner});
    const ScratchFolder other;
    const Match anew = match_between(peer, peer, "connect4", 3);
    const PlayedMatch again(anew, conduct_in(other.path(), 1));
    CHECK(again.kind() == RunEnd::Kind::complete);
    CHECK(again.standings().forfeits() == 0);
    const auto incidents = incidents_in(other.path(), anew);
    CHECK(incidents.size() == (reason != nullptr ? expected.size() : 0));
    for (const Incident& incident : incidents) {
      CHECK_MESSAGE(incident.reason.starts_with(reason), incident.reason);
      CHECK_FALSE(incident.is_loss);
    }
    CHECK(peer.duels() >= static_cast<int>(reason != nullptr ? expected.size() : 1));
    const auto records = records_in(other.path(), anew);
    REQUIRE(records.size() == expected.size());
    for (std::size_t i = 0; i < records.size(); ++i) CHECK(records[i].moves == expected[i].moves);
  }
}

}  // namespace pitboss::clients
