#include "clients/launch/worker.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <optional>
#include <variant>

#include "clients/experiments/program_folders.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/players/child_program.hpp"
#include "clients/players/line_stream.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "environment/processors.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

void add_flag(Words& words, const std::string& name, const std::string& value) {
  if (!value.empty()) words.insert(words.end(), {name, value});
}

int threads_of(const WorkerSettings& settings) {
  if (settings.threads > 0) return settings.threads;
  return environment::processors();
}

bool needs_server(const Experiment& experiment) {
  return std::ranges::any_of(players_of(experiment), [](const Player* player) {
    return std::holds_alternative<Address>(player->location);
  });
}

/// A daemon that ends with this object.
class Daemon {
 public:
  explicit Daemon(const WorkerSettings& settings)
      : program_(command_of(settings), std::chrono::seconds(5)), stream_(io_.get_executor()) {
    stream_.adopt(program_.take_streams(io_.get_executor()));
    std::exception_ptr failure;
    asio::co_spawn(io_, read_address(), [&](std::exception_ptr thrown) { failure = thrown; });
    io_.run();
    if (!failure) return;
    std::string words = program_.last_words();
    std::ranges::replace(words, '\n', ' ');
    throw UserError("pitbossd does not start: " + words);
  }

  [[nodiscard]] const std::string& address() const { return address_; }

 private:
  static Words command_of(const WorkerSettings& settings) {
    const fs::path program = this_program().parent_path() / "pitbossd";
    require(fs::exists(program), program.string() + " is missing, the worker's daemon");
    Words words{program.string(), "--listen", "127.0.0.1:0", "--workers",
                std::to_string(threads_of(settings))};
    add_flag(words, "--networks", settings.networks.string());
    add_flag(words, "--features", settings.features.string());
    add_flag(words, "--config", settings.config.string());
    return words;
  }

  /// Of its first line, "listening HOST:PORT GAME".
  asio::awaitable<void> read_address() {
    stream_.start_deadline(std::chrono::seconds(60));
    std::string& text = stream_.received();
    while (text.find('\n') == std::string::npos) co_await stream_.read_more();
    stream_.stop_deadline();
    const std::size_t first = text.find(' ') + 1;
    address_ = text.substr(first, text.find(' ', first) - first);
  }

  asio::io_context io_{1};
  ChildProgram program_;
  LineStream stream_;
  std::string address_;
};

}  // namespace

Words flags_of(const WorkerSettings& settings) {
  Words words{"--ledger", settings.ledger.url(), "--join", settings.ledger.name()};
  if (settings.threads > 0) add_flag(words, "--threads", std::to_string(settings.threads));
  if (settings.concurrency > 0) {
    add_flag(words, "--concurrency", std::to_string(settings.concurrency));
  }
  add_flag(words, "--networks", settings.networks.string());
  add_flag(words, "--features", settings.features.string());
  add_flag(words, "--config", settings.config.string());
  return words;
}

int run_worker(const WorkerSettings& settings, const fs::path& folder,
               const RefereeCommand& referee) {
  constexpr int most_games = 1000;  // of a referee
  const int threads = threads_of(settings);
  const int games =
      settings.concurrency > 0 ? settings.concurrency : std::min(most_games, 2 * threads);
  Words words{"--ledger",     settings.ledger.url(),   "--join",        settings.ledger.name(),
              "--out",        folder.string(),         "--concurrency", std::to_string(games),
              "--processors", std::to_string(threads), "--no-records"};
  std::optional<Daemon> daemon;
  if (needs_server(read_experiment(settings.ledger))) {
    daemon.emplace(settings);
    words.insert(words.end(), {"--server", daemon->address()});
  }
  return referee(words);
}

}  // namespace pitboss::clients
