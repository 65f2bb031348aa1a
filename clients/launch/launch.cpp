#include "clients/launch/launch.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/asio/thread_pool.hpp>
#include <csignal>
#include <iostream>
#include <optional>

#include "clients/experiments/program_folders.hpp"
#include "clients/experiments/shell_words.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/launch/attendance.hpp"
#include "clients/launch/outlook.hpp"
#include "clients/results/experiment_document.hpp"
#include "clients/results/progress_display.hpp"
#include "environment/processors.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using SteadyClock = std::chrono::steady_clock;

namespace {

constexpr int exit_finished = 0;
constexpr int exit_interrupted = 130;

/// How often the ledger is asked how far the experiment is; less often if that takes long.
constexpr auto look_again = 2s;
/// For the rounds in play of a worker that nobody holds any more.
constexpr auto unattended_drain = 10s;

class Launch {
 public:
  Launch(const DatabasePlace& place, const std::vector<Charge>& charges,
         const LaunchSettings& settings)
      : settings_(settings),
        workers_(charges.size()),
        supervisor_(io_, charges, [this](const std::string& text) { note(text); }) {
    if (settings.audience == Audience::user) outlook_.emplace(place);
  }
  ~Launch() { pool_.join(); }
  Launch(const Launch&) = delete;
  Launch& operator=(const Launch&) = delete;

  int run();

 private:
  void note(const std::string& text);
  void watch_signals();
  void hear(std::string_view word);
  void look_later(SteadyClock::duration pause);
  void look();

  LaunchSettings settings_;
  std::size_t workers_;
  asio::io_context io_{1};
  asio::signal_set signals_{io_};
  Supervisor supervisor_;
  std::optional<Outlook> outlook_;
  ProgressDisplay progress_;
  asio::steady_timer next_look_{io_};
  asio::thread_pool pool_{1};  ///< where the ledger is read
  bool is_interrupted_ = false;
  bool cannot_look_ = false;
};

int Launch::run() {
  if (outlook_ && outlook_->results().is_over()) {
    std::cout << summary_table(outlook_->results());
    std::cerr << "the experiment is finished already; nothing was launched\n";
    return exit_finished;
  }
  std::signal(SIGPIPE, SIG_IGN);
  signals_.add(SIGINT);
  signals_.add(SIGTERM);
  watch_signals();
  if (settings_.audience == Audience::launcher) {
    note("plays, workers: " + std::to_string(workers_));
    asio::co_spawn(io_, attendance::listen(io_, [this](std::string_view word) { hear(word); }),
                   asio::detached);
  }
  if (outlook_) {
    progress_.update(outlook_->results());
    look_later(look_again);
  }
  supervisor_.start([this] { io_.stop(); });
  io_.run();
  signals_.clear();  // they end the process now, however long the ledger takes to answer
  pool_.join();
  progress_.finish();
  if (supervisor_.is_finished()) {
    if (!outlook_) return exit_finished;
    try {
      outlook_->look();
      std::cout << summary_table(outlook_->results());
    } catch (const UserError& away) {
      std::cerr << "the experiment is finished; no results here: " << away.what() << "\n";
    }
    return exit_finished;
  }
  if (is_interrupted_) return exit_interrupted;
  std::string all;
  for (const std::string& one : supervisor_.refusals()) all += (all.empty() ? "" : "\n") + one;
  throw UserError(all);
}

void Launch::note(const std::string& text) {
  if (settings_.audience == Audience::launcher) {
    std::cout << text << std::endl;
  } else {
    progress_.note(text);
  }
}

void Launch::watch_signals() {
  signals_.async_wait([this](const boost::system::error_code& error, int) {
    if (error) return;
    if (std::exchange(is_interrupted_, true)) {
      supervisor_.drop();
    } else {
      note("finishing the rounds in play; once more to stop at once");
      supervisor_.drain(settings_.drain_limit);
    }
    watch_signals();
  });
}

void Launch::hear(std::string_view word) {
  if (word == attendance::alive) return;
  is_interrupted_ = true;
  if (word == attendance::drain) return supervisor_.drain();
  if (word == attendance::drop) return supervisor_.drop();
  if (word.empty()) supervisor_.drain(unattended_drain);
}

void Launch::look_later(SteadyClock::duration pause) {
  next_look_.expires_after(pause);
  next_look_.async_wait([this](const boost::system::error_code& error) {
    if (!error) asio::post(pool_, [this] { look(); });
  });
}

/// On the pool's thread, while the other one leaves the outlook alone.
void Launch::look() {
  const auto begun = SteadyClock::now();
  std::string failure;
  try {
    outlook_->look();
  } catch (const UserError& away) {
    failure = away.what();
  }
  const auto took = SteadyClock::now() - begun;
  asio::post(io_, [this, failure, took] {
    if (!failure.empty() && !cannot_look_) note("no news: " + failure);
    cannot_look_ = !failure.empty();
    if (!cannot_look_) progress_.update(outlook_->results());
    constexpr int share = 20;
    look_later(std::max<SteadyClock::duration>(look_again, share * took));
  });
}

}  // namespace

std::vector<Charge> local_workers(WorkerSettings settings, int count, const std::string& folder) {
  if (settings.threads == 0) {
    const auto processors = environment::processors();
    settings.threads = std::max(1, processors / count);
  }
  std::vector<Charge> out;
  for (int number = 1; number <= count; ++number) {
    std::vector<std::string> command{this_program().string(), "launch", "worker", "--folder",
                                     folder + "/" + std::to_string(number)};
    std::ranges::copy(flags_of(settings), std::back_inserter(command));
    out.push_back({.name = "worker " + std::to_string(number), .command = std::move(command)});
  }
  return out;
}

std::vector<Charge> remote_workers(const WorkerSettings& settings, const RemoteSettings& remote,
                                   const std::vector<std::string>& hosts) {
  std::vector<std::string> there{remote.program, "launch", "local", std::to_string(remote.workers),
                                 "--attended"};
  std::ranges::copy(flags_of(settings), std::back_inserter(there));
  std::vector<Charge> out;
  for (const std::string& host : hosts) {
    require(!host.empty() && host[0] != '-', "\"" + host + "\" is no host");
    std::vector<std::string> command = remote.ssh;
    // ssh ends after this time without an answer, a little later than the other end does.
    constexpr int sign_of_life = 15;
    const auto signs = attendance::patience.count() / sign_of_life + 1;
    for (const std::string& option :
         {std::string("BatchMode=yes"), std::string("ConnectTimeout=10"),
          "ServerAliveInterval=" + std::to_string(sign_of_life),
          "ServerAliveCountMax=" + std::to_string(signs)}) {
      command.insert(command.end(), {"-o", option});
    }
    command.insert(command.end(), {"-T", host, "exec " + shell_text(there)});
    out.push_back({.name = "host " + host, .command = std::move(command), .is_remote = true});
  }
  return out;
}

int launch(const DatabasePlace& place, const std::vector<Charge>& charges,
           const LaunchSettings& settings) {
  return Launch(place, charges, settings).run();
}

}  // namespace pitboss::clients
