#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "clients/experiments/experiment_file.hpp"
#include "clients/tuning/tuning.hpp"

namespace pitboss::clients {

/// A tuning as its file describes it.
struct PlannedTuning {
  TuningFile file;
  SearchSpace space;
  TuningSettings settings;
  double start_loss = 50;  ///< Elo, a guess, for the prediction

  [[nodiscard]] bool is_self_play() const { return settings.conditions.opponents == 0; }
  /// The match that a proposed game belongs to: its players have the proposed options.
  [[nodiscard]] Match match_of(const ProposedGame& game) const;
  /// The games that are looked at before the first: the player as it was, against all opponents,
  /// with each bound of a range, and with each pair of listed values of two parameters.
  [[nodiscard]] Experiment examined() const;
  /// The fresh match of the answer: against the player as it was, unless that is the answer, and
  /// against all other players of the file. Its openings are not those of the tuning.
  [[nodiscard]] Experiment fresh_match(const Values& answer) const;
  /// All that determines the tuning's games. More `games` of one stage change none of those played.
  [[nodiscard]] TuningConfiguration configuration() const;
};

/// Reads what is chosen of a file as docs/tuning.md describes it. Throws UserError for every
/// mistake: one sentence with file, line and key.
[[nodiscard]] PlannedTuning read_tuning(const std::filesystem::path& path,
                                        const TuningChoice& choice = {});

/// What a seed is for whose openings a tuning does not play. The numbers must never change, or a
/// seed would mean other games.
enum class FreshUse : std::uint64_t { answer = 0, sweep = 1 };
/// Derives it from that of the tuning's matches.
[[nodiscard]] std::int64_t fresh_seed(std::int64_t seed, FreshUse use);

/// Whether a match of a tuning is one of the tuned player against itself.
[[nodiscard]] bool is_of_itself(const Match& match);
/// Whom the player of a tuning's matches plays: "plain, uct", "itself".
[[nodiscard]] std::string opponents_text(const std::vector<Match>& matches);
/// The `parameters` of a tuning's configuration.
[[nodiscard]] SearchSpace configured_space(const nlohmann::ordered_json& parameters);

/// The player with these values of its parameters.
[[nodiscard]] Player with_values(Player player, const SearchSpace& space, const Values& values);

}  // namespace pitboss::clients
