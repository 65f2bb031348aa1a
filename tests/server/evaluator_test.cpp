#include <doctest/doctest.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "tests/engine/leaf/network/network_folder.hpp"
#include "tests/peers/evaluator_process.hpp"
#include "tests/sanitized.hpp"
#include "tests/server/client.hpp"
#include "tests/server/daemon.hpp"
#include "tests/timing.hpp"

using namespace pitboss;
using namespace std::chrono_literals;
using peers::EvaluatorProcess;
using tests::Client;
using tests::Daemon;

namespace {

using Clock = std::chrono::steady_clock;

/// Kills, stops and restarts a server `troubles` times at random, always on the same port; then it
/// is well.
class Unreliable {
 public:
  static constexpr int troubles = 20;

  explicit Unreliable(const std::filesystem::path& folder)
      : folder_(folder), server_(std::make_unique<EvaluatorProcess>(folder)) {
    thread_ = std::jthread([this](const std::stop_token& end) { run(end); });
  }
  [[nodiscard]] const std::string& url() const { return url_; }
  [[nodiscard]] bool is_well() const { return events_ >= troubles; }

 private:
  void run(const std::stop_token& end) {
    std::mt19937 random(7);
    const auto pause = [&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(20 + random() % 100));
    };
    while (!end.stop_requested() && events_ < troubles) {
      pause();
      if (random() % 2 == 0) {
        server_->signal(SIGSTOP);
        pause();
        pause();
        server_->signal(SIGCONT);
      } else {
        const std::string port = server_->port();
        server_.reset();  // kills it
        pause();
        server_ = std::make_unique<EvaluatorProcess>(folder_, "plain", port);
      }
      ++events_;
    }
  }

  std::filesystem::path folder_;
  std::unique_ptr<EvaluatorProcess> server_;
  std::string url_ = server_->url();
  std::atomic<int> events_ = 0;
  std::jthread thread_;
};

struct Player {
  Player(const std::filesystem::path& folder, const std::string& url, const std::string& fallback,
         const std::string& deadline_ms = "100", const std::vector<std::string>& more = {})
      : daemon(with({"--listen",
                     "127.0.0.1:0",
                     "--networks",
                     folder.string(),
                     "--evaluator",
                     url,
                     "--evaluator-fallback",
                     fallback,
                     "--evaluator-deadline-ms",
                     deadline_ms,
                     "--network-cache-mb",
                     "0",
                     "--selection",
                     "puct",
                     "--evaluation",
                     "network",
                     "--network",
                     "net",
                     "--simulations",
                     "40",
                     "--novelty",
                     "none"},
                    more)),
        client(Daemon::port_of(daemon.output_line())) {}
  Daemon daemon;
  Client client;

 private:
  static std::vector<std::string> with(std::vector<std::string> arguments,
                                       const std::vector<std::string>& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
  }
};

/// The evaluations of a daemon's last search.
nlohmann::json evaluations(Client& client) {
  return nlohmann::json::parse(client.ask("last_search").substr(2)).at("evaluations");
}

/// Whether the server evaluates in the end: a slow machine may need several tries.
bool evaluates_remotely(Client& client) {
  return tests::eventually(
      [&] { return client.ask("evaluate").find("\"evaluated\":\"remote\"") != std::string::npos; });
}

}  // namespace

TEST_CASE("check 16: 20 games on two daemons while the evaluator dies, stalls and comes back" *
          doctest::skip(tests::thread_sanitized)) {
  const clients::ScratchFolder folder;
  tests::write_network(folder, "net", tests::network_for(*games::make_game("connect4"), 1));
  Unreliable server(folder.path());
  Player black(folder.path(), server.url(), "local", "1000");
  Player white(folder.path(), server.url(), "local", "1000");
  // Few, since the server is slow under the address sanitizer.
  for (Player* const player : {&black, &white}) player->client.ask("setoption simulations 12");
  std::int64_t remote = 0;
  std::int64_t local = 0;
  for (int game = 0; game < 20 || !server.is_well(); ++game) {
    black.client.ask("clear_board");
    white.client.ask("clear_board");
    int ply = 0;
    for (; ply <= 42; ++ply) {
      Client& mover = (ply % 2 == 0 ? black : white).client;
      Client& other = (ply % 2 == 0 ? white : black).client;
      const std::string colour = ply % 2 == 0 ? "b" : "w";
      if (mover.ask("legal_moves") == "= \n\n" || mover.ask("legal_moves") == "=\n\n") break;
      const std::string move = mover.ask("genmove " + colour);
      REQUIRE(move.starts_with("= "));
      const auto told = evaluations(mover);
      remote += told.value("remote", 0);
      local += told.value("local", 0);
      REQUIRE(other.ask("play " + colour + " " + move.substr(2, move.find('\n') - 2))[0] == '=');
    }
    CHECK(ply > 6);
    CHECK(black.client.ask("final_score")[0] == '=');
  }
  CHECK(local > 0);
  // Whatever happened, the server is asked again in the end.
  black.client.ask("clear_board");
  const auto end = Clock::now() + tests::longest_wait;
  for (; remote == 0 && Clock::now() < end; std::this_thread::sleep_for(50ms)) {
    black.client.ask("reg_genmove b");
    remote += evaluations(black.client).value("remote", 0);
  }
  CHECK(remote > 0);
  CHECK(black.client.ask("evaluators").find("\"servers\":[{") != std::string::npos);
}

TEST_CASE("evaluator: without fallback a search fails in time, and the session lives") {
  const clients::ScratchFolder folder;
  tests::write_network(folder, "net", tests::network_for(*games::make_game("connect4"), 1));
  Unreliable server(folder.path());
  // Evaluations of the address sanitizer's build take tens of milliseconds on a busy machine.
  Player player(folder.path(), server.url(), "fail", "1000");
  player.client.ask("setoption simulations 8");
  int answered = 0;
  int failed = 0;
  const auto end = Clock::now() + tests::longest_wait;
  while (Clock::now() < end && (!server.is_well() || answered == 0)) {
    const std::string answer = player.client.ask("reg_genmove b");
    if (answer.starts_with("= ")) {
      ++answered;
      CHECK_FALSE(evaluations(player.client).contains("local"));
    } else {
      ++failed;
      CHECK(answer.find("evaluator") != std::string::npos);
      std::this_thread::sleep_for(10ms);
    }
    CHECK(player.client.ask("showboard")[0] == '=');
  }
  CHECK(answered > 0);
  CHECK(failed > 0);
}

TEST_CASE("evaluator: a server that is slow for ever") {
  const clients::ScratchFolder folder;
  tests::write_network(folder, "net", tests::network_for(*games::make_game("connect4"), 1));
  const EvaluatorProcess server(folder.path());
  server.signal(SIGSTOP);
  Player player(folder.path(), server.url(), "fail", "2000");
  const auto begin = Clock::now();
  const std::string failure = player.client.ask("genmove b");
  CAPTURE(failure);
  CHECK(failure.starts_with("? "));
  CHECK(failure.find("evaluator") != std::string::npos);
  CHECK(player.client.ask("evaluate")[0] == '?');
  CHECK(Clock::now() - begin < 60s);  // the deadline is 2 s
  server.signal(SIGCONT);
  CHECK(evaluates_remotely(player.client));
  const auto log_has = [&](const std::string& text) {
    std::string line;
    do line = player.daemon.error_line();
    while (line.find(text) == std::string::npos);
    return line;
  };
  log_has("warning the evaluator " + server.url() + " is left out: ");
  log_has("info the evaluator " + server.url() + " answers again");

  // The metrics tell what `evaluators` tells.
  const auto stats = nlohmann::json::parse(player.client.ask("stats").substr(2));
  const auto report = nlohmann::json::parse(player.client.ask("evaluators").substr(2));
  CHECK(stats["pitboss_evaluator_up"][server.url()] == 1);
  CHECK(stats["pitboss_evaluator_positions_total"][server.url()] > 0);
  CHECK(stats["pitboss_evaluator_positions_total"][server.url()] <=
        report["servers"][0]["positions"]);
  CHECK(stats["pitboss_evaluator_failures_total"][server.url()] > 0);
  CHECK(stats["pitboss_evaluator_unanswered_total"] > 0);
  CHECK(stats["pitboss_memory_bytes"]["networks"] > 0);
}

TEST_CASE("evaluator: a network that a server cannot evaluate is told in the log") {
  const clients::ScratchFolder folder;
  tests::write_network(folder, "net", tests::network_for(*games::make_game("connect4"), 1));
  for (const auto& [mode, why] :
       std::map<std::string, std::string>{{"nan", "the reply has values that are not finite"},
                                          {"wrong-count", "output 'values' has"},
                                          {"internal", "it broke"}}) {
    CAPTURE(mode);
    const EvaluatorProcess server(folder.path(), mode);
    Player player(folder.path(), server.url(), "local", "20000", {"--evaluator", "remote"});
    CHECK(player.client.ask("genmove b")[0] == '=');
    CHECK(evaluations(player.client)["local"] > 0);
    const std::string line =
        "warning the evaluator " + server.url() + " is left out for the network net: " + why;
    std::string found;
    do found = player.daemon.error_line();
    while (found.find(line) == std::string::npos);
  }
}

TEST_CASE("evaluator: over TLS, if its certificate is trusted") {
  const clients::ScratchFolder folder;
  tests::write_network(folder, "net", tests::network_for(*games::make_game("connect4"), 1));
  const std::string certificate = (folder / "certificate.pem").string();
  const std::string command =
      "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext "
      "subjectAltName=IP:127.0.0.1 -keyout '" +
      (folder / "key.pem").string() + "' -out '" + certificate + "' 2> /dev/null";
  REQUIRE(std::system(command.c_str()) == 0);
  const EvaluatorProcess server(folder.path(), "tls");
  const std::string url = "grpcs" + server.url().substr(4);
  Player trusting(folder.path(), url, "fail", "2000", {"--evaluator-ca", certificate});
  CHECK(evaluates_remotely(trusting.client));
  Player doubting(folder.path(), url, "fail");
  CHECK(doubting.client.ask("evaluate").starts_with("? "));
  Player plain(folder.path(), server.url(), "fail");
  CHECK(plain.client.ask("evaluate").starts_with("? "));
}

TEST_CASE("evaluator: an evaluation that waits is interrupted, and SIGTERM does not wait for it") {
  const clients::ScratchFolder folder;
  tests::write_network(folder, "net", tests::network_for(*games::make_game("connect4"), 1));
  const EvaluatorProcess server(folder.path());
  Player player(folder.path(), server.url(), "fail", "1000000");
  CHECK(player.client.ask("evaluate")[0] == '=');
  server.signal(SIGSTOP);
  player.client.write("evaluate\n# interrupt\n");
  CHECK(player.client.answer() == "? interrupted\n\n");
  player.client.write("evaluate\n");
  player.daemon.signal(SIGTERM);
  CHECK(player.daemon.wait() == 0);
  server.signal(SIGCONT);
}

TEST_CASE("evaluator: SIGTERM ends a daemon well though a server is silent") {
  const clients::ScratchFolder folder;
  tests::write_network(folder, "net", tests::network_for(*games::make_game("connect4"), 1));
  const EvaluatorProcess server(folder.path());
  Player player(folder.path(), server.url(), "local");
  CHECK(player.client.ask("genmove b")[0] == '=');
  server.signal(SIGSTOP);
  player.client.write("genmove w\n");
  player.daemon.signal(SIGTERM);
  CHECK(player.daemon.wait() == 0);
  server.signal(SIGCONT);
}

TEST_CASE("evaluator: a daemon that has none") {
  Daemon daemon({"--listen", "127.0.0.1:0"});
  Client client(Daemon::port_of(daemon.output_line()));
  CHECK(client.ask("evaluators").find("--evaluator") != std::string::npos);
  Daemon wrong({"--networks", "/", "--evaluator", "http://nowhere"});
  CHECK(wrong.wait() == 1);
  CHECK(wrong.errors().find("grpc://HOST:PORT") != std::string::npos);
}
