#pragma once

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "games/all_games.hpp"
#include "tests/folders.hpp"

namespace pitboss::tests {

/// An end game of othello and the published score of each of its moves.
struct EndGame {
  std::unique_ptr<games::AnyGame> position;
  std::map<std::string, int> scores;
};

/// A line of the file: the board from its top left point, the side to move, "H5:+6; G6:-2;". There
/// rows are counted from the top, here from the bottom.
inline EndGame end_game(const std::string& line) {
  std::string text;
  for (int row = 0; row < 8; ++row) {
    text += (row == 0 ? "" : "/") + line.substr(8 * row, 8);
  }
  std::ranges::replace(text, '-', '.');
  EndGame game{games::make_game("othello"), {}};
  game.position->set_position(text + (line[65] == 'X' ? " b" : " w"));
  std::istringstream moves(line.substr(67));
  for (std::string move; moves >> move;) {
    const std::string point{static_cast<char>(move[0] - 'A' + 'a'),
                            static_cast<char>('9' - move[1] + '0')};
    game.scores[point] = std::stoi(move.substr(move.find(':') + 1));
  }
  return game;
}

/// The end games 20 to 39 of the FFO set.
inline std::vector<EndGame> othello_end_games() {
  std::ifstream file(tests_folder() + "/engine/exact/othello_end_games.obf");
  std::vector<EndGame> games;
  for (std::string line; std::getline(file, line);) games.push_back(end_game(line));
  return games;
}

}  // namespace pitboss::tests
