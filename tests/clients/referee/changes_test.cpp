#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/verify_games.hpp"
#include "engine/sha256.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/referee/peer_matches.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/phoenix.hpp"
#include "tests/timing.hpp"

// An engine that becomes another one during a match: what it was plays on, or nobody.

namespace pitboss::clients {

using namespace std::chrono_literals;
using peers::Manner;
using peers::Peer;
using peers::Process;
using tests::eventually;
using tests::Phoenix;
using Words = std::vector<std::string>;

namespace {

std::string pitboss() { return tests::bin_folder() + "/pitboss"; }

/// A match of two players at one daemon, which would last for minutes.
class LongMatch {
 public:
  LongMatch(std::string address, const std::string& game, const std::string& first,
            const std::string& second)
      : command_{pitboss(),
                 "referee",
                 "--server",
                 std::move(address),
                 "--game",
                 game,
                 "--player",
                 "name=A " + first,
                 "--player",
                 "name=B " + second,
                 "--games",
                 "100000",
                 "--out",
                 (folder_ / "match").string(),
                 "--concurrency",
                 "2",
                 "--reconnect-seconds",
                 "30"},
        referee_(command_) {
    // To read a ledger while it is made would keep its maker from it.
    REQUIRE(eventually(
        [&] { return std::filesystem::exists(folder_ / "match" / "ledger.sqlite-wal"); }));
    std::this_thread::sleep_for(500ms);
  }

  [[nodiscard]] std::vector<PlayedRound> played() const {
    const auto folder = folder_ / "match";
    return Ledger(folder, read_experiment(folder)).played();
  }
  /// Waits until more rounds than these are recorded.
  void await_rounds(std::size_t before = 0) const {
    REQUIRE(eventually([&] { return played().size() > before; }));
  }
  /// Waits for the end: the exit code, and what it wrote last.
  int end(std::string& said) {
    const int code = referee_.wait();
    said = referee_.errors();
    return code;
  }
  /// All games recorded are whole, and there are incidents for no player's loss.
  void check_ledger() const {
    const Experiment experiment = read_experiment(folder_ / "match");
    const Ledger ledger(folder_ / "match", experiment);
    CHECK(ledger.faults().empty());
    CHECK(faults_in(experiment, ledger.played()).empty());
    CHECK_FALSE(ledger.played().empty());
    for (const Incident& incident : ledger.incidents()) CHECK_FALSE(incident.is_loss);
    for (const PlayedRound& round : ledger.played()) {
      for (const PlayedGame& game : round.games) CHECK(game.reason == "rules");
    }
  }
  /// The same command again.
  [[nodiscard]] peers::ProgramEnd again() const { return peers::ended(command_); }

 private:
  ScratchFolder folder_;
  Words command_;
  Process referee_;
};

void make_network(const std::filesystem::path& file, const std::string& seed) {
  REQUIRE(peers::ended({pitboss(), "network", "init", "--game", "connect4", "--seed", seed, "--out",
                        file.string()})
              .code == 0);
}

/// Replaces the file at once, as a copy beside it that is renamed.
void replace(const std::filesystem::path& file, const std::filesystem::path& by) {
  std::filesystem::copy(by, file.string() + ".new");
  std::filesystem::rename(file.string() + ".new", file);
}

std::string hash_of(const std::filesystem::path& file) { return engine::sha256(read_text(file)); }

}  // namespace

TEST_CASE("a daemon that is started again with other defaults ends the match") {
  struct Row {
    std::string threads;
    std::string sessions;
  };
  // By a daemon that plays both sides, by one with room for two engines and a watcher, and move by
  // move.
  for (const auto& [threads, sessions] : {Row{"1", "100"}, Row{"1", "3"}, Row{"2", "100"}}) {
    CAPTURE(threads);
    CAPTURE(sessions);
    Phoenix daemon({"--k", "0.5", "--max-sessions", sessions});
    LongMatch match(daemon.address(), "connect4", "simulations=100 k=0.7 threads=" + threads,
                    "simulations=100");
    match.await_rounds();
    daemon.kill();
    daemon.rise();  // as it was
    match.await_rounds(match.played().size());
    daemon.kill();
    std::this_thread::sleep_for(1s);  // rounds tell in seconds when they ended
    const std::int64_t risen = now_in_seconds();
    daemon.rise({"--k", "0.9", "--max-sessions", sessions});
    std::string said;
    CHECK(match.end(said) == 1);
    CAPTURE(said);
    CHECK(said.find("stopped: the engine of B at connect4 (" + daemon.address() +
                    ") has k 0.9, and had 0.5 when the match began; the same command continues") !=
          std::string::npos);
    for (const PlayedRound& round : match.played()) CHECK(round.ended < risen);
    match.check_ledger();
    const auto again = match.again();
    CHECK(again.code == 2);
    CHECK(again.err.find("has k 0.9, and had 0.5 in the experiment so far") != std::string::npos);
  }
}

TEST_CASE("a network that is replaced during a match ends it; its games are not recorded") {
  const ScratchFolder folder;
  const auto net = folder / "networks" / "net.safetensors";
  std::filesystem::create_directories(net.parent_path());
  make_network(net, "1");
  make_network(folder / "other.safetensors", "2");
  const std::string was = hash_of(net);
  const std::string is = hash_of(folder / "other.safetensors");
  const Phoenix daemon({"--networks", net.parent_path().string()});
  const std::string player = "evaluation=network network=net selection=puct simulations=20";
  LongMatch match(daemon.address(), "connect4", player, "simulations=20");
  match.await_rounds();
  replace(net, folder / "other.safetensors");
  std::string said;
  CHECK(match.end(said) == 1);
  CAPTURE(said);
  // Within a game, or between two.
  const std::string begin =
      "stopped: the engine of A at connect4 (" + daemon.address() + ") has network_sha256 ";
  const std::string end = is + ", and had " + was + " when the match began";
  const bool is_told = said.find(begin + end) != std::string::npos ||
                       said.find(begin + was + " " + end) != std::string::npos;
  CHECK(is_told);
  match.check_ledger();
  CHECK(match.again().code == 2);
}

TEST_CASE("features that are replaced during a match end it") {
  const ScratchFolder folder;
  const auto file = folder / "features" / "hand.features";
  std::filesystem::create_directories(file.parent_path());
  std::filesystem::copy(tests::tests_folder() + "/../data/features/yavalath.features", file);
  const std::string was = hash_of(file);
  const Phoenix daemon({"--features", file.parent_path().string()});
  LongMatch match(daemon.address(), "yavalath",
                  "evaluation=playout simulations=20 features=hand playout=features",
                  "evaluation=playout simulations=20");
  match.await_rounds();
  std::filesystem::copy(file, folder / "other");
  std::ofstream(folder / "other", std::ios::app) << "\n";
  replace(file, folder / "other");
  std::string said;
  CHECK(match.end(said) == 1);
  CAPTURE(said);
  CHECK(said.find(hash_of(file) + ", and had " + was + " when the match began") !=
        std::string::npos);
  match.check_ledger();
}

TEST_CASE("a network that is removed during a match ends it, and no game is lost") {
  const ScratchFolder folder;
  make_network(folder / "net.safetensors", "1");
  const Phoenix daemon({"--networks", folder.path().string()});
  LongMatch match(daemon.address(), "connect4", "simulations=20",
                  "evaluation=network network=net selection=puct simulations=20");
  match.await_rounds();
  std::filesystem::remove(folder / "net.safetensors");
  std::string said;
  CHECK(match.end(said) == 1);
  CAPTURE(said);
  CHECK(said.find("stopped: the engine of B at connect4 (" + daemon.address() +
                  ") cannot go on: refused: genmove ") != std::string::npos);
  CHECK(said.find("there is no network 'net'") != std::string::npos);
  match.check_ledger();
}

TEST_CASE("an engine of another version ends the match") {
  const Peer good;
  const Peer other({.version = "1", .later_version = "2", .changes_at = 9});
  const ScratchFolder folder;
  const Match match = match_between(good, other, "connect4", 20);
  const PlayedMatch played(match, conduct_in(folder.path(), 1));
  CHECK(played.kind() == RunEnd::Kind::stopped);
  CHECK(played.why() == "the engine of B at connect4 (" + other.address().text() +
                            ") is \"Peer 2\", and was \"Peer 1\" when the match began");
  // One examined it; the first games were played, in whole rounds.
  CHECK(records_in(folder.path(), match).size() == 6);
  const auto incidents = incidents_in(folder.path(), match);
  REQUIRE(incidents.size() == 1);
  CHECK_FALSE(incidents[0].is_loss);
}

TEST_CASE("what an engine cannot tell is not taken for an answer") {
  const auto refusal = [](const std::string& code, const std::string& params) {
    const Peer peer({.params = params, .params_code = code});
    const ScratchFolder folder;
    const Match match = match_between(peer, peer, "connect4", 1);
    return error_of([&] { PlayedMatch(match, conduct_in(folder.path())); });
  };
  CHECK(refusal("unknown-command", "").empty());
  CHECK(refusal("needs-right", "").ends_with("refused: kata-get-params: not now"));
  CHECK(refusal("", R"({"k":1})").empty());
  CHECK(refusal("", "k=1").ends_with("garbage: k=1"));
  CHECK(refusal("", R"([1])").ends_with("garbage: [1]"));
  CHECK(refusal("", R"({"evaluation":1,"prior":[],"playout":null})").empty());
  // A network without a hash might be any.
  CHECK(refusal("", R"({"evaluation":"network"})").ends_with("refused: evaluate: unknown command"));
}

TEST_CASE("a server that cannot search for now is waited for, and loses no game for a player") {
  const auto failing = [](const std::string& code, int refusals) {
    return peers::PeerConduct{.refusals = refusals, .refusal_code = code};
  };
  const Peer good;
  for (const char* code : {"no-evaluator", "no-memory", "busy", "interrupted"}) {
    CAPTURE(code);
    const Peer peer(failing(code, 20));
    const ScratchFolder folder;
    const Match match = match_between(good, peer, "connect4", 2);
    const PlayedMatch played(match, conduct_in(folder.path()));
    CHECK(played.kind() == RunEnd::Kind::complete);
    CHECK(played.standings().forfeits() == 0);
  }
  for (const char* code : {"no-evaluator", "limit", "needs-token", "unsupported"}) {
    CAPTURE(code);
    const Peer peer(failing(code, 1000));
    const ScratchFolder folder;
    Match match = match_between(good, peer, "connect4", 2);
    match.move_timeout = 1s;
    const PlayedMatch played(match, conduct_in(folder.path()));
    CHECK(played.kind() == RunEnd::Kind::stopped);
    CHECK(played.why().starts_with("the engine of B at connect4 (" + peer.address().text() +
                                   ") cannot go on: refused: genmove "));
    CHECK(played.standings().games() == 0);
  }
  {  // A fault of the server is a crash.
    const Peer peer(failing("internal", 1));
    const ScratchFolder folder;
    const Match match = match_between(good, peer, "connect4", 2);
    const PlayedMatch played(match, conduct_in(folder.path(), 1));
    CHECK(played.kind() == RunEnd::Kind::complete);
    CHECK(played.standings().forfeits() == 0);
  }
}

}  // namespace pitboss::clients
