#include "clients/training/run_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <system_error>
#include <thread>

#include "clients/experiments/match.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/results/record_files.hpp"
#include "engine/leaf/network/network.hpp"
#include "engine/leaf/network/network_file.hpp"
#include "engine/leaf/network/network_interface.hpp"
#include "engine/leaf/network/random_weights.hpp"
#include "engine/leaf/network/symmetry_tables.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* settings_name = "settings.toml";
constexpr const char* lock_name = "train.lock";

engine::NetworkShape shape_of(const TrainingSettings& settings, const games::AnyGame& start) {
  const auto [planes, rows, columns, policy, values] = engine::network_interface(start);
  if (settings.architecture == "paper") {
    return engine::NetworkShape::paper(planes, rows, columns, policy, values);
  }
  return engine::NetworkShape::tower(planes, rows, columns, policy, values, settings.blocks,
                                     settings.filters);
}

Json symmetries_of(const games::AnyGame& game) {
  Json all = Json::array();
  for (const auto& [cells, policy] : engine::symmetry_tables(game)) {
    all.push_back({{"cells", cells}, {"policy", policy}});
  }
  return all;
}

engine::NetworkFile network_in(const fs::path& file) {
  try {
    return engine::parse_network(engine::read_network_bytes(file));
  } catch (const engine::BadNetwork& bad) {
    throw UserError(file.string() + ": " + bad.what());
  }
}

}  // namespace

FileLock driver_lock(const fs::path& folder) {
  auto lock = try_lock(folder / lock_name);
  if (!lock) {  // or `has_driver` looks at this moment
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    lock = try_lock(folder / lock_name);
  }
  if (!lock) {
    throw UserError("another pitboss train works in " + folder.string() +
                    "; pitboss selfplay --run " + folder.string() + " helps it");
  }
  return std::move(*lock);
}

bool has_driver(const fs::path& folder) {
  // NOLINTNEXTLINE(*-vararg): the only form there is
  const int file = ::open((folder / lock_name).c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return false;
  const bool is_locked = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::close(file);
  return is_locked;
}

bool RunFolder::is_run(const fs::path& folder) {
  std::error_code error;
  return fs::exists(folder / settings_name, error);
}

RunFolder RunFolder::open(const fs::path& folder) {
  const fs::path file = folder / settings_name;
  if (!fs::exists(file)) {
    throw UserError("there is no training run in " + folder.string() +
                    "; pitboss train --game NAME --out " + folder.string() + " begins one");
  }
  RunFolder run(folder, training_settings(read_settings(file)));
  run.check_unchanged();
  return run;
}

bool RunFolder::fits(const engine::NetworkFile& network) const {
  const auto game = start();
  return network.game == game->name() && network.parameters == game->parameters().line() &&
         network.shape == shape_of(settings_, *game);
}

/// Throws UserError if changed settings make the existing networks and rows useless.
void RunFolder::check_unchanged() const {
  if (!fits(network_in(network(0)))) {
    throw UserError((folder_ / settings_name).string() +
                    " has another game or architecture than the run's networks; undo that, or "
                    "begin a run in another folder");
  }
}

RunFolder RunFolder::make(const fs::path& folder, const TrainingSettings& settings,
                          const fs::path& first) {
  const fs::path file = folder / settings_name;
  RunFolder run(folder, settings);
  const std::string given = first.empty() ? "" : engine::network_bytes(run.foreign_network(first));
  fs::create_directories(folder);
  const FileLock lock = driver_lock(folder);
  if (fs::exists(file)) {
    RunFolder existing = open(folder);
    if (settings_text(existing.settings()) != settings_text(settings)) {
      throw UserError("the run in " + folder.string() + " (" + existing.settings().game +
                      ") has other settings, see " + file.string() +
                      "; leave --game and --settings out to go on with it, or name another folder");
    }
    if (!first.empty() && given != engine::read_network_bytes(existing.network(0))) {
      throw UserError("the run in " + folder.string() + " began with another network than " +
                      first.string() +
                      "; leave --from out to go on with it, or name another folder");
    }
    return existing;
  }
  // What a start that was killed has left is made anew.
  if (fs::exists(folder / "generations")) {
    throw UserError(folder.string() + " has generations of a run, but no " + settings_name +
                    "; put that back, or name another folder");
  }
  fs::create_directories(run.networks());
  replace_file(run.network(0), first.empty() ? engine::network_bytes(run.random_network()) : given);
  run.write_run_file();
  replace_file(file, settings_text(settings));
  return run;
}

std::unique_ptr<games::AnyGame> RunFolder::start() const {
  Match match;
  set_game(match, settings_.game);
  return match.initial_position();
}

engine::NetworkFile RunFolder::random_network() const {
  const auto game = start();
  engine::NetworkFile file = engine::random_network(*game, shape_of(settings_, *game),
                                                    static_cast<std::uint64_t>(settings_.seed));
  file.trainer = "pitboss train";
  return file;
}

engine::NetworkFile RunFolder::foreign_network(const fs::path& file) const {
  engine::NetworkFile network = network_in(file);
  if (!fits(network)) {
    throw UserError(file.string() + " is a network for " + network.game + " " + network.parameters +
                    "; the run needs one for " + settings_.game +
                    ", of the settings' architecture");
  }
  try {
    (void)engine::Network(network.shape, network.tensors);
  } catch (const engine::BadNetwork& bad) {
    throw UserError(file.string() + ": " + bad.what());
  }
  return network;
}

/// Writes run.json, the learner's input.
void RunFolder::write_run_file() const {
  const auto game = start();
  const engine::NetworkInterface sizes = engine::network_interface(*game);
  engine::NetworkFile network;
  network.shape = shape_of(settings_, *game);
  const Json json{
      {"format", "pitboss run"},
      {"version", 1},
      {"game", game->name()},
      {"parameters", game->parameters().line()},
      {"seed", settings_.seed},
      {"generations", settings_.generations},
      {"planes", sizes.planes},
      {"rows", sizes.rows},
      {"columns", sizes.columns},
      {"policy", sizes.policy},
      {"colours", sizes.values},
      {"symmetries", symmetries_of(*game)},
      {"architecture", Json::parse(engine::network_metadata(network).at("architecture"))},
      {"learner", Json::parse(learner_json(settings_.learner))}};
  replace_file(folder_ / "run.json", json.dump() + "\n");
}

fs::path RunFolder::network(int generation) const {
  return networks() / (generation_text(generation) + ".safetensors");
}
fs::path RunFolder::rows(int generation) const {
  return folder_ / "generations" / generation_text(generation);
}
fs::path RunFolder::rows_file(int generation, int first_game) const {
  std::array<char, 32> name;
  std::snprintf(name.data(), name.size(), "games-%06d.safetensors", first_game);
  return rows(generation) / name.data();
}
fs::path RunFolder::manifest(int generation) const { return rows(generation) / "manifest.json"; }
fs::path RunFolder::learned(int generation) const {
  return folder_ / "learner" / (generation_text(generation) + ".json");
}
fs::path RunFolder::evaluation(int generation) const {
  return folder_ / "evaluations" / generation_text(generation);
}

int RunFolder::last_generation() const {
  int generation = 0;
  while (fs::exists(network(generation + 1))) ++generation;
  return generation;
}

std::string generation_text(int generation) {
  std::array<char, 16> text;
  std::snprintf(text.data(), text.size(), "%04d", generation);
  return text.data();
}

}  // namespace pitboss::clients
