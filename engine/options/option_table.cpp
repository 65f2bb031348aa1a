#include <algorithm>
#include <array>
#include <utility>

#include "engine/options/options.hpp"

namespace pitboss::engine {

namespace {

constexpr double largest_exact_integer = 9007199254740991.0;  // 2^53 - 1

using Text = std::string_view;

/// What a change of an option affects; the table's rows use the names below.
struct Touches {
  Reader reader;
  TreeKept tree_kept = TreeKept::yes;
};
constexpr Touches bounds{Reader::bounds};
constexpr Touches simulations{Reader::simulations};
/// Read by simulations, and a change alters what their results mean.
constexpr Touches rewards{Reader::simulations, TreeKept::no};
constexpr Touches setup{Reader::setup};
constexpr Touches statistics{Reader::setup, TreeKept::no};

/// A number from `min` to `max`.
template <class Number>
OptionRow spin(Text name, Number Options::*field, double min, double max, Touches touches,
               Text help, Text source) {
  return {name, field, min, max, {}, touches.reader, touches.tree_kept, help, source};
}
OptionRow check(Text name, bool Options::*field, Touches touches, Text help, Text source) {
  return {name, field, 0, 0, {}, touches.reader, touches.tree_kept, help, source};
}
/// One of several words.
template <class Choice>
OptionRow combo(Text name, Choice Options::*field, std::vector<Text> choices, Touches touches,
                Text help, Text source) {
  return {name, field, 0, 0, std::move(choices), touches.reader, touches.tree_kept, help, source};
}

/// A name of something that the server has.
OptionRow text(Text name, std::string Options::*field, Touches touches, Text help, Text source) {
  return {name, field, 0, 0, {}, touches.reader, touches.tree_kept, help, source};
}

/// Any of several words, separated by commas.
OptionRow list(Text name, EstimatorSet Options::*field, std::vector<Text> choices, Touches touches,
               Text help, Text source) {
  return {name, field, 0, 0, std::move(choices), touches.reader, touches.tree_kept, help, source};
}

template <class Row>
std::vector<Text> names_of(std::span<const Row> rows) {
  std::vector<Text> names;
  for (const Row& row : rows) names.push_back(row.name);
  return names;
}

/// "NAME: TEXT; NAME: TEXT", for a member of the rows.
template <class Row>
std::string by_name(std::span<const Row> rows, Text Row::*text) {
  std::string all;
  for (const Row& row : rows) {
    all.append(all.empty() ? "" : "; ").append(row.name).append(": ").append(row.*text);
  }
  return all;
}

/// The options of the single estimators.
std::vector<OptionRow> estimator_options() {
  static const auto names_with = [](Text prefix) {
    std::vector<std::string> names;
    for (const EstimatorRow& e : estimator_rows()) names.emplace_back(prefix).append(e.name);
    return names;
  };
  static const std::vector<std::string> explorations = names_with("c_");
  static const std::vector<std::string> biases = names_with("bias_");
  std::vector<OptionRow> rows;
  for (std::size_t i = 0; i < explorations.size(); ++i) {
    rows.push_back(spin(explorations[i], estimator_rows()[i].exploration, 0, 10, simulations,
                        "exploration factor of this estimator", "ME-MCTS, eq. 5"));
  }
  for (std::size_t i = 0; i < biases.size(); ++i) {
    if (estimator_rows()[i].bias == nullptr) continue;
    rows.push_back(spin(biases[i], estimator_rows()[i].bias, 0, 1, simulations,
                        "by how much this estimator is off, however many samples it has, where a "
                        "win is 1 and a loss 0",
                        "ME-MCTS, eq. 4"));
  }
  return rows;
}

std::vector<OptionRow> options_but_of_estimators() {
  static const std::string selection_help =
      "bound by which the tree chooses moves; " + by_name(selection_rows(), &SelectionRow::help);
  static const std::string selection_source = by_name(selection_rows(), &SelectionRow::source);
  static const std::string preset_help = by_name(preset_rows(), &PresetRow::help);
  return {
      spin("simulations", &Options::simulations, 0, static_cast<double>(max_simulations), bounds,
           "simulations a move; 0 = no bound; time (movetime, cputime or a clock) lifts the "
           "default, not a bound that was set",
           "Novelty in MCTS: 1000 and 5000"),
      spin("movetime", &Options::movetime_ms, 0, 86'400'000, bounds,
           "milliseconds a move; 0 = no bound; the first bound reached ends the search",
           "Novelty in MCTS: 250 and 1000"),
      spin("cputime", &Options::cputime_ms, 0, 86'400'000, setup,
           "milliseconds of a processor a move, however long the search waits for it; 0 = no "
           "bound; with one thread, and evaluations in the daemon",
           "-"),
      spin("lag", &Options::lag_ms, 0, 60'000, setup,
           "milliseconds of a game's clock kept back for each move, for its way to the client; "
           "below the true delay there is a risk to lose on time",
           "-"),
      spin("seed", &Options::seed, 0, largest_exact_integer, setup,
           "seed of the random numbers; 0 = a new one each search (last_search tells it)", "-"),
      spin("tree_mb", &Options::tree_mb, 1, 65536, setup,
           "bound of the tree's memory in MiB; a full tree is searched on without growing", "-"),
      spin("threads", &Options::threads, 1, 64, setup,
           "threads that search one tree, if the daemon has as many workers; with more than one "
           "the same seed no longer gives the same search",
           "-"),
      spin("k", &Options::k, 0, 100, simulations,
           "exploration factor of selection rules without one of their own",
           "Novelty in MCTS, eqs. 9 and 10"),
      spin("alpha", &Options::alpha, 0, 1000, simulations,
           "scale of the novelty score; 0 leaves only the shrinking by 1 - b, if novelty_mix has "
           "one",
           "Novelty in MCTS, eqs. 9 and 10; the authors' program calls it beta"),
      spin("beta", &Options::beta, 0, 1000, simulations,
           "how slowly novelty's weight b = sqrt(beta / (3 n + beta)) fades with the samples n",
           "Novelty in MCTS, eqs. 9 and 10; the authors' program calls it weight"),
      spin("gamma", &Options::gamma, 0, 1, simulations,
           "frequency below which a fact counts as novel (novelty threshold)",
           "Novelty in MCTS, threshold novelty"),
      combo("novelty", &Options::novelty,
            {"none", "pseudocount", "pseudocount-features", "evaluation", "threshold",
             "evaluation-features", "threshold-features"},
            statistics,
            "novelty measure mixed into selection; those of features count the evaluation's "
            "features in place of what lies on the points",
            "Novelty in MCTS: N_C raw, N_C eval, N_E, N_T; N_E and N_T of features, which it has "
            "no results of"),
      combo("novelty_mix", &Options::novelty_mix, {"convex", "additive", "centred"}, simulations,
            "how novelty N joins a move's mean Q: b alpha N + (1 - b) Q; Q + b alpha N; "
            "e + (1 - b)(Q - e) + b alpha N with e = 1 / players",
            "convex: Novelty in MCTS, eqs. 9 and 10; the others are ours"),
      combo("selection", &Options::selection, names_of(selection_rows()), setup, selection_help,
            selection_source),
      spin("c_puct", &Options::c_puct, 0, 100, simulations, "exploration factor of puct",
           "Novelty in MCTS, sec. IV-B; the value is ours"),
      spin("fpu_reduction", &Options::fpu_reduction, 0, 1, simulations,
           "puct without virtual samples: an untried move has the mean of its position less this",
           "Leela Chess Zero; KataGo: 0.2"),
      combo("evaluation", &Options::evaluation, {"static", "playout", "tuned", "network"},
            statistics,
            "value of a new leaf: static = the game's static value; playout = the result of a "
            "playout; tuned = a static value stronger than the authors' (connect4; in other games "
            "as static); network = the value of a policy-value network",
            "-"),
      spin("evaluation_noise", &Options::evaluation_noise, 0, 1, statistics,
           "standard deviation of a normal error that is added to every static value, where a win "
           "is 1 and a loss 0, before it is cut to that range; it follows from the seed and the "
           "position",
           "-"),
      text("network", &Options::network, statistics,
           "name of the policy-value network that evaluation network uses: a file of the server's "
           "folder of networks, without .safetensors; auto: the one with the game's name; none",
           "docs/networks.md"),
      combo("evaluator", &Options::evaluator, {"local", "remote", "auto"}, statistics,
            "where the network is evaluated: in the server; on the machines that it was told of by "
            "--evaluator; auto: there, if there are any",
            "docs/evaluator.md"),
      spin("in_flight", &Options::in_flight, 1, 256, setup,
           "leaves of one tree that a remote evaluator is asked for at once; more hide its latency "
           "and cost strength",
           "KataGo: 7 Elo each at 800 simulations, 2 at 5,000"),
      text("features", &Options::features, statistics,
           "name of the features that prior and playout may use: a file of the server's folder of "
           "features, without .features; none",
           "Soemers, Piette, Browne 2019; docs/features.md"),
      combo("prior", &Options::prior, {"none", "network", "features"}, statistics,
            "where the moves' prior probabilities come from: the network, if evaluation has one; "
            "the linear policy of features",
            "features: Soemers, Piette, Browne 2019, eq. 4"),
      combo("prior_mask", &Options::prior_mask, {"legal", "all"}, statistics,
            "moves over which a network's policy becomes probabilities: the legal ones, or its "
            "whole output, so that illegal moves keep their share",
            "all: the novelty authors' program"),
      spin("prior_temperature", &Options::prior_temperature, 0.01, 100, statistics,
           "divides the policy's logits: above 1 makes priors more equal", "-"),
      combo("network_symmetry", &Options::network_symmetry, {"none", "random", "average"},
            statistics,
            "symmetry of the game in which a network sees a position: as it lies; one drawn from "
            "the seed and the position; the mean over all of them",
            "random: AlphaGo Zero (Silver et al. 2017)"),
      spin("root_noise", &Options::root_noise, 0, 1, setup,
           "share of Dirichlet noise in the priors of the root", "Silver et al. 2017: 0.25; off"),
      spin("root_noise_alpha", &Options::root_noise_alpha, 0.001, 100, setup,
           "parameter of that noise, for each move", "Silver et al. 2017: 0.3"),
      combo("playout", &Options::playout, {"uniform", "informed", "features"}, rewards,
            "how playouts choose moves: any legal one; as the game's own policy has it; drawn from "
            "the linear policy of features",
            "Quality-based Rewards, the playouts of its experiments"),
      spin("feature_moves", &Options::feature_moves, 0, 1000, simulations,
           "with playout features: so many moves of each playout are drawn from them, the others "
           "uniformly; 0 = all",
           "Soemers, Piette, Browne 2019: the first one"),
      spin("mast", &Options::mast, 0, 1, simulations,
           "how often a playout plays the legal move with the best mean result in this search "
           "instead; 0 = never",
           "Finnsson, Bjornsson 2008 (move-average sampling technique)"),
      check("relative_bonus", &Options::relative_bonus, rewards,
            "a win counts more the shorter its simulation is beside the other wins; needs playouts",
            "Quality-based Rewards, Relative Bonus"),
      check("qualitative_bonus", &Options::qualitative_bonus, rewards,
            "a win counts more the better its last position is beside those of the other wins; "
            "needs playouts and a game with a quality",
            "Quality-based Rewards, Qualitative Bonus"),
      spin("kr", &Options::kr, 0, 100, simulations, "steepness k of the relative bonus",
           "Quality-based Rewards, b(lambda); docs/results/quality-rewards.md"),
      spin("kq", &Options::kq, 0, 100, simulations, "steepness k of the qualitative bonus",
           "Quality-based Rewards, b(lambda); docs/results/quality-rewards.md"),
      spin("bonus_bound", &Options::bonus_bound, 0, 1, simulations,
           "bound a of either bonus where a win is 1 and a loss -1", "Quality-based Rewards: 0.25"),
      check("bonus_adaptive", &Options::bonus_adaptive, simulations,
            "takes |Cov / Var| of the quantity as the bound, once it can be told, instead of "
            "bonus_bound",
            "the authors' program of 2014 (control variates)"),
      check("bonus_draft", &Options::bonus_draft, simulations,
            "bonuses as soon as a colour's wins differ, by the sample's deviation; else from its "
            "50th win on, by the population's",
            "Quality-based Rewards, the draft; else the authors' program"),
      check("solver", &Options::solver, rewards,
            "proves wins and losses, which are not searched on; a proven result gets no bonus",
            "MCTS-Solver: Winands, Bjornsson, Saito 2008"),
      spin("knowledge", &Options::knowledge, 0, static_cast<double>(max_simulations), statistics,
           "visits at which a position of the tree is looked at by what its game knows without "
           "search (hex: virtual connections, dead and captured points), as the root is at once: "
           "moves that cannot be best are never tried, and a decided position is proven, as by "
           "solver; 0 = never",
           "MoHex (Arneson, Hayward, Henderson 2010); Anshelevich 2002"),
      check("exact", &Options::exact, setup,
            "an exact solver (connect4, hex, teeko; near the end every other game for two but "
            "cannon, "
            "Chinese checkers and fanorona) looks for a best move before the simulations, in up to "
            "half of the move's time and where that is likely to suffice; if it finds one, the "
            "search "
            "is over, unless all moves lose alike or several are known to draw",
            "docs/results/truths.md"),
      list(
          "estimators", &Options::estimators, names_of(estimator_rows()), rewards,
          "ME-MCTS: the estimators whose values are combined to choose every move, in the tree and "
          "in playouts; none = an ordinary search",
          "ME-MCTS, sec. 3"),
      spin("wilson_z", &Options::wilson_z, 0.1, 10, simulations,
           "width of the interval in which an estimator's variance is taken as large as it can be, "
           "in standard deviations",
           "ME-MCTS, sec. 3; 1.96 is ours"),
      spin("first_play_urgency", &Options::first_play_urgency, 0, 1000, simulations,
           "bound of a move that no estimator knows; 1000 is above all others",
           "ME-MCTS is silent; Gelly, Wang 2006"),
      spin("min_count", &Options::min_count, 1, 1000000, simulations,
           "samples from which on an abstractor's estimate counts", "-"),
      check("force_tree_first", &Options::force_tree_first, simulations,
            "with estimators, moves that are new to the tree come first, whatever samples the "
            "abstractors have of them",
            "-"),
      check("keep_estimates", &Options::keep_estimates, setup,
            "the next search begins with the abstractors' tables of the last one", "-"),
      spin("estimators_mb", &Options::estimators_mb, 1, 4096, setup,
           "bound of the abstractors' tables together in MiB, for each thread; in a full one new "
           "entries replace the least sampled",
           "-"),
      combo("final_move", &Options::final_move, {"visits", "value", "prior"}, setup,
            "the move played: most visited, highest mean, or one drawn by the priors (most visited "
            "without any)",
            "visits: the authors' program; value: Novelty in MCTS"),
      check("virtual_samples", &Options::virtual_samples, statistics,
            "every move starts with one sample of virtual_value; else unvisited moves come first",
            "the authors' program; the paper is silent"),
      spin(
          "virtual_value", &Options::virtual_value, 0, 1, statistics,
          "value of the virtual samples: the lower, the fewer moves are tried (first-play urgency)",
          "the authors' program: 1/2; Gelly, Wang 2006"),
      check("split_moves", &Options::split_moves, statistics,
            "moves of two halves (amazons: the queen's move, then the arrow) are two levels of the "
            "tree; in other games without effect",
            "-"),
      check(
          "reuse_tree", &Options::reuse_tree, setup,
          "a search begins with the subtree that the last search of the game has of the position; "
          "novelty begins anew",
          "off in the authors' program"),
      check(
          "ponder", &Options::ponder, bounds,
          "after genmove, searches on during the opponent's time; without effect unless reuse_tree "
          "is on, since nothing would be kept",
          "-"),
      combo("preset", &Options::preset, names_of(preset_rows()), setup, preset_help,
            "docs/novelty.md, docs/quality-rewards.md, docs/networks.md"),
  };
}

}  // namespace

std::span<const OptionRow> option_rows() {
  static const std::vector<OptionRow> rows = [] {
    std::vector<OptionRow> all = options_but_of_estimators();
    const auto after = std::ranges::find(all, "estimators", &OptionRow::name) + 1;
    const std::vector<OptionRow> more = estimator_options();
    all.insert(after, more.begin(), more.end());
    return all;
  }();
  return rows;
}

std::span<const PresetRow> preset_rows() {
  using Values = std::vector<PresetRow::Value>;
  const auto with = [](Values values, const Values& more) {
    values.insert(values.end(), more.begin(), more.end());
    return values;
  };
  // What all presets switch off, since no paper on novelty has it.
  static const Values plain{{"split_moves", "false"},
                            {"prior", "network"},
                            {"solver", "false"},
                            {"relative_bonus", "false"},
                            {"qualitative_bonus", "false"},
                            {"mast", "0"},
                            {"estimators", "none"},
                            {"novelty_mix", "convex"},
                            {"evaluation_noise", "0"},
                            {"exact", "false"},
                            {"knowledge", "0"}};
  static const Values reference = with(plain, {{"selection", "ucb1-tuned"},
                                               {"final_move", "visits"},
                                               {"virtual_samples", "true"},
                                               {"virtual_value", "0.5"},
                                               {"reuse_tree", "false"}});
  static const Values playouts = with(plain, {{"selection", "ucb1"},
                                              {"evaluation", "playout"},
                                              {"novelty", "none"},
                                              {"final_move", "visits"},
                                              {"virtual_samples", "false"},
                                              {"reuse_tree", "false"}});
  static const Values puct{{"selection", "puct"},
                           {"evaluation", "network"},
                           {"prior_temperature", "1"},
                           {"network_symmetry", "none"},
                           {"root_noise", "0"}};
  static const std::vector<PresetRow> rows{
      {"reference", "as the novelty authors' program", reference},
      {"paper", "as their text",
       with(plain, {{"selection", "ucb1"}, {"final_move", "value"}, {"virtual_samples", "false"}})},
      {"control", "reference with novelty pseudocount and alpha 0",
       with(reference, {{"novelty", "pseudocount"}, {"alpha", "0"}})},
      {"quality-rewards", "the search of that paper without bonuses",
       with(playouts, {{"solver", "true"}})},
      {"reference-network", "PUCT with a network as the novelty authors' program",
       with(with(reference, puct), {{"prior_mask", "all"}})},
      {"uct", "textbook UCT (Kocsis, Szepesvari 2006): UCB1 with k = sqrt(2), uniform playouts",
       with(playouts, {{"k", "1.4142135623730951"}, {"playout", "uniform"}, {"exact", "true"}})},
      {"network", "PUCT with the network of the game's name, as it plays best",
       with(with(plain, puct), {{"network", "auto"},
                                {"c_puct", "0.7"},
                                {"fpu_reduction", "0.1"},
                                {"virtual_samples", "false"},
                                {"novelty", "none"},
                                {"prior_mask", "legal"},
                                {"final_move", "visits"},
                                {"reuse_tree", "false"},
                                {"exact", "true"}})},
  };
  return rows;
}

}  // namespace pitboss::engine
