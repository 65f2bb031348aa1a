#pragma once

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "games/any_game.hpp"

/// Games and positions for tests, written as one would type them.
namespace pitboss::games {

[[nodiscard]] inline std::vector<std::string> split(std::string_view text, char separator = ' ') {
  std::vector<std::string> words;
  std::istringstream stream{std::string(text)};
  for (std::string word; std::getline(stream, word, separator);) words.push_back(word);
  return words;
}

/// "othello size=6": a name and parameters.
[[nodiscard]] inline std::unique_ptr<AnyGame> game_of(std::string_view line) {
  const auto words = split(line);
  Parameters parameters;
  for (std::size_t i = 1; i < words.size(); ++i) {
    const auto pair = split(words[i], '=');
    parameters.set(pair.at(0), pair.at(1));
  }
  return make_game(words.at(0), parameters);
}

[[nodiscard]] inline std::unique_ptr<AnyGame> game_at(std::string_view line,
                                                      std::string_view position) {
  auto game = game_of(line);
  game->set_position(position);
  return game;
}

inline void play_all(AnyGame& game, std::string_view moves) {
  for (const std::string& move : split(moves)) game.play(move);
}

[[nodiscard]] inline std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const auto& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// The legal moves separated by spaces.
[[nodiscard]] inline std::string moves_of(const AnyGame& game) {
  return joined(game.legal_moves());
}

/// "B+n", "W+n", "draw", or "" while the game goes on.
[[nodiscard]] inline std::string outcome(const AnyGame& game) {
  const Result result = game.result();
  if (!result.finished()) return "";
  if (result.shared()) return "draw";
  return (result.won_by(Colour::black) ? "B+" : "W+") + std::to_string(game.margin());
}

/// The board as a position line shows it: an array of characters, far from any bitboard. What the
/// rules of a game come to on it is written out again, slowly, in that game's test.
class Picture {
 public:
  explicit Picture(const AnyGame& game) : words_(split(game.position())) {
    rows_ = split(words_[0], '/');
  }

  [[nodiscard]] int width() const { return static_cast<int>(rows_[0].size()); }
  [[nodiscard]] int height() const { return static_cast<int>(rows_.size()); }
  [[nodiscard]] bool on_board(int x, int y) const {
    return 0 <= x && x < width() && 0 <= y && y < height();
  }
  /// '.', 'X', 'O'; '#' off the board.
  [[nodiscard]] char at(int x, int y) const {
    return on_board(x, y) ? rows_[height() - 1 - y][x] : '#';
  }
  void put(int x, int y, char c) { rows_[height() - 1 - y][x] = c; }
  [[nodiscard]] char mover() const { return words_[1] == "b" ? 'X' : 'O'; }
  [[nodiscard]] std::string rows() const {
    std::string text;
    for (const auto& row : rows_) text += (text.empty() ? "" : "/") + row;
    return text;
  }
  /// Calls `visit(x, y)` for every point.
  template <class Visit>
  void for_each(Visit&& visit) const {
    for (int y = 0; y < height(); ++y) {
      for (int x = 0; x < width(); ++x) visit(x, y);
    }
  }

 private:
  std::vector<std::string> words_;
  std::vector<std::string> rows_;
};

[[nodiscard]] constexpr char other(char stone) { return stone == 'X' ? 'O' : 'X'; }

}  // namespace pitboss::games
