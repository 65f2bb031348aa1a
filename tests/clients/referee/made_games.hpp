#pragma once

#include <random>
#include <string>
#include <vector>

#include "clients/experiments/match.hpp"
#include "clients/referee/ledger/played_game.hpp"

namespace pitboss::clients {

/// A match that nobody has played.
inline Match made_match(const std::string& game, const std::string& first = "A",
                        const std::string& second = "B", int rounds = 1) {
  Match match;
  set_game(match, game);
  match.players[0].name = first;
  match.players[1].name = second;
  match.games = rounds * match.round();
  return match;
}

/// Game number `game` (from 0) of the match with that result; the moves tell only that it is
/// another than the others.
inline PlayedGame made_game(const Match& match, int game, const std::string& result,
                            const std::string& reason = "rules") {
  PlayedGame record;
  record.game = game + 1;
  record.round = round_of(match, game) + 1;
  record.seats = seats_in(match, game);
  record.result = result;
  record.reason = reason;
  record.plies = 1;
  record.moves = std::to_string(game);
  settle(record, sides_of(match));
  return record;
}

/// A round of a match for two that the first player won, drew or lost game by game: "WD".
inline std::vector<PlayedGame> made_round(const Match& match, int round, const std::string& how) {
  std::vector<PlayedGame> games;
  for (const char result : how) {
    const int game = round * match.round() + static_cast<int>(games.size());
    const bool is_first_black = game % 2 == 0;
    const char* text = result == 'D' ? "0" : (result == 'W') == is_first_black ? "B+1" : "W+1";
    games.push_back(made_game(match, game, text));
  }
  return games;
}

/// As many rounds as the match has, won, drawn and lost by chance.
inline std::vector<std::vector<PlayedGame>> made_rounds(const Match& match, double wins,
                                                        double draws, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::vector<PlayedGame>> rounds;
  for (int round = 0; round < match.games / match.round(); ++round) {
    std::string how;
    for (int game = 0; game < match.round(); ++game) {
      const double x = static_cast<double>(random()) / 4294967296.0;
      how += x < wins ? 'W' : x < wins + draws ? 'D' : 'L';
    }
    rounds.push_back(made_round(match, round, how));
    for (PlayedGame& game : rounds.back()) {
      game.plies = 20 + static_cast<int>(random() % 12 + random() % 12);
      game.seconds = {0.5 + static_cast<double>(random() % 1000) / 900.0,
                      0.9 + static_cast<double>(random() % 1000) / 700.0};
    }
  }
  return rounds;
}

}  // namespace pitboss::clients
