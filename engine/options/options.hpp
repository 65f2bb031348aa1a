#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "engine/formulas.hpp"

namespace pitboss::engine {

/// An invalid value or combination of options. The text is a sentence for the user.
class BadOption : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};
/// The evaluator in the options does not answer; it may do so later.
class NoEvaluator : public BadOption {
 public:
  using BadOption::BadOption;
};
/// The search or other work was ended before it had a result.
class Interrupted : public BadOption {
 public:
  using BadOption::BadOption;
};

enum class Novelty : std::uint8_t {
  none,
  pseudocount,
  pseudocount_features,
  evaluation,
  threshold,
  evaluation_features,
  threshold_features
};
/// Whether the measure counts evaluation features, in place of facts.
[[nodiscard]] constexpr bool counts_features(Novelty measure) {
  return measure == Novelty::pseudocount_features || measure == Novelty::evaluation_features ||
         measure == Novelty::threshold_features;
}
/// Whether the measure compares positions' values.
[[nodiscard]] constexpr bool compares_values(Novelty measure) {
  return measure == Novelty::evaluation || measure == Novelty::evaluation_features;
}
/// The selection rules (engine/tree/all_rules-inl.hpp), in the order of their list.
enum class Selection : std::uint8_t { ucb1, ucb1_tuned, puct };
enum class EvaluatorKind : std::uint8_t { static_value, playout, tuned_value, network };
/// Where a network is evaluated.
enum class EvaluatorPlace : std::uint8_t { local, remote, automatic };
/// The moves over which a network's policy is normalised to probabilities.
enum class PriorMask : std::uint8_t { legal, all };
/// The symmetries of the game under which a network sees a position.
enum class NetworkSymmetry : std::uint8_t { none, random, average };
enum class Playout : std::uint8_t { uniform, informed, features };
/// The source of the moves' priors: the network, if one evaluates, or features.
enum class Prior : std::uint8_t { none, network, features };
enum class FinalMove : std::uint8_t { visits, value, prior };
/// The place of a preset in `preset_rows`.
enum class Preset : std::uint8_t {};

/// The value estimators of ME-MCTS (engine/estimators/), in the order of their list. `history` is
/// the tree's own statistics.
enum class Estimator : std::uint8_t {
  history,
  global,
  block,
  own_moves,
  two_gram,
  three_gram,
  rave,
  state,
  wide_block
};

/// The estimators in use. Empty: an ordinary search, not ME-MCTS.
struct EstimatorSet {
  std::uint16_t bits = 0;

  [[nodiscard]] constexpr bool has(Estimator e) const {
    return (bits >> static_cast<int>(e) & 1U) != 0;
  }
  [[nodiscard]] constexpr bool empty() const { return bits == 0; }
  /// Whether an estimator in use has a table: all but `history`, which reads the tree.
  [[nodiscard]] constexpr bool has_tables() const {
    return (bits & ~(1U << static_cast<int>(Estimator::history))) != 0;
  }
  friend bool operator==(const EstimatorSet&, const EstimatorSet&) = default;
};

/// Visits are counted in 32 bits.
inline constexpr std::int64_t max_simulations = 4'000'000'000;
/// Simulations of a search that nothing else bounds.
inline constexpr std::int64_t default_simulations = 5000;

/// All search settings of a user. The table behind `option_rows` has each field's meaning, range
/// and source; the defaults stand only here.
struct Options {
  /// Nothing: nobody has set it, so `default_simulations` holds unless time bounds the search.
  std::optional<std::int64_t> simulations;
  std::int64_t movetime_ms = 0;
  std::int64_t cputime_ms = 0;
  std::int64_t lag_ms = 200;
  std::int64_t seed = 0;
  std::int64_t tree_mb = 256;
  std::int64_t threads = 1;
  double k = 0.3;
  double alpha = 0.01;
  double beta = 0.02;
  double gamma = 0.01;
  double c_puct = 1;
  double virtual_value = 0.5;
  double fpu_reduction = 0.2;
  double prior_temperature = 1;
  double root_noise = 0;
  double root_noise_alpha = 0.3;
  double evaluation_noise = 0;
  std::int64_t feature_moves = 0;
  double kr = 4;
  double kq = 2;
  double bonus_bound = 0.25;
  double mast = 0;
  std::int64_t knowledge = 0;
  double c_history = 0.1;
  double c_global = 0.2;
  double c_block = 0.2;
  double c_own_moves = 0.2;
  double c_two_gram = 0.2;
  double c_three_gram = 0.2;
  double c_rave = 0.2;
  double c_state = 0.2;
  double c_wide_block = 0.2;
  double bias_global = 0.1;
  double bias_block = 0.1;
  double bias_own_moves = 0.1;
  double bias_two_gram = 0.1;
  double bias_three_gram = 0.1;
  double bias_rave = 0.1;
  double bias_state = 0;
  double bias_wide_block = 0.1;
  double wilson_z = normal_95;
  double first_play_urgency = 1000;
  std::int64_t min_count = 1;
  std::int64_t estimators_mb = 16;
  EstimatorSet estimators{};
  Novelty novelty = Novelty::none;
  NoveltyMix novelty_mix = NoveltyMix::convex;
  Selection selection = Selection::ucb1_tuned;
  EvaluatorKind evaluation = EvaluatorKind::static_value;
  std::string network = "none";
  EvaluatorPlace evaluator = EvaluatorPlace::automatic;
  std::int64_t in_flight = 1;
  std::string features = "none";
  Prior prior = Prior::network;
  PriorMask prior_mask = PriorMask::legal;
  NetworkSymmetry network_symmetry = NetworkSymmetry::none;
  Playout playout = Playout::uniform;
  FinalMove final_move = FinalMove::visits;
  bool relative_bonus = false;
  bool qualitative_bonus = false;
  bool bonus_adaptive = false;
  bool bonus_draft = false;
  bool solver = false;
  bool exact = false;
  bool force_tree_first = false;
  bool keep_estimates = false;
  bool virtual_samples = true;
  bool split_moves = false;
  bool reuse_tree = false;
  bool ponder = false;
  Preset preset{};

  friend bool operator==(const Options&, const Options&) = default;
};

/// A move as the exploration term of a selection rule reads it.
struct MoveSamples {
  double n;    ///< samples of all moves
  double n_a;  ///< of this one; above 0 but for rules by priors
  double variance;
  double prior;
};
/// What is told of a selection rule.
struct SelectionRow {
  std::string_view name;  ///< in the option `selection`
  std::string_view help;
  std::string_view source;      ///< paper
  bool has_priors = false;      ///< whether it reads priors, which every block then has
  bool values_untried = false;  ///< whether it gives moves without any sample a value of its own
  /// The exploration term in double precision, by formulas.hpp, as reports have it.
  double (*bonus)(const Options& options, const MoveSamples& move);
};
/// The rows of all selection rules, in the order of Selection, from their list
/// (engine/tree/all_rules-inl.hpp).
[[nodiscard]] std::span<const SelectionRow> selection_rows();
[[nodiscard]] inline const SelectionRow& selection_row(Selection rule) {
  return selection_rows()[static_cast<std::size_t>(rule)];
}

/// What is told of an estimator.
struct EstimatorRow {
  std::string_view name;          ///< in the option `estimators`
  std::string_view context;       ///< in words
  std::string_view remark;        ///< may be empty
  double Options::*exploration;   ///< the option c_NAME: exploration factor c
  double Options::*bias;          ///< the option bias_NAME: bias b; null for `history`
  bool needs_target = false;      ///< whether moves must have target squares
  bool begins_at_root = false;    ///< whether contexts begin at the root of the search
  bool nests = false;             ///< a mover's move that is new makes its later ones new
  bool counts_all_later = false;  ///< a move counts at earlier positions of the tree, too

  [[nodiscard]] double bias_of(const Options& options) const {
    return bias == nullptr ? 0 : options.*bias;
  }
};
/// The rows of all estimators, in the order of Estimator, from their list
/// (engine/estimators/all_estimators.hpp).
[[nodiscard]] std::span<const EstimatorRow> estimator_rows();

/// The most memory of a search's tree and its estimators' tables, in MiB.
[[nodiscard]] std::int64_t memory_mb(const Options& options);
/// The bound of simulations, 0 for none. Time, which is `movetime`, `cputime` or (`has_clock`) a
/// game's clock, lifts the default bound; a bound that somebody has set stays.
[[nodiscard]] std::int64_t simulation_bound(const Options& options, bool has_clock);
/// The most memory of the tables of the estimators, of MAST and of knowledge, in bytes.
[[nodiscard]] std::size_t table_bytes(const Options& options);
/// The most memory of MAST's table for one thread, in MiB.
inline constexpr std::int64_t mast_mb = 8;
/// The most memory that a thread needs to look at positions (option `knowledge`), in MiB.
inline constexpr std::int64_t knowledge_mb = 8;

/// How far bonuses can carry a reward below 0 or above 1 (leaf/quality_rewards.hpp).
[[nodiscard]] double reward_excess(const Options& options);

/// Whether a search proves results, and is over once that of its root is proven.
[[nodiscard]] inline bool proves(const Options& options) {
  return options.solver || options.knowledge > 0;
}

/// Whether a search draws on the features that the options name.
[[nodiscard]] bool uses_features(const Options& options);

/// A sentence on an option that has no effect among these options.
struct Remark {
  std::vector<std::string_view> about;  ///< the options that cause this, by name
  std::string_view text;                ///< a sentence
};
[[nodiscard]] std::vector<Remark> remarks_on(const Options& options);

/// When a new value takes effect: in the running search, or in the next one.
enum class Effect : std::uint8_t { live, next_search };

/// The part of a search that reads an option, which a change affects.
enum class Reader : std::uint8_t {
  bounds,       ///< the end of a search, or whether it begins: live, nothing is recomputed
  simulations,  ///< every simulation: live, the tree's blocks are scored anew
  setup         ///< the set-up of a search: takes effect in the next one
};
/// Whether a tree's statistics stay valid when an option changes; if not, `reuse_tree` discards the
/// tree.
enum class TreeKept : bool { no, yes };

/// The declaration of one option, from which command line, `setoption`, `list_options`, player
/// strings and docs/options.md derive.
struct OptionRow {
  using Field =
      std::variant<std::int64_t Options::*, double Options::*, bool Options::*, Novelty Options::*,
                   NoveltyMix Options::*, Selection Options::*, EvaluatorKind Options::*,
                   Playout Options::*, FinalMove Options::*, Preset Options::*,
                   EstimatorSet Options::*, PriorMask Options::*, NetworkSymmetry Options::*,
                   EvaluatorPlace Options::*, Prior Options::*, std::string Options::*,
                   std::optional<std::int64_t> Options::*>;
  std::string_view name;
  Field field;
  double min;  ///< numbers only
  double max;
  /// Words of an enumeration, in the order of its values, or of a set's members; else empty.
  std::vector<std::string_view> choices;
  Reader reader;
  TreeKept tree_kept;       ///< whether a tree outlives a change
  std::string_view help;    ///< one line, with the unit
  std::string_view source;  ///< paper and equation, or where the value comes from

  /// Whether the value is a text that `choices` does not list.
  [[nodiscard]] bool is_text() const {
    return std::holds_alternative<EstimatorSet Options::*>(field) ||
           std::holds_alternative<std::string Options::*>(field);
  }
  [[nodiscard]] Effect effect() const {
    return reader == Reader::setup ? Effect::next_search : Effect::live;
  }
};

[[nodiscard]] std::span<const OptionRow> option_rows();

/// Options that are set together.
struct PresetRow {
  struct Value {
    std::string_view option;
    std::string_view text;  ///< for `set_option`
  };
  std::string_view name;
  std::string_view help;      ///< what a search is then
  std::vector<Value> values;  ///< set in this order; all other options stay as they are
};
/// THE list of presets; the defaults are the first one.
[[nodiscard]] std::span<const PresetRow> preset_rows();

/// Whether an option has this name; case does not matter.
[[nodiscard]] bool is_option(std::string_view name);
/// The row of an option; case does not matter. Throws BadOption for an unknown name.
[[nodiscard]] const OptionRow& option_row(std::string_view name);

/// Sets an option from text. A preset sets all the options it names. Throws BadOption for an
/// unknown name or a bad value, says what was expected, and changes nothing. Returns when the value
/// takes effect.
Effect set_option(Options& options, std::string_view name, std::string_view value);
/// The value in the form that `set_option` takes; of `simulations` the bound without a clock.
[[nodiscard]] std::string get_option(const Options& options, std::string_view name);
[[nodiscard]] std::string get_option(const Options& options, const OptionRow& row);
/// `options`, with live options taken from `live`.
[[nodiscard]] Options with_live(const Options& options, const Options& live);
/// `options` with a seed: an unpredictable one, below 2^53, if `options` leave it open.
[[nodiscard]] Options with_seed(Options options);
/// Whether the two differ in an option that simulations read.
[[nodiscard]] bool simulations_differ(const Options& one, const Options& other);
/// Whether a search with options `next` may reuse the tree of a search with `last`.
[[nodiscard]] bool tree_kept(const Options& last, const Options& next);
/// "option name k type spin default 0.3 min 0 max 100" and so on, one line a row, in the manner of
/// UCI. The default values are those of `defaults`; the maximum of `tree_mb` is `max_tree_mb`.
[[nodiscard]] std::string uci_lines(const Options& defaults, std::int64_t max_tree_mb);
/// The values that a row allows, for the user: "0 to 100", or "ucb1, ucb1-tuned".
[[nodiscard]] std::string range_text(const OptionRow& row);
/// The table of docs/options.md.
[[nodiscard]] std::string markdown_table();

/// One setting of a player string, "name=A preset=reference k=0.3 ...". Pairs are separated by
/// blanks; `preset` is applied before all others. The caller handles keys that name no option.
struct Assignment {
  std::string name;
  std::string value;
};
/// Moves presets to the front, so that a preset does not undo options given beside it.
void presets_first(std::vector<Assignment>& assignments);
/// Splits "key=value key=value", presets first. Throws BadOption for a word without '='.
[[nodiscard]] std::vector<Assignment> parse_assignments(std::string_view text);

}  // namespace pitboss::engine
