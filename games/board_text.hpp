#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "games/game.hpp"

/// Boards as text. A picture of a board is its rows from the top, one character a point: '.' empty,
/// 'X' black, 'O' white, '?' a place of the rectangle that is no point of the board.
namespace pitboss::games {

/// The rows of the board, top row first.
template <Game G>
[[nodiscard]] std::vector<std::string> board_rows(const G& game) {
  const BoardShape shape = game.shape();
  const auto points = game.points();
  const auto black = game.pieces(Colour::black);
  const auto white = game.pieces(Colour::white);
  std::vector<std::string> rows;
  for (int y = shape.height - 1; y >= 0; --y) {
    std::string row;
    for (int x = 0; x < shape.width; ++x) {
      const int p = shape.point(x, y);
      row += !points.has(p) ? '?' : black.has(p) ? 'X' : white.has(p) ? 'O' : '.';
    }
    rows.push_back(row);
  }
  return rows;
}

/// The rows with column letters and row numbers round them, several lines.
[[nodiscard]] std::string framed(const std::vector<std::string>& rows);

/// A position line split into its parts: "rows/rows/... colour [extra]".
struct PositionWords {
  std::vector<std::string_view> rows;
  Colour to_move;
  std::string extra;
};
/// Throws BadGame for a line that has not this form. The views point into `text`.
[[nodiscard]] PositionWords split_position(std::string_view text);

/// What a position line says, for the board of `game`. Throws BadGame if it does not fit it.
template <Game G>
[[nodiscard]] Setup<typename G::Board> read_position(const G& game, std::string_view text) {
  const PositionWords words = split_position(text);
  const BoardShape shape = game.shape();
  if (static_cast<int>(words.rows.size()) != shape.height) {
    throw BadGame("a position needs " + std::to_string(shape.height) + " rows separated by '/'");
  }
  Setup<typename G::Board> setup{{}, words.to_move, words.extra};
  for (int y = 0; y < shape.height; ++y) {
    const std::string_view row = words.rows[shape.height - 1 - y];
    if (static_cast<int>(row.size()) != shape.width) {
      throw BadGame("every row needs " + std::to_string(shape.width) + " points");
    }
    for (int x = 0; x < shape.width; ++x) {
      const char c = row[x];
      const int p = shape.point(x, y);
      const bool on_board = game.points().has(p);
      if (on_board && (c == 'X' || c == 'x')) {
        setup.pieces[0].add(p);
      } else if (on_board && (c == 'O' || c == 'o')) {
        setup.pieces[1].add(p);
      } else if (c != (on_board ? '.' : '?')) {
        throw BadGame("a row is written with '.' empty, 'X' black, 'O' white, not '" +
                      std::string(1, c) + "'");
      }
    }
  }
  return setup;
}

}  // namespace pitboss::games
