#pragma once

#include <cctype>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/folders.hpp"

/// Reads golden/novelty-reference.txt: one random game of five types, measured with the program of
/// the authors of "Novelty in Monte Carlo Tree Search".
namespace pitboss::tests {

struct ReferencePly {
  std::string move;  ///< as we write it; empty before the first move
  double value;      ///< for the first player; the result's share when the game is over
  double n_c_raw;
  double n_c_eval;
  double n_e;
  double n_t;
  int legal_moves;  ///< 0 when the game is over
};

struct ReferenceGame {
  std::string game;  ///< our name; always the default parameters
  std::vector<ReferencePly> plies;
};

/// The file counts every letter as a column; we leave out i.
[[nodiscard]] inline std::string move_without_i(std::string move) {
  if (move == "-") return {};
  for (std::size_t i = 0; i + 1 < move.size(); ++i) {
    const bool is_column = std::isdigit(static_cast<unsigned char>(move[i + 1])) != 0;
    if (is_column && move[i] >= 'i') ++move[i];
  }
  return move;
}

[[nodiscard]] inline std::vector<ReferenceGame> novelty_reference() {
  const std::string path = tests::tests_folder() + "/golden/novelty-reference.txt";
  std::ifstream file(path);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::vector<ReferenceGame> games;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string first;
    std::string second;
    words >> first >> second;
    if (first == "REF") {
      games.push_back({second == "gomoku3" ? "gomoku" : second, {}});
    } else if (first != "#") {
      ReferencePly ply{move_without_i(second), 0, 0, 0, 0, 0, 0};
      words >> ply.value >> ply.n_c_raw >> ply.n_c_eval >> ply.n_e >> ply.n_t;
      if (!words) throw std::runtime_error("cannot read the line: " + line);
      words >> ply.legal_moves;  // fails, leaving 0, on the word "terminal"
      games.back().plies.push_back(ply);
    }
  }
  return games;
}

}  // namespace pitboss::tests
