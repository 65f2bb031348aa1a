#include "clients/growing/grow.hpp"

#include <array>
#include <cstdio>
#include <fstream>
#include <memory>
#include <vector>

#include "clients/experiments/match.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/growing/growing_game.hpp"
#include "clients/report/record_files.hpp"
#include "clients/training/run_folder.hpp"
#include "engine/policy/features/atomic_features.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;

/// The files of a run.
class GrowFolder {
 public:
  explicit GrowFolder(fs::path folder) : folder_(std::move(folder)) {
    fs::create_directories(folder_);
  }

  [[nodiscard]] fs::path lock() const { return folder_ / "lock"; }
  [[nodiscard]] fs::path games() const { return folder_ / "games.jsonl"; }
  [[nodiscard]] fs::path set(int number) const {
    std::array<char, 32> name;
    std::snprintf(name.data(), name.size(), "%03d.features", number);
    return folder_ / name.data();
  }

  /// Keeps the settings, or compares them with those that are there.
  void claim(const GrowSettings& settings) const {
    const fs::path path = folder_ / "settings.json";
    if (!fs::exists(path)) return replace_file(path, json_of(settings));
    std::ifstream in(path);
    const std::string known{std::istreambuf_iterator<char>(in), {}};
    if (known != json_of(settings)) {
      throw UserError(folder_.string() +
                      " has a run with other settings: see settings.json there, or name another "
                      "folder");
    }
  }

  /// The number of the last set, -1 if there is none.
  [[nodiscard]] int last() const {
    int number = -1;
    while (fs::exists(set(number + 1))) ++number;
    return number;
  }

  /// The first `count` games; what follows them is cut off.
  [[nodiscard]] std::vector<GameRecord> first_games(int count) const {
    std::vector<GameRecord> records;
    std::ifstream in(games());
    std::string kept;
    for (std::string line; count > 0 && std::getline(in, line); --count) {
      records.push_back(record_of(line));
      kept += line + "\n";
    }
    if (count > 0) throw UserError(games().string() + " lacks games of which there are features");
    replace_file(games(), kept);
    return records;
  }
  void add_game(const GameRecord& record) const {
    std::ofstream out(games(), std::ios::app);
    out << json_of(record) << "\n" << std::flush;
    if (!out) throw UserError("cannot write " + games().string());
  }

 private:
  fs::path folder_;
};

engine::FeatureSet first_set(const games::AnyGame& start, const GrowSettings& settings) {
  engine::FeatureSet set;
  set.game = start.name();
  set.parameters = start.parameters().line();
  set.columns = settings.by_colour ? start.players() : 1;
  set.procedure = "grown by pitboss grow, strategy " +
                  std::string(strategy_names()[static_cast<std::size_t>(settings.strategy)]) +
                  ", " + std::to_string(settings.simulations) + " simulations, seed " +
                  std::to_string(settings.seed);
  set.features = engine::atomic_features(engine::feature_game(start));
  set.weights.resize(set.features.size() * static_cast<std::size_t>(set.columns));
  return set;
}

/// The policy after the last game of the folder, with the positions that it remembers.
GrowingPolicy policy_of(const GrowFolder& folder, const games::AnyGame& start,
                        const GrowSettings& settings) {
  const int last = folder.last();
  if (last < 0) replace_file(folder.set(0), engine::file_text(first_set(start, settings)));
  GrowingPolicy policy(
      engine::parse_features(engine::read_features_text(folder.set(std::max(last, 0)))), settings);
  for (const GameRecord& record : folder.first_games(std::max(last, 0))) {
    for (Sample& sample : samples_of(record, start)) policy.remember(std::move(sample));
  }
  return policy;
}

}  // namespace

void grow(const GrowSettings& settings, const fs::path& path, const std::atomic<bool>& stop,
          const std::function<void(const GrownGame&)>& tell) {
  Match match;
  set_game(match, settings.game);
  const auto start = match.initial_position();
  const GrowFolder folder(path);
  const auto lock = FileLock::try_lock(folder.lock());
  if (!lock) throw UserError("another pitboss grow works in " + path.string());
  folder.claim(settings);
  GrowingPolicy policy = policy_of(folder, *start, settings);
  GrowingPlayer player(*start, settings);
  for (int game = folder.last() + 1; game <= settings.games + settings.games_after; ++game) {
    const bool grows = game <= settings.games;
    if (game == settings.games + 1 && settings.keep > 0) {
      policy.prune(static_cast<std::size_t>(settings.keep));
    }
    const std::uint64_t seed =
        games::mix(settings.seed + games::mix(static_cast<std::uint64_t>(game)));
    const auto record = player.play(policy, seed, stop);
    if (!record) return;
    games::Random random(games::mix(seed));
    const engine::MoveFeature* const added = grows ? policy.grow(random) : nullptr;
    folder.add_game(*record);
    const engine::FeatureSet set = policy.set();
    replace_file(folder.set(game), engine::file_text(set));
    const std::string letters(start->piece_letters());
    tell({game, static_cast<int>(record->moves.size()), policy.loss(), set.features.size(),
          added == nullptr ? "" : engine::text_of(*added, letters)});
  }
}

}  // namespace pitboss::clients
