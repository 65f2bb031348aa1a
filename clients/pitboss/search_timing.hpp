#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "clients/experiments/statistics/median.hpp"
#include "engine/search/search.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// The speed of one kind of search.
struct Timing {
  std::string game;
  engine::Options options;
  double seconds = 0;         ///< `seconds_a_simulation`, median of the rounds
  MedianEstimate ratio{};     ///< of the time to that of the search that it is compared with
  double bytes_per_node = 0;  ///< of the tree, blocks of moves included
  double line_seconds = 0;    ///< with several threads: `time_line` between the rounds, median
};

/// Which searches are timed.
struct SearchPlan {
  std::int64_t simulations = 5000;
  std::vector<engine::Assignment> settings{};  ///< of all of them
  std::vector<std::string> rows{};  ///< names of searches (`row_names`); empty: all of them
};

/// The settings "NAME=VALUE" of the searches, presets first. Throws UserError for one that the rows
/// differ in, such as `novelty`, or that is among `others`, and BadOption.
[[nodiscard]] std::vector<engine::Assignment> settings_of_rows(
    const std::vector<std::string>& words, const std::vector<std::string_view>& others);
/// Throws BadOption.
void set_options(engine::Options& options, const std::vector<engine::Assignment>& settings);

/// All useful option sets of a game: static values and playouts, each with every measure and the
/// solver; bonuses with informed playouts, if the game has them; and, with a fifth of the
/// simulations, MAST and one, two and three abstractors (ME-MCTS). Each set follows the plain one
/// that it is compared with.
[[nodiscard]] std::vector<engine::Options> variants(const games::AnyGame& game,
                                                    const SearchPlan& plan);
/// What a search may be called in the table: how its leaves are evaluated (static, or the kind of
/// playout), in which options it differs from a plain one ("-" if in none), or both.
[[nodiscard]] std::string leaf_name(const engine::Options& options);
[[nodiscard]] std::string variant_name(const engine::Options& options);
[[nodiscard]] std::vector<std::string> row_names(const engine::Options& options);
/// Appends these options without a measure of novelty, then with each of the paper's four that the
/// game has. Not with those of which the paper has no results: signatures hold these searches.
void add_measures(std::vector<engine::Options>& list, const games::AnyGame& game,
                  engine::Options options);
/// Whether a search has none of the optional parts, so that others are compared with it.
[[nodiscard]] bool is_plain(const engine::Options& options);
/// Which bonuses are on: none, relative, qualitative, both.
[[nodiscard]] std::string bonus_name(const engine::Options& options);

/// A whole search of the game's position by the calling thread and its helpers. Blocks.
[[nodiscard]] engine::Report searched(engine::Search& search, const games::AnyGame& game,
                                      const engine::Options& options);

/// Processor time if one thread made the search, wall clock if there were several.
[[nodiscard]] double seconds_a_simulation(const engine::Search& search,
                                          const engine::Report& report);

/// The speed of uniformly random games from a position to their end, by one thread.
struct PlayoutTiming {
  std::string game;
  std::size_t bytes = 0;  ///< of a position
  double seconds = 0;     ///< for a playout, processor time; median of the rounds
  double plies = 0;       ///< of a playout, mean
};
/// Plays for about `seconds`. Blocks.
[[nodiscard]] PlayoutTiming time_playouts(const games::AnyGame& game, double seconds);

/// Times the variants of a game that the plan picks for about `seconds`. Each plain search with
/// those compared with it picked has an equal share of the time, and at least one round. Ratios are
/// of the rounds. Bonuses are computed and bounded by 0. Blocks.
[[nodiscard]] std::vector<Timing> time_variants(const games::AnyGame& game, const SearchPlan& plan,
                                                double seconds);

/// Times the first of the variants by one thread and by 2, 4, 8 ... up to `most_threads`, which
/// this function starts. Ratios are of the rounds and compare with one thread. Blocks.
[[nodiscard]] std::vector<Timing> time_threads(const games::AnyGame& game, const SearchPlan& plan,
                                               int most_threads, double seconds);

}  // namespace pitboss::clients
