#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "clients/experiments/settings.hpp"

namespace pitboss::clients {

/// The simulations of self-play's searches from a point of the run on.
struct SearchStage {
  double from = 0;  ///< share of the run's generations, in [0, 1]
  int full = 128;   ///< least, for a move that is learned from
  int fast = 32;    ///< for any other move
};

// training_settings.cpp has a table that explains each number; its texts become the comments of a
// run's settings.toml.

struct SelfPlaySettings {
  int games = 300;
  int early_games = 300;
  int early_generations = 10;
  int games_per_file = 10;
  double full_share = 1;
  std::vector<SearchStage> stages{{0, 128, 32}};
  double visits_per_move = 6;
  int visits_most = 600;
  double root_noise = 0.25;
  double noise_concentration = 10;
  double forced_playouts = 0;
  int gumbel_moves = 0;
  double gumbel_scale = 1;
  double policy_surprise = 0;
  int random_plies = 4;
  double opening_plies = 5;
  double opening_temperature = 1.6;
  double temperature = 0.75;
  double final_temperature = 0.2;
  double temperature_half_life = 8;
  double decided_value = 1;
  int decided_turns = 3;
  int decided_simulations = 32;
  double decided_weight = 0.1;
  int cache_mb = 64;
  std::string options =
      "c_puct=0.7 virtual_samples=false fpu_reduction=0.1 network_symmetry=random";
};

struct LearnerSettings {
  int batch = 512;
  double learning_rate = 0.001;
  double weight_decay = 0.0001;
  int warm_up_steps = 300;
  double gradient_clip = 1;
  double average = 0.999;
  double reuse = 6;
  double first_reuse = 8;
  int most_steps = 1500;
  int window_least = 20'000;
  double window_slope = 0.4;
  double window_exponent = 0.65;
  int window_most = 1'200'000;
  std::vector<double> rate_drops{0.6, 0.8, 0.92};
  double rate_factor = 0.3;
  double value_weight = 1;
  double legal_weight = 0;
  double root_value_share = 0.5;
  double root_value_from = 0.1;
  double held_out = 0.02;
  int statistics_batches = 64;
  int threads = 2;
  std::string device = "auto";
};

struct EvaluationSettings {
  int every = 10;
  int games = 100;
  int earlier = 5;
  int simulations = 200;
  int random_plies = 2;
  /// Options of the fixed opponent.
  std::string anchor = "preset=reference simulations=5000";
};

/// Bounds on a generation's measurements; outside them the run has gone wrong.
struct AbortSettings {
  double policy_entropy = 0.05;
  double distinct_openings = 0.3;
  double draws = 0.9;
  double value_gap = 0.1;
};

/// All settings that determine the result of `pitboss train`.
struct TrainingSettings {
  std::string game;  ///< with parameters, "hex size=7"
  std::int64_t seed = 1;
  int generations = 100;
  std::string architecture = "paper";  ///< "paper" or "tower"
  int blocks = 4;                      ///< of a tower
  int filters = 64;
  SelfPlaySettings self_play;
  LearnerSettings learner;
  EvaluationSettings evaluation;
  AbortSettings abort;
};

/// The same settings for a first network in minutes: fewer and shorter generations, fewer
/// simulations. It plays worse.
[[nodiscard]] TrainingSettings quick(TrainingSettings settings);

/// Reads a file of settings; missing keys have their defaults. Throws UserError.
[[nodiscard]] TrainingSettings training_settings(const Setting& file);
/// All settings as TOML, with a comment on each.
[[nodiscard]] std::string settings_text(const TrainingSettings& settings);
/// The learner's settings as JSON, for run.json.
[[nodiscard]] std::string learner_json(const LearnerSettings& settings);

/// Simulations of the searches of a generation, numbered from 1.
[[nodiscard]] SearchStage stage_of(const TrainingSettings& settings, int generation);
/// Simulations of a full search of a position with so many legal moves.
[[nodiscard]] int full_simulations(const SelfPlaySettings& settings, const SearchStage& stage,
                                   int moves);
/// Games of a generation.
[[nodiscard]] int games_of(const TrainingSettings& settings, int generation);

}  // namespace pitboss::clients
