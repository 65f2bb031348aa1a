#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace pitboss::engine {

/// A value or a combination of options that means nothing. The text is a sentence for the user.
class BadOption : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

enum class Novelty : std::uint8_t {
  none,
  pseudocount,
  pseudocount_features,
  evaluation,
  threshold
};
enum class Selection : std::uint8_t { ucb1, ucb1_tuned };
enum class EvaluatorKind : std::uint8_t { static_value, playout, tuned_value };
enum class Playout : std::uint8_t { uniform, informed };
enum class FinalMove : std::uint8_t { visits, value };
enum class Preset : std::uint8_t { reference, paper, control, quality_rewards };

/// What knows the value of a move (ME-MCTS; engine/estimators/). `history` is the tree itself.
enum class Estimator : std::uint8_t {
  history,
  global,
  block,
  own_moves,
  two_gram,
  three_gram,
  rave
};
inline constexpr int estimator_count = 7;

/// The estimators in use; none: the search is not ME-MCTS.
struct EstimatorSet {
  std::uint8_t bits = 0;

  [[nodiscard]] constexpr bool has(Estimator e) const {
    return (bits >> static_cast<int>(e) & 1U) != 0;
  }
  [[nodiscard]] constexpr bool empty() const { return bits == 0; }
  /// Whether there is more than the tree, which needs no table beside it.
  [[nodiscard]] constexpr bool has_tables() const {
    return (bits & ~(1U << static_cast<int>(Estimator::history))) != 0;
  }
  friend bool operator==(const EstimatorSet&, const EstimatorSet&) = default;
};

/// Visits are counted in 32 bits.
inline constexpr std::int64_t max_simulations = 4'000'000'000;

/// Everything a user can set of a search. Meaning, range and source of each field stand in the
/// table behind `option_rows`; the defaults stand here and nowhere else.
struct Options {
  std::int64_t simulations = 5000;
  std::int64_t movetime_ms = 0;
  std::int64_t lag_ms = 200;
  std::int64_t seed = 0;
  std::int64_t tree_mb = 64;
  std::int64_t threads = 1;
  double k = 0.3;
  double alpha = 0.01;
  double beta = 0.02;
  double gamma = 0.01;
  double kr = 4;
  double kq = 2;
  double bonus_bound = 0.25;
  double mast = 0;
  double c_history = 0.1;
  double c_global = 0.2;
  double c_block = 0.2;
  double c_own_moves = 0.2;
  double c_two_gram = 0.2;
  double c_three_gram = 0.2;
  double c_rave = 0.2;
  double bias_global = 0.1;
  double bias_block = 0.1;
  double bias_own_moves = 0.1;
  double bias_two_gram = 0.1;
  double bias_three_gram = 0.1;
  double bias_rave = 0.1;
  double wilson_z = 1.96;
  double first_play_urgency = 1000;
  std::int64_t min_count = 1;
  std::int64_t estimators_mb = 16;
  EstimatorSet estimators{};
  Novelty novelty = Novelty::none;
  Selection selection = Selection::ucb1_tuned;
  EvaluatorKind evaluation = EvaluatorKind::static_value;
  Playout playout = Playout::uniform;
  FinalMove final_move = FinalMove::visits;
  bool relative_bonus = false;
  bool qualitative_bonus = false;
  bool bonus_adaptive = false;
  bool solver = false;
  bool force_tree_first = false;
  bool keep_estimates = false;
  bool virtual_samples = true;
  bool reuse_tree = false;
  bool ponder = false;
  Preset preset = Preset::reference;

  friend bool operator==(const Options&, const Options&) = default;
};

/// An estimator's name in the option `estimators`, and its options: factor of exploration c and
/// bias b, which the tree's own statistics do not have.
struct EstimatorRow {
  std::string_view name;
  std::string_view exploration_name;
  double Options::*exploration;
  std::string_view bias_name;
  double Options::*bias;

  [[nodiscard]] double bias_of(const Options& options) const {
    return bias == nullptr ? 0 : options.*bias;
  }
};
/// In the order of Estimator.
[[nodiscard]] std::span<const EstimatorRow, estimator_count> estimator_rows();

/// Memory that a search takes at most, in MiB.
[[nodiscard]] std::int64_t memory_mb(const Options& options);

/// By how much bonuses can carry a reward beyond 0 and 1, either way (quality_rewards.hpp).
[[nodiscard]] double reward_excess(const Options& options);

/// When a new value is obeyed: by the search that runs, or by the next one.
enum class Effect : std::uint8_t { live, next_search };

/// What of a search reads an option, and so what a new value touches.
enum class Reader : std::uint8_t {
  bounds,       ///< when it ends, or whether it begins: live, nothing is computed anew
  simulations,  ///< every simulation: live, the tree's blocks are scored anew
  setup         ///< how it begins: the next search
};
/// Whether the numbers in the tree depend on an option: a search keeps nothing of the tree of one
/// with another value (`reuse_tree`).
enum class TreeKept : bool { no, yes };

/// One option: its declaration, from which command line, `setoption`, `list_options`, player
/// strings and docs/options.md derive.
struct OptionRow {
  using Field =
      std::variant<std::int64_t Options::*, double Options::*, bool Options::*, Novelty Options::*,
                   Selection Options::*, EvaluatorKind Options::*, Playout Options::*,
                   FinalMove Options::*, Preset Options::*, EstimatorSet Options::*>;
  std::string_view name;
  Field field;
  double min;  ///< numbers only
  double max;
  /// Of enumerations in the order of their values, and of sets.
  std::vector<std::string_view> choices;
  Reader reader;
  TreeKept tree_kept;       ///< whether a tree outlives a change
  std::string_view help;    ///< one line, with the unit
  std::string_view source;  ///< paper and equation, or where the value comes from

  [[nodiscard]] Effect effect() const {
    return reader == Reader::setup ? Effect::next_search : Effect::live;
  }
};

[[nodiscard]] std::span<const OptionRow> option_rows();

/// What the presets, in the order of their values, make of an option, in the words of `set_option`;
/// an empty word leaves it as it is.
struct PresetRow {
  std::string_view option;
  std::array<std::string_view, 4> values;
};
[[nodiscard]] std::span<const PresetRow> preset_rows();

/// Whether there is an option of that name, whatever its case.
[[nodiscard]] bool is_option(std::string_view name);
/// The row of an option, whatever the case of its name. Throws BadOption for an unknown one.
[[nodiscard]] const OptionRow& option_row(std::string_view name);

/// Sets an option from text. A preset sets all the options it names. Throws BadOption (unknown
/// name, not a number, out of range: says what was expected) and then changes nothing.
/// Returns when the value takes effect.
Effect set_option(Options& options, std::string_view name, std::string_view value);
/// The value as `set_option` would take it.
[[nodiscard]] std::string get_option(const Options& options, std::string_view name);
/// `options` with the live ones as `live` has them.
[[nodiscard]] Options with_live(const Options& options, const Options& live);
/// Whether an option that simulations read has another value in the one than in the other.
[[nodiscard]] bool simulations_differ(const Options& one, const Options& other);
/// Whether a search with options `next` can go on with the tree of one with `last`.
[[nodiscard]] bool tree_kept(const Options& last, const Options& next);
/// "option name k type spin default 0.3 min 0 max 100" and so on, one line a row, in the manner of
/// UCI; `defaults` are shown as such, and `max_tree_mb` as the bound of `tree_mb`.
[[nodiscard]] std::string uci_lines(const Options& defaults, std::int64_t max_tree_mb);
/// The values a row takes, for people: "0 to 100", or "ucb1, ucb1-tuned".
[[nodiscard]] std::string range_text(const OptionRow& row);
/// The table of docs/options.md.
[[nodiscard]] std::string markdown_table();

/// A player string: "name=A preset=reference k=0.3 ...". Pairs are separated by blanks; `preset`
/// is applied before all others. Keys that are no option are left to the caller.
struct Assignment {
  std::string name;
  std::string value;
};
/// Moves presets to the front: they set many options and must not undo those that stand beside
/// them.
void presets_first(std::vector<Assignment>& assignments);
/// Splits "key=value key=value", presets first. Throws BadOption for a word without '='.
[[nodiscard]] std::vector<Assignment> parse_assignments(std::string_view text);

}  // namespace pitboss::engine
