#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clients/books/book.hpp"
#include "clients/experiments/experiment.hpp"
#include "clients/experiments/statistics/intervals.hpp"
#include "clients/referee/ledger_contents.hpp"

/// A match that tells what openings are good for: two players of unlike strength play them, and
/// random openings beside them.
namespace pitboss::clients {

struct TrialSettings {
  std::string game;                         ///< with parameters, as `set_game` reads it
  std::vector<engine::Assignment> options;  ///< of both players
  std::int64_t simulations = 1000;          ///< of the stronger; the other has half
  int rounds = 1;                           ///< of each opening
  int random_turns = 2;                     ///< of the random openings
  std::int64_t seed = 1;
  Address server;
};

/// A named book.
struct NamedBook {
  std::string name;
  std::vector<BookOpening> openings;  ///< at least one
};

/// A match for each book, and one more, of as many games as the first book's, on random openings.
/// Throws UserError.
[[nodiscard]] Experiment trial_of(const std::vector<NamedBook>& books,
                                  const TrialSettings& settings);

/// Counts what was played into the openings of the books.
void count_trials(std::vector<NamedBook>& books, const LedgerContents& contents);

/// The share of a match's rounds in which the same colour wins all games: 1/2 where two equal
/// players play fair openings of a game without draws, more where openings decide. 0 without
/// rounds.
[[nodiscard]] double share_of_one_colour(const LedgerContents& contents, int match);

/// How many games a test needs with a book, of what it needs with random openings: the square of
/// the ratio of their normalized Elo, which is that of the same two players. Nothing if one of both
/// is not told apart from 0.
struct GamesNeeded {
  double share;
  Interval interval;  ///< 95 %, of both matches' errors
};
[[nodiscard]] std::optional<GamesNeeded> games_needed(const Scores& book, const Scores& random);

}  // namespace pitboss::clients
