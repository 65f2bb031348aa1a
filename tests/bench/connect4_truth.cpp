// How often searches choose a move that keeps the game's value in hard positions of connect4, by an
// exact solver: positions after random moves, with 14 to 22 stones, in which nobody to move wins at
// once and not every move is right. Also what they think of d1 on the empty board, which wins.
//
//   cmake --build --preset release --target connect4_truth
//   build/release/bin/connect4_truth POSITIONS SEED NETWORKS "preset=network simulations=500" ...
//
// NETWORKS is a folder; each further argument is a search, its options in the order in which they
// are set.

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <set>
#include <span>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "clients/experiments/statistics/intervals.hpp"
#include "engine/leaf/network/networks.hpp"
#include "engine/search/search.hpp"
#include "games/any_game.hpp"
#include "games/random.hpp"
#include "tests/clients/training/connect4_solver.hpp"

namespace {

using namespace pitboss;

struct Hard {
  std::unique_ptr<games::AnyGame> position;
  int stones;
  std::set<std::string> right_moves;
};

/// Nothing if the random moves end the game, or lead to a position that is not hard.
std::unique_ptr<Hard> hard_after_random_moves(int stones, games::Random& random,
                                              clients::Connect4Solver& solver) {
  auto position = games::make_game("connect4");
  std::vector<std::string> moves;
  while (static_cast<int>(moves.size()) < stones) {
    moves.push_back(position->play(position->random_move(random)));
    if (position->result().finished()) return nullptr;
  }
  const int value = solver.value(moves);
  std::set<std::string> right_moves;
  const auto legal = position->legal_moves();
  for (const std::string& move : legal) {
    const auto next = position->clone();
    next->play(move);
    const games::Result result = next->result();
    if (result.finished() && !result.shared()) return nullptr;
    moves.push_back(move);
    if (-solver.value(moves) == value) right_moves.insert(move);
    moves.pop_back();
  }
  if (right_moves.size() == legal.size()) return nullptr;
  return std::make_unique<Hard>(std::move(position), stones, std::move(right_moves));
}

std::vector<Hard> hard_positions(int n, std::uint64_t seed) {
  games::Random random(seed);
  clients::Connect4Solver solver;
  std::vector<Hard> found;
  while (static_cast<int>(found.size()) < n) {
    const int stones = 14 + static_cast<int>(found.size()) % 9;
    if (auto hard = hard_after_random_moves(stones, random, solver))
      found.push_back(std::move(*hard));
  }
  return found;
}

engine::Options options_of(const std::string& text) {
  engine::Options options;
  options.seed = 1;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    const auto equals = std::min(word.find('='), word.size() - 1);
    engine::set_option(options, word.substr(0, equals), word.substr(equals + 1));
  }
  return options;
}

void search(engine::Search& search, const games::AnyGame& position,
            const engine::Options& options) {
  search.begin(position, 0, options, engine::limits_of(options));
  while (search.run(std::chrono::milliseconds(100)) != engine::Progress::done) {
  }
}

/// What a search thinks of d1 on the empty board. Throws std::runtime_error if its options are
/// wrong.
double value_of_d1(const std::string& text, const std::shared_ptr<engine::Networks>& networks) {
  const auto empty = games::make_game("connect4");
  const auto searcher = engine::make_search(*empty, networks);
  search(*searcher, *empty, options_of(text));
  for (const auto& move : searcher->report().moves) {
    if (move.move == "d1") return move.value;
  }
  throw std::logic_error("d1 is no move of connect4");
}

void measure(const std::string& text, std::span<const Hard> positions,
             const std::shared_ptr<engine::Networks>& networks) {
  const engine::Options options = options_of(text);
  const auto searcher = engine::make_search(*games::make_game("connect4"), networks);
  int kept = 0;
  for (const Hard& hard : positions) {
    search(*searcher, *hard.position, options);
    kept += hard.right_moves.contains(hard.position->text(searcher->best_move())) ? 1 : 0;
  }
  const auto n = static_cast<int>(positions.size());
  const auto [low, high] = clients::wilson_interval(kept, n);
  std::printf("| %s | %d | %.1f [%.1f, %.1f] | %.2f |\n", text.c_str(), kept, 100.0 * kept / n,
              100 * low, 100 * high, value_of_d1(text, networks));
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 5) {
    std::fprintf(stderr, "usage: connect4_truth POSITIONS SEED NETWORKS SEARCH ...\n");
    return 2;
  }
  try {
    const auto networks = std::make_shared<engine::Networks>(argv[3]);
    const auto searches = std::span(argv + 4, argv + argc);
    for (const char* text : searches) value_of_d1(text, networks);  // before minutes of solving
    const auto positions = hard_positions(std::atoi(argv[1]), std::strtoull(argv[2], nullptr, 10));
    std::printf(
        "| search | moves that keep the value, of %zu | %% | value of d1 |\n|---|---|---|---|\n",
        positions.size());
    for (const char* text : searches) measure(text, positions, networks);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
