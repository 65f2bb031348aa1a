#include "games/in_words.hpp"

#include <algorithm>
#include <array>

namespace pitboss::games {

namespace {

struct Piece {
  char letter;
  std::string_view meaning;
};

struct GameWords {
  std::string_view game;
  std::string_view rules;
  /// The pieces that the margin of a game counts; empty: it counts none.
  std::string_view unit{};
  std::string_view units{};
  /// Pieces that are no player's men.
  std::array<Piece, 2> pieces{};
};

constexpr std::array<GameWords, 15> all_words{{
    {"connect4",
     "Drop discs into the columns in turn; four in a row in any direction win. A move is the "
     "letter of a column."},
    {"othello",
     "Place a disc so that enemy discs stand in a straight line between it and another of yours: "
     "they become yours. The most discs at the end win. Who cannot turn a disc must pass.",
     "disc", "discs"},
    {"breakthrough",
     "Step one row forward, straight onto an empty point or diagonally, where you may capture. "
     "Reaching the far row, or capturing every enemy man, wins. A move is written d2d3."},
    {"knightthrough",
     "Jump forward as a knight jumps, onto an empty point or capturing. Reaching the far row, or "
     "capturing every enemy man, wins. A move is written d2e4."},
    {"atarigo",
     "Place stones as in Go; the first capture, of stones that have no empty neighbour left, wins. "
     "A stone without an empty neighbour may be placed only if it captures."},
    {"gomoku",
     "Place stones; five in line win. With opening=gomoku3 black's first stone goes to the centre, "
     "and black's second one outside the central 5x5 points."},
    {"amazons",
     "Move a queen as in chess, then shoot an arrow from it as a queen moves; arrows block for "
     "ever. Who cannot move has lost. A move is written d1d7g7: from, to, arrow.",
     {},
     {},
     {{{'*', "arrow"}}}},
    {"cannon",
     "Take the enemy's town. Soldiers step forward, capture forward and sideways, and retreat from "
     "enemies; three in a row are a cannon, which shoots at the second or third point ahead. Each "
     "side first places its town on its home row.",
     {},
     {},
     {{{'B', "black's town"}, {'W', "white's town"}}}},
    {"chinesecheckers",
     "Step to a neighbouring point, or hop over single men in a chain. Fill the opposite triangle "
     "first to win. A move is written from-to, however long the chain: d3f5."},
    {"pentalath",
     "Place stones; five in line win. Enemy groups without an empty neighbour are removed, and no "
     "stone may leave its own group without one."},
    {"fanorona",
     "Step along a line; a step towards enemies (approach) or away from them (withdrawal) captures "
     "the row of them, must be played if there is one, and may go on with the same man. Capture "
     "all men. Moves are written d2d3, d2e3a, d2e3w; pass ends a chain.",
     "man", "men"},
    {"hex",
     "Place stones. Black wins by joining the bottom and the top row, white by joining the left "
     "and the right column; there is no draw."},
    {"teeko",
     "Drop four markers each in turn, then move one of yours to a neighbouring point. Four in line "
     "or in a 2x2 block win. Moves are written c3, later c3d4."},
    {"yavalath", "Place stones; four in line win, but a line of three without a four loses."},
    {"rolit",
     "Place a ball so that balls of other colours stand in a straight line between it and another "
     "of yours: they become yours. The most balls at the end win. Who can turn a ball must.",
     "ball",
     "balls",
     {{{'G', "green"}, {'B', "blue"}}}},
}};

const GameWords& words_of(std::string_view name) {
  const auto* const found = std::ranges::find(all_words, name, &GameWords::game);
  if (found == all_words.end()) throw BadGame("there is no game '" + std::string(name) + "'");
  return *found;
}

}  // namespace

std::string_view rules_in_words(std::string_view name) { return words_of(name).rules; }

std::string pieces_in_words(const AnyGame& game) {
  const std::string_view letters = game.piece_letters();
  const auto players = static_cast<std::size_t>(game.players());
  std::string text;
  const auto add = [&](char letter, std::string_view meaning) {
    text.append(text.empty() ? "" : ", ").append(1, letter).append(" ").append(meaning);
  };
  for (std::size_t i = 0; i < players; ++i) add(letters[i], game.colours()[i]);
  for (const auto& [letter, meaning] : words_of(game.name()).pieces) {
    if (letters.find(letter, players) != std::string_view::npos) add(letter, meaning);
  }
  return text;
}

std::string result_in_words(const AnyGame& game) {
  const Result result = game.result();
  std::string winners;
  int count = 0;
  for (int c = 0; c < game.players(); ++c) {
    if (result.share(static_cast<Colour>(c)) == 0) continue;
    winners.append(count++ > 0 ? " and " : "").append(game.colours()[static_cast<std::size_t>(c)]);
  }
  if (count == game.players()) return "the game is a draw";
  if (count > 1) return winners + " share the win";
  const GameWords& words = words_of(game.name());
  if (words.unit.empty()) return winners + " wins";
  const int margin = game.margin();
  return winners + " wins by " + std::to_string(margin) + ' ' +
         std::string(margin == 1 ? words.unit : words.units);
}

}  // namespace pitboss::games
