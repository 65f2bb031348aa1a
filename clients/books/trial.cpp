#include "clients/books/trial.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <utility>

#include "clients/experiments/statistics/elo.hpp"

namespace pitboss::clients {

namespace {

Player player_of(const TrialSettings& settings, std::string name, std::int64_t simulations) {
  Player player;
  player.name = std::move(name);
  player.location = settings.server;
  player.options = settings.options;
  player.options.push_back({"simulations", std::to_string(simulations)});
  return player;
}

Openings openings_in(const NamedBook& book) {
  Openings::Lines lines;
  for (const BookOpening& opening : book.openings) lines.push_back(opening.opening.moves);
  return {0, Openings::Kind::listed, std::make_shared<const Openings::Lines>(std::move(lines))};
}

/// What the games of one round have come to.
OpeningTrial trial_in(const PlayedRound& round) {
  OpeningTrial trial{.rounds = 1};
  int twelfths = 0;
  for (const PlayedGame& game : round.games) {
    ++trial.games;
    trial.drawn += game.winner == "draw" ? 1 : 0;
    twelfths += 2 * game.twelfths - whole_point;
  }
  trial.won = twelfths > 0 ? 1 : 0;
  trial.lost = twelfths < 0 ? 1 : 0;
  return trial;
}

}  // namespace

Experiment trial_of(const std::vector<NamedBook>& books, const TrialSettings& settings) {
  Match match;
  set_game(match, settings.game);
  match.players = {
      player_of(settings, "stronger", settings.simulations),
      player_of(settings, "weaker", std::max<std::int64_t>(settings.simulations / 2, 1))};
  match.seed = settings.seed;
  Experiment experiment;
  experiment.name = "books";
  const auto add = [&](Openings openings, std::size_t count) {
    match.openings = std::move(openings);
    match.games = static_cast<int>(count) * settings.rounds * match.round();
    experiment.matches.push_back(match);
  };
  for (const NamedBook& book : books) add(openings_in(book), book.openings.size());
  add({settings.random_turns}, books.front().openings.size());
  return experiment;
}

void count_trials(std::vector<NamedBook>& books, const LedgerContents& contents) {
  for (std::size_t i = 0; i < books.size(); ++i) {
    std::map<std::string, BookOpening*> by_moves;
    for (BookOpening& opening : books[i].openings) {
      by_moves[join(opening.opening.moves)] = &opening;
    }
    for (const PlayedRound& round : contents.played) {
      if (round.match != static_cast<int>(i)) continue;
      by_moves.at(round.games.front().opening)->trial += trial_in(round);
    }
  }
}

double share_of_one_colour(const LedgerContents& contents, int match) {
  int rounds = 0;
  int of_one = 0;
  for (const PlayedRound& round : contents.played) {
    if (round.match != match) continue;
    ++rounds;
    const auto colours = [](const PlayedGame& game) {
      return game.result.substr(0, game.result.find('+'));  // "0", "RG": a shared point
    };
    const std::string first = colours(round.games.front());
    const bool is_alike = std::ranges::all_of(
        round.games, [&](const PlayedGame& game) { return colours(game) == first; });
    if (is_alike && round.games.front().winner != "draw") ++of_one;
  }
  return rounds == 0 ? 0 : static_cast<double>(of_one) / rounds;
}

std::optional<GamesNeeded> games_needed(const Scores& book, const Scores& random) {
  const EloEstimate with_book = normalized_elo_estimate(book);
  const EloEstimate without = normalized_elo_estimate(random);
  const auto is_positive = [](const EloEstimate& elo) {
    return elo.elo && elo.low && *elo.low > 0;
  };
  if (!is_positive(with_book) || !is_positive(without)) return std::nullopt;
  const double log_share = 2 * std::log(*without.elo / *with_book.elo);
  const double error =
      2 * std::hypot(*with_book.error() / *with_book.elo, *without.error() / *without.elo);
  return GamesNeeded{std::exp(log_share),
                     {std::exp(log_share - error), std::exp(log_share + error)}};
}

}  // namespace pitboss::clients
