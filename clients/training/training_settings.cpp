#include "clients/training/training_settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <nlohmann/json.hpp>
#include <span>
#include <sstream>
#include <string_view>
#include <variant>

#include "clients/experiments/match.hpp"
#include "engine/options/options.hpp"

namespace pitboss::clients {

namespace {

/// One key of a table of settings.
template <class S>
struct SettingRow {
  std::string_view key;
  std::variant<int S::*, double S::*, std::string S::*> field;
  double least;
  double most;
  std::string_view help;
};

constexpr double many = 1e9;
constexpr int most_simulations = 50'000;  // visits are kept in 16 bits

constexpr std::array self_play_rows{
    SettingRow<SelfPlaySettings>{"games", &SelfPlaySettings::games, 1, 1e7,
                                 "games of a generation"},
    SettingRow<SelfPlaySettings>{"early_games", &SelfPlaySettings::early_games, 1, 1e7,
                                 "the same of the first generations"},
    SettingRow<SelfPlaySettings>{"early_generations", &SelfPlaySettings::early_generations, 0, many,
                                 "how many these are"},
    SettingRow<SelfPlaySettings>{"games_per_file", &SelfPlaySettings::games_per_file, 1, 10'000,
                                 "what one thread plays before it looks for more"},
    SettingRow<SelfPlaySettings>{"full_share", &SelfPlaySettings::full_share, 0.001, 1,
                                 "share of the moves that are searched fully and learned from"},
    SettingRow<SelfPlaySettings>{"visits_per_move", &SelfPlaySettings::visits_per_move, 0, 1000,
                                 "least simulations of a full search for each legal move"},
    SettingRow<SelfPlaySettings>{"visits_most", &SelfPlaySettings::visits_most, 1, most_simulations,
                                 "but no more for that than these"},
    SettingRow<SelfPlaySettings>{"root_noise", &SelfPlaySettings::root_noise, 0, 1,
                                 "share of Dirichlet noise in the root's priors of full searches"},
    SettingRow<SelfPlaySettings>{"noise_concentration", &SelfPlaySettings::noise_concentration,
                                 0.01, 1000, "its parameter, times the number of legal moves"},
    SettingRow<SelfPlaySettings>{
        "forced_playouts", &SelfPlaySettings::forced_playouts, 0, 100,
        "k of sqrt(k prior visits) playouts forced in full searches; 0: none"},
    SettingRow<SelfPlaySettings>{
        "gumbel_moves", &SelfPlaySettings::gumbel_moves, 0, 1000,
        "moves that full searches halve, with Gumbel noise, in place of PUCT; 0: PUCT"},
    SettingRow<SelfPlaySettings>{"gumbel_scale", &SelfPlaySettings::gumbel_scale, 0, 100,
                                 "and what values count in the policy learned then"},
    SettingRow<SelfPlaySettings>{"policy_surprise", &SelfPlaySettings::policy_surprise, 0, 1,
                                 "share of a game's weight that goes to rows as they surprise"},
    SettingRow<SelfPlaySettings>{"random_plies", &SelfPlaySettings::random_plies, 0, 100,
                                 "a game begins with 0 to so many random moves"},
    SettingRow<SelfPlaySettings>{"opening_plies", &SelfPlaySettings::opening_plies, 0, 100,
                                 "then, on average, so many moves drawn from the policy"},
    SettingRow<SelfPlaySettings>{"opening_temperature", &SelfPlaySettings::opening_temperature,
                                 0.01, 100, "at this temperature"},
    SettingRow<SelfPlaySettings>{"temperature", &SelfPlaySettings::temperature, 0, 100,
                                 "of the moves after that, drawn by their visits: at first"},
    SettingRow<SelfPlaySettings>{"final_temperature", &SelfPlaySettings::final_temperature, 0, 100,
                                 "in the end"},
    SettingRow<SelfPlaySettings>{"temperature_half_life", &SelfPlaySettings::temperature_half_life,
                                 0.01, 1000, "plies in which the difference of the two halves"},
    SettingRow<SelfPlaySettings>{"decided_value", &SelfPlaySettings::decided_value, 0.5, 1,
                                 "a game is decided when one side's value is above this"},
    SettingRow<SelfPlaySettings>{"decided_turns", &SelfPlaySettings::decided_turns, 1, 1000,
                                 "for so many of its turns"},
    SettingRow<SelfPlaySettings>{"decided_simulations", &SelfPlaySettings::decided_simulations, 1,
                                 1e6, "simulations of a search after that"},
    SettingRow<SelfPlaySettings>{"decided_weight", &SelfPlaySettings::decided_weight, 0, 1,
                                 "and what its rows count"},
    SettingRow<SelfPlaySettings>{"cache_mb", &SelfPlaySettings::cache_mb, 0, 1e6,
                                 "cache of evaluations, MiB"},
    SettingRow<SelfPlaySettings>{"options", &SelfPlaySettings::options, 0, 0,
                                 "options of the searches (docs/options.md)"},
};

constexpr std::array learner_rows{
    SettingRow<LearnerSettings>{"batch", &LearnerSettings::batch, 2, 65'536, "rows of a step"},
    SettingRow<LearnerSettings>{"learning_rate", &LearnerSettings::learning_rate, 1e-9, 10,
                                "of AdamW"},
    SettingRow<LearnerSettings>{"weight_decay", &LearnerSettings::weight_decay, 0, 1,
                                "of weights, not of biases and normalisations"},
    SettingRow<LearnerSettings>{"warm_up_steps", &LearnerSettings::warm_up_steps, 0, many,
                                "in which the rate grows from 0"},
    SettingRow<LearnerSettings>{"gradient_clip", &LearnerSettings::gradient_clip, 1e-6, 1e6,
                                "longest gradient"},
    SettingRow<LearnerSettings>{
        "average", &LearnerSettings::average, 0, 0.999999,
        "share that the averaged weights keep in a step; they are the network"},
    SettingRow<LearnerSettings>{"reuse", &LearnerSettings::reuse, 0.01, 1000,
                                "how often a row is learned from, on average"},
    SettingRow<LearnerSettings>{"first_reuse", &LearnerSettings::first_reuse, 0.01, 1000,
                                "the same in the first tenth of the generations"},
    SettingRow<LearnerSettings>{"most_steps", &LearnerSettings::most_steps, 1, many,
                                "of a generation"},
    SettingRow<LearnerSettings>{
        "window_least", &LearnerSettings::window_least, 1, many,
        "rows that are learned from at first; then with all rows N the newest"},
    SettingRow<LearnerSettings>{"window_slope", &LearnerSettings::window_slope, 0.001, 1,
                                "least (1 + slope ((N / least)^exponent - 1) / exponent)"},
    SettingRow<LearnerSettings>{"window_exponent", &LearnerSettings::window_exponent, 0.01, 1, ""},
    SettingRow<LearnerSettings>{"window_most", &LearnerSettings::window_most, 1, many,
                                "but at most"},
    SettingRow<LearnerSettings>{"rate_factor", &LearnerSettings::rate_factor, 1e-6, 1,
                                "the rate is multiplied by this at each of rate_drops"},
    SettingRow<LearnerSettings>{"value_weight", &LearnerSettings::value_weight, 0, 1000,
                                "of the value's loss; the policy's has 1"},
    SettingRow<LearnerSettings>{
        "root_value_share", &LearnerSettings::root_value_share, 0, 1,
        "of the search's value in the value learned, the rest is the outcome"},
    SettingRow<LearnerSettings>{"root_value_from", &LearnerSettings::root_value_from, 0, 1,
                                "share of the run before which it is the outcome alone"},
    SettingRow<LearnerSettings>{"held_out", &LearnerSettings::held_out, 0, 0.5,
                                "share of the games that only measure the losses"},
    SettingRow<LearnerSettings>{"statistics_batches", &LearnerSettings::statistics_batches, 1,
                                10'000, "that measure the normalisations of the averaged weights"},
    SettingRow<LearnerSettings>{"threads", &LearnerSettings::threads, 1, 1024, ""},
    SettingRow<LearnerSettings>{"device", &LearnerSettings::device, 0, 0,
                                "auto: cuda if there is one, else cpu"},
};

constexpr std::array evaluation_rows{
    SettingRow<EvaluationSettings>{"every", &EvaluationSettings::every, 0, many,
                                   "generations from one evaluation to the next; 0: none"},
    SettingRow<EvaluationSettings>{"games", &EvaluationSettings::games, 2, 1e6,
                                   "against each opponent, in pairs"},
    SettingRow<EvaluationSettings>{
        "earlier", &EvaluationSettings::earlier, 0, many,
        "one opponent is the network so many generations older; 0: none"},
    SettingRow<EvaluationSettings>{"simulations", &EvaluationSettings::simulations, 1, 1e6,
                                   "of the networks' searches"},
    SettingRow<EvaluationSettings>{"random_plies", &EvaluationSettings::random_plies, 0, 100,
                                   "random moves of each side at the beginning"},
    SettingRow<EvaluationSettings>{
        "anchor", &EvaluationSettings::anchor, 0, 0,
        "options of the other opponent, which stays the same; empty: none"},
};

constexpr std::array abort_rows{
    SettingRow<AbortSettings>{"policy_entropy", &AbortSettings::policy_entropy, 0, 100,
                              "least entropy of the network's policies, nats"},
    SettingRow<AbortSettings>{"distinct_openings", &AbortSettings::distinct_openings, 0, 1,
                              "least share of different first ten plies"},
    SettingRow<AbortSettings>{"draws", &AbortSettings::draws, 0, 1, "largest share"},
    SettingRow<AbortSettings>{"value_gap", &AbortSettings::value_gap, 0, 100,
                              "by how much the value's loss on held-out rows may be larger"},
};

/// The options of self-play that training sets itself, besides `seed`.
constexpr std::array<std::string_view, 8> own_options{"preset",  "selection",   "evaluation",
                                                      "network", "simulations", "movetime",
                                                      "threads", "root_noise"};

/// Checks a text of options; they must not be among those that training sets.
void check_text(const Setting& setting) {
  if (setting.key() == "device") return;
  const bool is_anchor = setting.key() == "anchor";
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

template <class S>
void read(const Setting& setting, const SettingRow<S>& row, S& to) {
  if (const auto* const whole = std::get_if<int S::*>(&row.field)) {
    to.*(*whole) = setting.count(static_cast<int>(row.least), static_cast<int>(row.most));
  } else if (const auto* const real = std::get_if<double S::*>(&row.field)) {
    to.*(*real) = setting.number(row.least, row.most);
  } else {
    check_text(setting);
    to.*std::get<std::string S::*>(row.field) = setting.text();
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
template <class S, std::size_t N>
void read_all(const Setting& file, std::string_view name, const std::array<SettingRow<S>, N>& rows,
              S& to, std::string_view more = "") {
  const Setting* const table = file.find(name);
  if (table == nullptr) return;
  std::vector<std::string_view> known;
  for (const SettingRow<S>& row : rows) known.push_back(row.key);
  if (!more.empty()) known.push_back(more);
  table->expect_keys(known);
  for (const SettingRow<S>& row : rows) {
    if (const Setting* const value = table->find(row.key)) read(*value, row, to);
  }
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

/// The shortest text that reads back as the same number.
std::string number_text(double value) {
  std::array<char, 32> buffer;
  char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr;
  const std::string text(buffer.data(), end);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

std::string quoted(const std::string& text) { return nlohmann::json(text).dump(); }

template <class S>
std::string value_text(const SettingRow<S>& row, const S& from) {
  if (const auto* const whole = std::get_if<int S::*>(&row.field)) {
    return std::to_string(from.*(*whole));
  }
  if (const auto* const real = std::get_if<double S::*>(&row.field)) {
    return number_text(from.*(*real));
  }
  return quoted(from.*std::get<std::string S::*>(row.field));
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

template <class S, std::size_t N>
void write_all(std::ostream& out, std::string_view name, const std::array<SettingRow<S>, N>& rows,
               const S& from) {
  out << "\n[" << name << "]\n";
  for (const SettingRow<S>& row : rows) write_line(out, row.key, value_text(row, from), row.help);
}

std::string stages_text(const std::vector<SearchStage>& stages) {
  std::string text = "[";
  for (const SearchStage& stage : stages) {
    text += (text.size() == 1 ? "\n  { from = " : ",\n  { from = ") + number_text(stage.from) +
            ", full = " + std::to_string(stage.full) + ", fast = " + std::to_string(stage.fast) +
            " }";
  }
  return text + "]";
}

}  // namespace

TrainingSettings training_settings(const Setting& file) {
  file.expect_keys({"game", "seed", "generations", "architecture", "blocks", "filters", "self_play",
                    "learner", "evaluation", "abort"});
  TrainingSettings settings;
  settings.game = game_of(file.at("game"));
  if (const auto* const s = file.find("seed")) settings.seed = s->whole_number(0);
  if (const auto* const s = file.find("generations")) settings.generations = s->count(1, 100'000);
  if (const auto* const s = file.find("blocks")) settings.blocks = s->count(1, 100);
  if (const auto* const s = file.find("filters")) settings.filters = s->count(1, 1024);
  if (const auto* const s = file.find("architecture")) {
    settings.architecture = s->text();
    if (s->text() != "paper" && s->text() != "tower") s->refuse(R"(expected "paper" or "tower")");
  }
  read_all(file, "self_play", self_play_rows, settings.self_play, "stages");
  read_all(file, "learner", learner_rows, settings.learner, "rate_drops");
  read_all(file, "evaluation", evaluation_rows, settings.evaluation);
  read_all(file, "abort", abort_rows, settings.abort);
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
  write_line(out, "game", quoted(settings.game), "");
  write_line(out, "seed", std::to_string(settings.seed), "");
  write_line(out, "generations", std::to_string(settings.generations), "");
  write_line(out, "architecture", quoted(settings.architecture), "paper or tower");
  write_line(out, "blocks", std::to_string(settings.blocks), "of a tower");
  write_line(out, "filters", std::to_string(settings.filters), "");
  write_all(out, "self_play", self_play_rows, settings.self_play);
  out << "# Simulations, those of full searches at least, from a share of the generations on.\n"
      << "stages = " << stages_text(settings.self_play.stages) << "\n";
  write_all(out, "learner", learner_rows, settings.learner);
  std::string drops;
  for (const double drop : settings.learner.rate_drops) {
    drops += (drops.empty() ? "" : ", ") + number_text(drop);
  }
  write_line(out, "rate_drops", "[" + drops + "]", "shares of the generations");
  write_all(out, "evaluation", evaluation_rows, settings.evaluation);
  out << "\n# A run that passes one of these ends with a sentence.";
  write_all(out, "abort", abort_rows, settings.abort);
  return out.str();
}

std::string learner_json(const LearnerSettings& settings) {
  nlohmann::ordered_json json;
  for (const SettingRow<LearnerSettings>& row : learner_rows) {
    std::visit([&](auto field) { json[std::string(row.key)] = settings.*field; }, row.field);
  }
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
