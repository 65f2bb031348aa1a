#include "clients/growing/grow.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <fstream>
#include <memory>
#include <span>
#include <vector>

#include "clients/experiments/file_lock.hpp"
#include "clients/experiments/match.hpp"
#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/growing/growing_game.hpp"
#include "clients/results/record_files.hpp"
#include "clients/training/run_folder.hpp"
#include "engine/policy/features/atomic_features.hpp"
#include "games/text_file.hpp"

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

  /// Writes the settings, or compares them with those of the folder.
  void claim(const GrowSettings& settings) const {
    const fs::path path = folder_ / "settings.json";
    if (!fs::exists(path)) return replace_file(path, json_of(settings));
    if (read_text_file(path) != json_of(settings)) {
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
    if (!in && count > 0) throw failure("read");
    std::string kept;
    for (std::string line; count > 0 && std::getline(in, line); --count) {
      records.push_back(record_of(line));
      kept += line + "\n";
    }
    if (count > 0)
      throw UserError(games().string() + " lacks games of which the run has sets of features");
    replace_file(games(), kept);
    return records;
  }
  void add_game(const GameRecord& record) const {
    std::ofstream out(games(), std::ios::app);
    out << json_of(record) << "\n" << std::flush;
    if (!out) throw failure("write");
  }

 private:
  [[nodiscard]] UserError failure(const std::string& what) const {
    return UserError("cannot " + what + " " + games().string() + ": " +
                     games::system_reason(errno));
  }
  fs::path folder_;
};

engine::FeatureSet first_set(const games::AnyGame& start, const GrowSettings& settings) {
  engine::FeatureSet set;
  set.game = start.name();
  set.parameters = start.parameters().line();
  set.columns = settings.by_colour ? start.players() : 1;
  set.procedure = "grown by pitboss grow, strategy " + settings.strategy + ", " +
                  std::to_string(settings.simulations) + " simulations, seed " +
                  std::to_string(settings.seed);
  set.features = engine::atomic_features(engine::feature_game(start));
  set.weights.resize(set.features.size() * static_cast<std::size_t>(set.columns));
  return set;
}

/// Games that are played at once.
struct Round {
  int first;
  int last;
};
/// The round after game `done`. No round has games that grow features and others.
Round round_after(int done, const GrowSettings& settings) {
  const bool grows = done < settings.games;
  const int end = grows ? settings.games : settings.games + settings.games_after;
  return {done + 1, std::min(done + settings.at_once, end)};
}

/// A run as its folder has it.
struct Run {
  GrowingPolicy policy;
  int done = 0;  ///< the last game of the last whole round
};
Run run_of(const GrowFolder& folder, const games::AnyGame& start, const GrowSettings& settings) {
  if (folder.last() < 0) replace_file(folder.set(0), engine::file_text(first_set(start, settings)));
  std::vector<Round> rounds;
  int done = 0;
  for (Round round = round_after(0, settings); round.first <= round.last;
       round = round_after(done, settings)) {
    if (round.last > folder.last()) break;
    rounds.push_back(round);
    done = round.last;
  }
  Run run{
      GrowingPolicy(engine::parse_features(engine::read_features_text(folder.set(done))), settings),
      done};
  const std::vector<GameRecord> records = folder.first_games(done);
  for (const Round& round : rounds) {
    const std::span played(records.begin() + round.first - 1, records.begin() + round.last);
    remember(run.policy, played, start);
  }
  return run;
}

std::uint64_t seed_of(const GrowSettings& settings, int game) {
  return games::mix(static_cast<std::uint64_t>(settings.seed) +
                    games::mix(static_cast<std::uint64_t>(game)));
}

}  // namespace

void grow(const GrowSettings& settings, const fs::path& path, const std::atomic<bool>& stop,
          const std::function<void(const GrownGame&)>& tell) {
  Match match;
  set_game(match, settings.game);
  const auto start = match.initial_position();
  GrowingPlayer player(*start, settings);
  const GrowFolder folder(path);
  const auto lock = try_lock(folder.lock());
  if (!lock) throw UserError("another pitboss grow works in " + path.string());
  folder.claim(settings);
  auto [policy, done] = run_of(folder, *start, settings);
  const std::string letters(start->piece_letters());
  for (Round round = round_after(done, settings); round.first <= round.last;
       round = round_after(round.last, settings)) {
    if (round.first == settings.games + 1 && settings.keep > 0) {
      policy.prune(static_cast<std::size_t>(settings.keep));
    }
    std::vector<std::uint64_t> seeds;
    for (int game = round.first; game <= round.last; ++game) {
      seeds.push_back(seed_of(settings, game));
    }
    const std::vector<GameRecord> records = player.play(policy, seeds, stop);
    if (records.empty()) return;
    for (const GameRecord& record : records) folder.add_game(record);
    for (int game = round.first; game <= round.last; ++game) {
      const auto i = static_cast<std::size_t>(game - round.first);
      games::Random random(games::mix(seeds[i]));
      const engine::MoveFeature* const added =
          game <= settings.games ? policy.grow(random) : nullptr;
      const engine::FeatureSet set = policy.set();
      replace_file(folder.set(game), engine::file_text(set));
      tell({game, static_cast<int>(records[i].moves.size()), policy.loss(), set.features.size(),
            added == nullptr ? "" : engine::text_of(*added, letters)});
    }
  }
}

}  // namespace pitboss::clients
