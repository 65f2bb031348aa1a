#pragma once

#include <array>
#include <cctype>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "games/game.hpp"

/// Boards as text. A picture of a board is its rows from the top, one character a point: '.' empty,
/// the letter of a piece (piece_letters: 'X' black, 'O' white in most games), '?' a place of the
/// rectangle that is no point of the board.
namespace pitboss::games {

/// The rows of the board, top row first.
template <Game G>
[[nodiscard]] std::vector<std::string> board_rows(const G& game) {
  const BoardShape shape = game.shape();
  const auto points = game.points();
  std::vector<std::string> rows;
  for (int y = shape.height - 1; y >= 0; --y) {
    std::string row;
    for (int x = 0; x < shape.width; ++x) {
      const int p = shape.point(x, y);
      char shown = points.has(p) ? '.' : '?';
      for (int kind = 0; kind < kinds_of<G>; ++kind) {
        if (game.pieces(kind).has(p)) shown = piece_letters<G>()[kind];
      }
      row += shown;
    }
    rows.push_back(row);
  }
  return rows;
}

/// The rows with column letters and row numbers round them, several lines. On a hexagonal board a
/// point stands between its two neighbours above, and a letter below the lowest point of its
/// column.
[[nodiscard]] std::string framed(const std::vector<std::string>& rows, Lattice lattice);

/// A position line split into its parts: "rows/rows/... colour [extra]".
struct PositionWords {
  std::vector<std::string_view> rows;
  Colour to_move;
  std::string extra;
};
/// The colour is the first letter of one of `colours`. Throws BadGame for a line of another form.
/// The views point into `text`.
[[nodiscard]] PositionWords split_position(std::string_view text,
                                           std::span<const std::string_view> colours);

/// Splits a position line with the colours of the seats of `game`.
template <Game G>
[[nodiscard]] std::span<const std::string_view> colours_of(const G& game) {
  static constexpr std::array<std::string_view, 2> two{"black", "white"};
  static constexpr std::array<std::string_view, most_players> more{"red", "yellow", "green",
                                                                   "blue"};
  return std::span(G::players == 2 ? two.data() : more.data(),
                   static_cast<std::size_t>(seats_of(game)));
}

/// The content of a position line, for the board of `game`. Throws BadGame if it does not fit.
template <Game G>
[[nodiscard]] Setup<typename G::Board, kinds_of<G>> read_position(const G& game,
                                                                  std::string_view text) {
  constexpr std::string_view letters = piece_letters<G>();
  const PositionWords words = split_position(text, colours_of(game));
  const BoardShape shape = game.shape();
  if (static_cast<int>(words.rows.size()) != shape.height) {
    throw BadGame("a position needs " + std::to_string(shape.height) + " rows separated by '/'");
  }
  Setup<typename G::Board, kinds_of<G>> setup{{}, words.to_move, words.extra};
  for (int y = 0; y < shape.height; ++y) {
    const std::string_view row = words.rows[shape.height - 1 - y];
    if (static_cast<int>(row.size()) != shape.width) {
      throw BadGame("every row needs " + std::to_string(shape.width) + " points");
    }
    for (int x = 0; x < shape.width; ++x) {
      const char c = static_cast<char>(std::toupper(static_cast<unsigned char>(row[x])));
      const int p = shape.point(x, y);
      const bool on_board = game.points().has(p);
      const auto kind = letters.find(c);
      if (on_board && kind != std::string_view::npos) {
        setup.pieces[kind].add(p);
      } else if (c != (on_board ? '.' : '?')) {
        throw BadGame("a row is written with '.' for empty points and the letters " +
                      std::string(letters) + ", not '" + std::string(1, row[x]) + "'");
      }
    }
  }
  return setup;
}

}  // namespace pitboss::games
