#include "engine/options.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <sstream>

namespace pitboss::engine {

namespace {

constexpr double largest_exact_integer = 9007199254740991.0;  // 2^53 - 1

const std::vector<OptionRow>& table() {
  using enum Effect;
  static const std::vector<OptionRow> rows{
      {"simulations",
       &Options::simulations,
       0,
       static_cast<double>(max_simulations),
       {},
       live,
       "simulations a move; 0 = no bound",
       "Novelty in MCTS: 1000 and 5000"},
      {"movetime",
       &Options::movetime_ms,
       0,
       86'400'000,
       {},
       live,
       "milliseconds a move; 0 = no bound; the first bound reached ends the search",
       "Novelty in MCTS: 250 and 1000"},
      {"lag",
       &Options::lag_ms,
       0,
       60'000,
       {},
       next_search,
       "milliseconds of a game's clock kept back for each move, for its way to the client; below "
       "the true delay there is a risk to lose on time",
       "-"},
      {"seed",
       &Options::seed,
       0,
       largest_exact_integer,
       {},
       next_search,
       "seed of the random numbers; 0 = a new one each search (last_search tells it)",
       "-"},
      {"tree_mb",
       &Options::tree_mb,
       1,
       65536,
       {},
       next_search,
       "bound of the tree's memory in MiB; a full tree is searched on without growing",
       "-"},
      {"threads",
       &Options::threads,
       1,
       64,
       {},
       next_search,
       "threads that search one tree, if the daemon has as many workers; with more than one the "
       "same seed no longer gives the same search",
       "-"},
      {"k",
       &Options::k,
       0,
       100,
       {},
       live,
       "exploration factor of ucb1 and ucb1-tuned",
       "Novelty in MCTS, eqs. 9 and 10"},
      {"alpha",
       &Options::alpha,
       0,
       1000,
       {},
       live,
       "scale of the novelty score; 0 leaves only the shrinking by 1 - b",
       "Novelty in MCTS, eqs. 9 and 10; the authors' program calls it beta"},
      {"beta",
       &Options::beta,
       0,
       1000,
       {},
       live,
       "how slowly novelty's weight b = sqrt(beta / (3 n + beta)) fades with the samples n",
       "Novelty in MCTS, eqs. 9 and 10; the authors' program calls it weight"},
      {"gamma",
       &Options::gamma,
       0,
       1,
       {},
       live,
       "frequency below which a fact counts as novel (novelty threshold)",
       "Novelty in MCTS, threshold novelty"},
      {"novelty",
       &Options::novelty,
       0,
       0,
       {"none", "pseudocount", "pseudocount-features", "evaluation", "threshold"},
       next_search,
       "novelty measure mixed into selection",
       "Novelty in MCTS: N_C raw, N_C eval, N_E, N_T"},
      {"selection",
       &Options::selection,
       0,
       0,
       {"ucb1", "ucb1-tuned"},
       next_search,
       "bound by which the tree chooses moves",
       "Auer, Cesa-Bianchi, Fischer 2002"},
      {"evaluation",
       &Options::evaluation,
       0,
       0,
       {"static", "playout", "tuned"},
       next_search,
       "value of a new leaf: the game's static value, or the result of a playout; tuned: a static "
       "value stronger than the authors', where a game has one (connect4), else as static",
       "-"},
      {"playout",
       &Options::playout,
       0,
       0,
       {"uniform", "informed"},
       live,
       "how playouts choose moves: any legal one, or as the game's own policy has it",
       "Quality-based Rewards, the playouts of its experiments"},
      {"mast",
       &Options::mast,
       0,
       1,
       {},
       live,
       "how often a playout plays the legal move with the best mean result in this search instead; "
       "0 = never",
       "Finnsson, Bjornsson 2008 (move-average sampling technique)"},
      {"relative_bonus",
       &Options::relative_bonus,
       0,
       0,
       {},
       live,
       "a win counts more the shorter its simulation is beside the other wins; needs playouts",
       "Quality-based Rewards, Relative Bonus"},
      {"qualitative_bonus",
       &Options::qualitative_bonus,
       0,
       0,
       {},
       live,
       "a win counts more the better its last position is beside those of the other wins; needs "
       "playouts and a game with a quality",
       "Quality-based Rewards, Qualitative Bonus"},
      {"kr",
       &Options::kr,
       0,
       100,
       {},
       live,
       "steepness k of the relative bonus; 0 = the game's own (docs/quality-rewards.md)",
       "Quality-based Rewards, b(lambda)"},
      {"kq",
       &Options::kq,
       0,
       100,
       {},
       live,
       "steepness k of the qualitative bonus; 0 = the game's own",
       "Quality-based Rewards, b(lambda)"},
      {"bonus_bound",
       &Options::bonus_bound,
       0,
       1,
       {},
       live,
       "bound a of either bonus where a win is 1 and a loss -1",
       "Quality-based Rewards: 0.25"},
      {"bonus_adaptive",
       &Options::bonus_adaptive,
       0,
       0,
       {},
       live,
       "takes |Cov / Var| of the quantity as the bound, once it can be told, instead of "
       "bonus_bound",
       "the authors' program of 2014 (control variates)"},
      {"solver",
       &Options::solver,
       0,
       0,
       {},
       live,
       "proves wins and losses, which are not searched on; a proven result gets no bonus",
       "MCTS-Solver: Winands, Bjornsson, Saito 2008"},
      {"final_move",
       &Options::final_move,
       0,
       0,
       {"visits", "value"},
       next_search,
       "the move played: most visited, or highest mean",
       "visits: the authors' program; value: Novelty in MCTS"},
      {"virtual_samples",
       &Options::virtual_samples,
       0,
       0,
       {},
       next_search,
       "every move starts with one sample of value 1/2; else unvisited moves come first",
       "the authors' program; the paper is silent"},
      {"reuse_tree",
       &Options::reuse_tree,
       0,
       0,
       {},
       next_search,
       "keeps what the last search of the game has found behind the moves played since; novelty "
       "begins anew",
       "off in the authors' program"},
      {"ponder",
       &Options::ponder,
       0,
       0,
       {},
       live,
       "thinks on the opponent's time, behind the move that genmove has played; only with "
       "reuse_tree, without which nothing of it would be kept",
       "-"},
      {"preset",
       &Options::preset,
       0,
       0,
       {"reference", "paper", "control", "quality-rewards"},
       next_search,
       "reference: as the novelty authors' program; paper: as their text; control: reference with "
       "novelty pseudocount and alpha 0; quality-rewards: the search of that paper without bonuses",
       "docs/novelty.md, docs/quality-rewards.md"},
  };
  return rows;
}

/// What a preset sets, in the table's own words.
struct PresetRow {
  Preset preset;
  std::string_view option;
  std::string_view value;
};
constexpr std::array<PresetRow, 19> preset_rows{{
    {Preset::reference, "selection", "ucb1-tuned"},
    {Preset::reference, "final_move", "visits"},
    {Preset::reference, "virtual_samples", "true"},
    {Preset::reference, "reuse_tree", "false"},
    {Preset::paper, "selection", "ucb1"},
    {Preset::paper, "final_move", "value"},
    {Preset::paper, "virtual_samples", "false"},
    {Preset::control, "selection", "ucb1-tuned"},
    {Preset::control, "final_move", "visits"},
    {Preset::control, "virtual_samples", "true"},
    {Preset::control, "reuse_tree", "false"},
    {Preset::control, "novelty", "pseudocount"},
    {Preset::control, "alpha", "0"},
    {Preset::quality_rewards, "selection", "ucb1"},
    {Preset::quality_rewards, "final_move", "visits"},
    {Preset::quality_rewards, "virtual_samples", "false"},
    {Preset::quality_rewards, "evaluation", "playout"},
    {Preset::quality_rewards, "playout", "informed"},
    {Preset::quality_rewards, "solver", "true"},
}};

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](char c) {
    return static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  });
  return result;
}

/// The shortest text that reads back as the same number.
template <class Number>
std::string number_text(Number n) {
  std::array<char, 32> buffer;
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), n).ptr;
  return {buffer.data(), end};
}

[[noreturn]] void refuse(const OptionRow& row, const std::string& expected,
                         std::string_view value) {
  throw BadOption(std::string(row.name) + " must be " + expected + ", not '" + std::string(value) +
                  "'");
}

template <class Number>
Number parse_number(const OptionRow& row, std::string_view text) {
  constexpr bool whole = std::is_integral_v<Number>;
  const std::string expected = std::string(whole ? "a whole number" : "a number") + " from " +
                               number_text(static_cast<Number>(row.min)) + " to " +
                               number_text(static_cast<Number>(row.max));
  Number n{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  const bool in_range = static_cast<double>(n) >= row.min && static_cast<double>(n) <= row.max;
  if (error != std::errc{} || end != text.data() + text.size() || !in_range) {
    refuse(row, expected, text);
  }
  return n + Number{};  // no minus zero
}

bool parse_bool(const OptionRow& row, std::string_view text) {
  const std::string word = lower(text);
  if (word == "true" || word == "1" || word == "on") return true;
  if (word == "false" || word == "0" || word == "off") return false;
  refuse(row, "true or false", text);
}

int parse_choice(const OptionRow& row, std::string_view text) {
  const auto found = std::ranges::find(row.choices, lower(text));
  if (found != row.choices.end()) return static_cast<int>(found - row.choices.begin());
  std::string expected = "one of";
  for (const auto choice : row.choices) expected += " " + std::string(choice);
  refuse(row, expected, text);
}

std::string_view type_name(const OptionRow& row) {
  if (!row.choices.empty()) return "combo";
  return std::holds_alternative<bool Options::*>(row.field) ? "check" : "spin";
}

/// A bound as the option itself would be written.
std::string bound_text(const OptionRow& row, double bound) {
  return std::holds_alternative<std::int64_t Options::*>(row.field)
             ? number_text(static_cast<std::int64_t>(bound))
             : number_text(bound);
}

}  // namespace

std::string range_text(const OptionRow& row) {
  if (std::holds_alternative<bool Options::*>(row.field)) return "true, false";
  if (row.choices.empty()) return bound_text(row, row.min) + " to " + bound_text(row, row.max);
  std::string text;
  for (const auto choice : row.choices) text += (text.empty() ? "" : ", ") + std::string(choice);
  return text;
}

std::span<const OptionRow> option_rows() { return table(); }

bool is_option(std::string_view name) {
  return std::ranges::find(table(), lower(name), &OptionRow::name) != table().end();
}

const OptionRow& option_row(std::string_view name) {
  const auto found = std::ranges::find(table(), lower(name), &OptionRow::name);
  if (found == table().end()) {
    throw BadOption("unknown option '" + std::string(name) + "' (see the command list_options)");
  }
  return *found;
}

Effect set_option(Options& options, std::string_view name, std::string_view value) {
  const OptionRow& row = option_row(name);
  Options changed = options;
  std::visit(
      [&]<class T>(T Options::*field) {
        if constexpr (std::is_same_v<T, bool>) {
          changed.*field = parse_bool(row, value);
        } else if constexpr (std::is_enum_v<T>) {
          changed.*field = static_cast<T>(parse_choice(row, value));
        } else {
          changed.*field = parse_number<T>(row, value);
        }
      },
      row.field);
  if (row.name == "preset") {
    for (const PresetRow& p : preset_rows) {
      if (p.preset == changed.preset) set_option(changed, p.option, p.value);
    }
  }
  options = changed;
  return row.effect;
}

std::string get_option(const Options& options, std::string_view name) {
  const OptionRow& row = option_row(name);
  return std::visit(
      [&]<class T>(T Options::*field) -> std::string {
        if constexpr (std::is_same_v<T, bool>) {
          return options.*field ? "true" : "false";
        } else if constexpr (std::is_enum_v<T>) {
          return std::string(row.choices[static_cast<std::size_t>(options.*field)]);
        } else {
          return number_text(options.*field);
        }
      },
      row.field);
}

Options with_live(const Options& options, const Options& live) {
  Options merged = options;
  for (const OptionRow& row : table()) {
    if (row.effect != Effect::live) continue;
    std::visit([&](auto Options::*field) { merged.*field = live.*field; }, row.field);
  }
  return merged;
}

std::string uci_lines(const Options& defaults, std::int64_t max_tree_mb) {
  std::ostringstream lines;
  for (const OptionRow& row : table()) {
    if (&row != &table().front()) lines << '\n';
    lines << "option name " << row.name << " type " << type_name(row) << " default "
          << get_option(defaults, row.name);
    if (type_name(row) == "spin") {
      const auto max = row.name == "tree_mb" ? static_cast<double>(max_tree_mb) : row.max;
      lines << " min " << bound_text(row, row.min) << " max " << bound_text(row, max);
    }
    for (const auto choice : row.choices) lines << " var " << choice;
  }
  return lines.str();
}

std::string markdown_table() {
  std::ostringstream text;
  text << "| option | values | default | takes effect | meaning | source |\n"
          "|---|---|---|---|---|---|\n";
  for (const OptionRow& row : table()) {
    text << "| `" << row.name << "` | " << range_text(row) << " | "
         << get_option(Options{}, row.name) << " | "
         << (row.effect == Effect::live ? "at once" : "next search") << " | " << row.help << " | "
         << row.source << " |\n";
  }
  return text.str();
}

std::vector<Assignment> parse_assignments(std::string_view text) {
  std::vector<Assignment> assignments;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const auto equals = word.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw BadOption("expected key=value, not '" + word + "'");
    }
    assignments.push_back({word.substr(0, equals), word.substr(equals + 1)});
  }
  presets_first(assignments);
  return assignments;
}

void presets_first(std::vector<Assignment>& assignments) {
  std::ranges::stable_partition(assignments,
                                [](const Assignment& a) { return lower(a.name) == "preset"; });
}

}  // namespace pitboss::engine
