#include "clients/launch/worker.hpp"

#include <algorithm>
#include <optional>
#include <variant>

#include "clients/players/own_daemon.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "environment/processors.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

using Words = std::vector<std::string>;

void add_flag(Words& words, const std::string& name, const std::string& value) {
  if (!value.empty()) words.insert(words.end(), {name, value});
}

/// Of the daemon.
void add_models(Words& words, const WorkerSettings& settings) {
  add_flag(words, "--networks", settings.networks.string());
  add_flag(words, "--features", settings.features.string());
  add_flag(words, "--config", settings.config.string());
}

void add_programs(Words& words, const WorkerSettings& settings) {
  for (const std::string& command : settings.programs) add_flag(words, "--allow-program", command);
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

Words daemon_flags(const WorkerSettings& settings) {
  Words words{"--workers", std::to_string(threads_of(settings))};
  add_models(words, settings);
  return words;
}

}  // namespace

Words flags_of(const WorkerSettings& settings) {
  Words words{"--ledger", settings.ledger.url(), "--join", settings.ledger.name()};
  if (settings.threads > 0) add_flag(words, "--threads", std::to_string(settings.threads));
  if (settings.concurrency > 0) {
    add_flag(words, "--concurrency", std::to_string(settings.concurrency));
  }
  add_models(words, settings);
  add_programs(words, settings);
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
  add_programs(words, settings);
  std::optional<OwnDaemon> daemon;
  if (needs_server(read_experiment(settings.ledger))) {
    daemon.emplace(daemon_flags(settings));
    words.insert(words.end(), {"--server", daemon->address().text()});
  }
  return referee(words);
}

}  // namespace pitboss::clients
