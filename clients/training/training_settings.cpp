#include "clients/training/training_settings.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>

#include "clients/experiments/match.hpp"
#include "clients/experiments/setting_rows.hpp"
#include "engine/options/options.hpp"

namespace pitboss::clients {

namespace {

constexpr double many = 1e9;
constexpr int most_simulations = 50'000;  // visits are kept in 16 bits

using Play = SelfPlaySettings;
using Learn = LearnerSettings;

constexpr std::array training_rows{
    setting("seed", &TrainingSettings::seed, 0, unbounded),
    setting("generations", &TrainingSettings::generations, 1, 100'000),
    setting("architecture", &TrainingSettings::architecture, "paper or tower", "paper, tower"),
    setting("blocks", &TrainingSettings::blocks, 1, 100, "of a tower"),
    setting("filters", &TrainingSettings::filters, 1, 1024),
};

constexpr std::array self_play_rows{
    setting("games", &Play::games, 1, 1e7, "games of a generation"),
    setting("early_games", &Play::early_games, 1, 1e7, "the same of the first generations"),
    setting("early_generations", &Play::early_generations, 0, many, "how many these are"),
    setting("games_per_file", &Play::games_per_file, 1, 10'000,
            "what one thread plays before it looks for more"),
    setting("full_share", &Play::full_share, 0.001, 1,
            "share of the moves that are searched fully and learned from"),
    setting("visits_per_move", &Play::visits_per_move, 0, 1000,
            "least simulations of a full search for each legal move"),
    setting("visits_most", &Play::visits_most, 1, most_simulations,
            "but no more for that than these"),
    setting("root_noise", &Play::root_noise, 0, 1,
            "share of Dirichlet noise in the root's priors of full searches"),
    setting("noise_concentration", &Play::noise_concentration, 0.01, 1000,
            "its parameter, times the number of legal moves"),
    setting("forced_playouts", &Play::forced_playouts, 0, 100,
            "k of sqrt(k prior visits) playouts forced in full searches; 0: none"),
    setting("gumbel_moves", &Play::gumbel_moves, 0, 1000,
            "moves that full searches halve, with Gumbel noise, in place of PUCT; 0: PUCT"),
    setting("gumbel_scale", &Play::gumbel_scale, 0, 100,
            "and what values count in the policy learned then"),
    setting("policy_surprise", &Play::policy_surprise, 0, 1,
            "share of a game's weight that goes to rows as they surprise"),
    setting("random_plies", &Play::random_plies, 0, 100,
            "a game begins with 0 to so many random moves"),
    setting("opening_plies", &Play::opening_plies, 0, 100,
            "then, on average, so many moves drawn from the policy"),
    setting("opening_temperature", &Play::opening_temperature, 0.01, 100, "at this temperature"),
    setting("temperature", &Play::temperature, 0, 100,
            "of the moves after that, drawn by their visits: at first"),
    setting("final_temperature", &Play::final_temperature, 0, 100, "in the end"),
    setting("temperature_half_life", &Play::temperature_half_life, 0.01, 1000,
            "plies in which the difference of the two halves"),
    setting("decided_value", &Play::decided_value, 0.5, 1,
            "a game is decided when one side's value is above this"),
    setting("decided_turns", &Play::decided_turns, 1, 1000, "for so many of its turns"),
    setting("decided_simulations", &Play::decided_simulations, 1, 1e6,
            "simulations of a search after that"),
    setting("decided_weight", &Play::decided_weight, 0, 1, "and what its rows count"),
    setting("cache_mb", &Play::cache_mb, 0, 1e6, "cache of evaluations, MiB"),
    setting("options", &Play::options, "options of the searches (docs/options.md)"),
};

constexpr std::array learner_rows{
    setting("batch", &Learn::batch, 2, 65'536, "rows of a step"),
    setting("learning_rate", &Learn::learning_rate, 1e-9, 10, "of AdamW"),
    setting("weight_decay", &Learn::weight_decay, 0, 1,
            "of weights, not of biases and normalisations"),
    setting("warm_up_steps", &Learn::warm_up_steps, 0, many, "in which the rate grows from 0"),
    setting("gradient_clip", &Learn::gradient_clip, 1e-6, 1e6, "longest gradient"),
    setting("average", &Learn::average, 0, 0.999999,
            "share that the averaged weights keep in a step; they are the network"),
    setting("reuse", &Learn::reuse, 0.01, 1000, "how often a row is learned from, on average"),
    setting("first_reuse", &Learn::first_reuse, 0.01, 1000,
            "the same in the first tenth of the generations"),
    setting("most_steps", &Learn::most_steps, 1, many, "of a generation"),
    setting("window_least", &Learn::window_least, 1, many,
            "rows that are learned from at first; then with all rows N the newest"),
    setting("window_slope", &Learn::window_slope, 0.001, 1,
            "least (1 + slope ((N / least)^exponent - 1) / exponent)"),
    setting("window_exponent", &Learn::window_exponent, 0.01, 1, ""),
    setting("window_most", &Learn::window_most, 1, many, "but at most"),
    setting("rate_factor", &Learn::rate_factor, 1e-6, 1,
            "the rate is multiplied by this at each of rate_drops"),
    setting("value_weight", &Learn::value_weight, 0, 1000,
            "of the value's loss; the policy's has 1"),
    setting("legal_weight", &Learn::legal_weight, 0, 1000,
            "of -ln of what the whole policy gives to legal moves, for prior_mask=all"),
    setting("root_value_share", &Learn::root_value_share, 0, 1,
            "of the search's value in the value learned, the rest is the outcome"),
    setting("root_value_from", &Learn::root_value_from, 0, 1,
            "share of the run before which it is the outcome alone"),
    setting("held_out", &Learn::held_out, 0, 0.5,
            "share of the games that only measure the losses"),
    setting("statistics_batches", &Learn::statistics_batches, 1, 10'000,
            "that measure the normalisations of the averaged weights"),
    setting("threads", &Learn::threads, 1, 1024, ""),
    setting("device", &Learn::device, "auto: cuda if there is one, else cpu"),
};

constexpr std::array evaluation_rows{
    setting("every", &EvaluationSettings::every, 0, many,
            "generations from one evaluation to the next; 0: none"),
    setting("games", &EvaluationSettings::games, 2, 1e6, "against each opponent, in pairs"),
    setting("earlier", &EvaluationSettings::earlier, 0, many,
            "one opponent is the network so many generations older; 0: none"),
    setting("simulations", &EvaluationSettings::simulations, 1, 1e6, "of the networks' searches"),
    setting("random_plies", &EvaluationSettings::random_plies, 0, 100,
            "random moves of each side at the beginning"),
    setting("anchor", &EvaluationSettings::anchor,
            "options of the other opponent, which stays the same; empty: none"),
};

constexpr std::array abort_rows{
    setting("policy_entropy", &AbortSettings::policy_entropy, 0, 100,
            "least entropy of the network's policies, nats"),
    setting("distinct_openings", &AbortSettings::distinct_openings, 0, 1,
            "least share of different first ten plies"),
    setting("draws", &AbortSettings::draws, 0, 1, "largest share"),
    setting("value_gap", &AbortSettings::value_gap, 0, 100,
            "by how much the value's loss on held-out rows may be larger"),
};

/// The options of self-play that training sets itself, besides `seed`.
constexpr std::array<std::string_view, 10> own_options{
    "preset",   "selection", "evaluation", "network",    "simulations",
    "movetime", "cputime",   "threads",    "root_noise", "exact"};

/// Checks a text of options; they must not be among those that training sets.
void check_options(const Setting& setting, bool is_anchor) {
  try {
    engine::Options scratch;
    for (const auto& [name, value] : engine::parse_assignments(setting.text())) {
      engine::set_option(scratch, name, value);
      if (name == "seed" || (!is_anchor && std::ranges::count(own_options, name) > 0)) {
        setting.refuse(name + " must be left out: training sets it itself");
      }
    }
    if (is_anchor && scratch.evaluation == engine::EvaluatorKind::network) {
      setting.refuse("the anchor must evaluate without a network");
    }
  } catch (const engine::BadOption& e) {
    setting.refuse(e.what());
  }
}

/// Searches that do not begin by PUCT have one rule, and no halves or estimators beside it.
void check_root_rule(const Setting& file, const SelfPlaySettings& settings) {
  if (settings.forced_playouts == 0 && settings.gumbel_moves == 0) return;
  const Setting& table = file.at("self_play");
  if (settings.forced_playouts > 0 && settings.gumbel_moves > 0) {
    table.refuse("forced_playouts and gumbel_moves exclude each other: one of them must be 0");
  }
  engine::Options options;
  for (const auto& [name, value] : engine::parse_assignments(settings.options)) {
    engine::set_option(options, name, value);
  }
  if (options.split_moves || !options.estimators.empty()) {
    table.refuse(
        "forced_playouts and gumbel_moves need searches without split_moves and estimators");
  }
}

/// Reads a table with these keys and those in `more`, which the caller reads.
template <class Rows, class S>
void read_all(const Setting& file, std::string_view name, const Rows& rows, S& to,
              std::vector<std::string_view> more = {}) {
  const Setting* const table = file.find(name);
  if (table == nullptr) return;
  add_keys(rows, more);
  table->expect_keys(more);
  read_rows(*table, rows, to);
}

const Setting* find(const Setting& file, std::string_view table, std::string_view key) {
  const Setting* const found = file.find(table);
  return found == nullptr ? nullptr : found->find(key);
}

std::vector<SearchStage> stages_of(const Setting& list) {
  std::vector<SearchStage> stages;
  for (const Setting& entry : list.list()) {
    entry.expect_keys({"from", "full", "fast"});
    stages.push_back({entry.at("from").number(0, 1), entry.at("full").count(1, most_simulations),
                      entry.at("fast").count(1, most_simulations)});
  }
  if (stages.empty() || stages[0].from != 0) list.refuse("the first stage must have from = 0");
  if (!std::ranges::is_sorted(stages, {}, &SearchStage::from)) {
    list.refuse("the stages must be in the order of their from");
  }
  return stages;
}

std::vector<double> drops_of(const Setting& list) {
  std::vector<double> drops;
  for (const Setting& entry : list.list()) drops.push_back(entry.number(0, 1));
  if (!std::ranges::is_sorted(drops)) list.refuse("the drops must be in ascending order");
  return drops;
}

std::string game_of(const Setting& setting) {
  Match match;
  try {
    set_game(match, setting.text());
  } catch (const std::exception& e) {
    setting.refuse(e.what());
  }
  return rules_text(match);
}

void write_line(std::ostream& out, std::string_view key, const std::string& value,
                std::string_view help) {
  const std::string line = std::string(key) + " = " + value;
  out << line;
  if (!help.empty()) {
    out << std::string(line.size() < 32 ? 32 - line.size() : 1, ' ') << "# " << help;
  }
  out << "\n";
}

template <class Rows, class S>
void write_rows(std::ostream& out, const Rows& rows, const S& from) {
  for (const auto& row : rows) {
    const auto text = [&](auto field) { return toml_of(from.*field); };
    write_line(out, row.key, std::visit(text, row.field), row.help);
  }
}

std::string stages_text(const std::vector<SearchStage>& stages) {
  std::string text = "[";
  for (const SearchStage& stage : stages) {
    text += (text.size() == 1 ? "\n  { from = " : ",\n  { from = ") + toml_of(stage.from) +
            ", full = " + std::to_string(stage.full) + ", fast = " + std::to_string(stage.fast) +
            " }";
  }
  return text + "]";
}

}  // namespace

TrainingSettings training_settings(const Setting& file) {
  std::vector<std::string_view> keys{"game", "self_play", "learner", "evaluation", "abort"};
  add_keys(training_rows, keys);
  file.expect_keys(keys);
  TrainingSettings settings;
  settings.game = game_of(file.at("game"));
  read_rows(file, training_rows, settings);
  read_all(file, "self_play", self_play_rows, settings.self_play, {"stages"});
  read_all(file, "learner", learner_rows, settings.learner, {"rate_drops"});
  read_all(file, "evaluation", evaluation_rows, settings.evaluation);
  read_all(file, "abort", abort_rows, settings.abort);
  if (const auto* const s = find(file, "self_play", "options")) check_options(*s, false);
  if (const auto* const s = find(file, "evaluation", "anchor")) check_options(*s, true);
  if (const auto* const s = find(file, "self_play", "stages")) {
    settings.self_play.stages = stages_of(*s);
  }
  check_root_rule(file, settings.self_play);
  if (const auto* const s = find(file, "learner", "rate_drops")) {
    settings.learner.rate_drops = drops_of(*s);
  }
  return settings;
}

std::string settings_text(const TrainingSettings& settings) {
  std::ostringstream out;
  write_line(out, "game", toml_of(settings.game), "");
  write_rows(out, training_rows, settings);
  out << "\n[self_play]\n";
  write_rows(out, self_play_rows, settings.self_play);
  out << "# Simulations, those of full searches at least, from a share of the generations on.\n"
      << "stages = " << stages_text(settings.self_play.stages) << "\n";
  out << "\n[learner]\n";
  write_rows(out, learner_rows, settings.learner);
  std::string drops;
  for (const double drop : settings.learner.rate_drops) {
    drops += (drops.empty() ? "" : ", ") + toml_of(drop);
  }
  write_line(out, "rate_drops", "[" + drops + "]", "shares of the generations");
  out << "\n[evaluation]\n";
  write_rows(out, evaluation_rows, settings.evaluation);
  out << "\n# A run that passes one of these ends with a sentence.\n[abort]\n";
  write_rows(out, abort_rows, settings.abort);
  return out.str();
}

std::string learner_json(const LearnerSettings& settings) {
  nlohmann::ordered_json json;
  add_json(learner_rows, settings, json);
  json["rate_drops"] = settings.rate_drops;
  return json.dump();
}

TrainingSettings quick(TrainingSettings settings) {
  settings.generations = 10;
  SelfPlaySettings& play = settings.self_play;
  play.games = 200;
  play.early_games = 200;
  play.stages = {{0, 48, 16}};
  play.visits_per_move = 2;
  settings.learner.most_steps = 400;
  settings.learner.window_least = 10'000;
  settings.evaluation.every = 5;
  settings.evaluation.games = 20;
  settings.evaluation.simulations = 100;
  return settings;
}

SearchStage stage_of(const TrainingSettings& settings, int generation) {
  const double progress = (generation - 1) / static_cast<double>(settings.generations);
  SearchStage current;
  for (const SearchStage& stage : settings.self_play.stages) {
    if (stage.from <= progress) current = stage;
  }
  return current;
}

int full_simulations(const SelfPlaySettings& settings, const SearchStage& stage, int moves) {
  const auto wanted = static_cast<int>(std::ceil(settings.visits_per_move * moves));
  return std::max(stage.full, std::min(wanted, settings.visits_most));
}

int games_of(const TrainingSettings& settings, int generation) {
  const SelfPlaySettings& play = settings.self_play;
  return generation <= play.early_generations ? play.early_games : play.games;
}

}  // namespace pitboss::clients
