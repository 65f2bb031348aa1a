#include <doctest/doctest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "clients/referee/verify.hpp"
#include "games/random.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/daemon.hpp"

// The complaint about match tools is lost and double-counted games: here everything is killed.

namespace pitboss::clients {

using namespace std::chrono_literals;
using peers::Process;
using tests::Daemon;

namespace {

/// A daemon that is started again where it was.
class Phoenix {
 public:
  Phoenix() : daemon_(std::make_unique<Daemon>()) {
    address_ = Daemon::address_of(daemon_->output_line());
  }
  [[nodiscard]] const std::string& address() const { return address_; }
  void kill() {
    daemon_->signal(SIGKILL);
    CHECK(daemon_->wait() == 128 + SIGKILL);
    daemon_.reset();
  }
  void rise() {
    daemon_ = std::make_unique<Daemon>(std::vector<std::string>{"--listen", address_});
    CHECK(Daemon::address_of(daemon_->output_line()) == address_);
  }

 private:
  std::unique_ptr<Daemon> daemon_;
  std::string address_;
};

}  // namespace

TEST_CASE("400 games are counted once each, whatever is killed when") {
  constexpr int games = 400;
  constexpr int kills = 60;
  const std::string pitboss = (std::filesystem::path(PITBOSS_BIN) / "pitboss").string();
  const ScratchFolder folder;
  Phoenix daemons[2];
  const auto command = [&](const std::string& out) {
    return std::vector<std::string>{pitboss,
                                    "referee",
                                    "--server",
                                    daemons[0].address(),
                                    "--server",
                                    daemons[1].address(),
                                    "--game",
                                    "connect4",
                                    "--player",
                                    "name=A simulations=1500 novelty=pseudocount",
                                    "--player",
                                    "name=B simulations=1500",
                                    "--games",
                                    std::to_string(games),
                                    "--seed",
                                    "11",
                                    "--concurrency",
                                    "4",
                                    "--reconnect-seconds",
                                    "30",
                                    "--out",
                                    (folder / out).string()};
  };
  const auto begun = std::chrono::steady_clock::now();
  {
    Process undisturbed(command("whole"));
    REQUIRE(undisturbed.wait() == 0);
  }
  const auto whole_time = std::chrono::duration_cast<std::chrono::microseconds>(
      std::chrono::steady_clock::now() - begun);

  games::Random random(3);
  const auto up_to = [&](std::chrono::microseconds most) {
    return std::chrono::microseconds(random.below(static_cast<int>(most.count()) + 1));
  };
  auto referee = std::make_unique<Process>(command("killed"));
  int referee_kills = 0;
  for (int kill = 0; kill < kills; ++kill) {
    std::this_thread::sleep_for(up_to(whole_time / 35));
    const int target = random.below(3);
    if (target < 2) {
      daemons[target].kill();
      std::this_thread::sleep_for(up_to(20ms));
      daemons[target].rise();
    } else {
      ++referee_kills;
      const int signal = random.below(3) == 0 ? SIGTERM : SIGKILL;
      referee->signal(signal);
      // It was at work; or it began while a daemon was dead, and said so.
      const int code = referee->wait();
      CAPTURE(referee->errors());
      CHECK((code == 128 + signal || (signal == SIGTERM && code == 130) || code == 2));
      referee = std::make_unique<Process>(command("killed"));
    }
  }
  const int last = referee->wait();
  CHECK((last == 0 || last == 2));
  CHECK(Process(command("killed")).wait() == 0);
  CHECK(referee_kills > 10);

  for (const char* file : {"games.csv", "summary.json"}) {
    std::istringstream killed(read_text(folder / "killed" / file));
    std::istringstream whole(read_text(folder / "whole" / file));
    std::string line;
    for (std::string expected; std::getline(whole, expected);) {
      std::getline(killed, line);
      CHECK(line == expected);
    }
    CHECK_FALSE(std::getline(killed, line));
  }
  const Experiment experiment = read_experiment(folder / "killed");
  const auto played = Ledger(folder / "killed", experiment).played();
  CHECK(played.size() == games / 2);
  CHECK(faults_in(experiment, played).empty());
}

}  // namespace pitboss::clients
