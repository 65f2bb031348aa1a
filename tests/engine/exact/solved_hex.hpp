#pragma once

#include <doctest/doctest.h>

#include <memory>
#include <string>
#include <vector>

#include "engine/exact/exact_solver.hpp"
#include "games/random.hpp"
#include "tests/games/set_up.hpp"

/// Positions of hex, and their moves' scores by the exact solver.
namespace pitboss::tests {

/// A position with so many random stones, but for the one that would end the game.
[[nodiscard]] inline std::unique_ptr<games::AnyGame> hex_after(int size, int stones,
                                                               games::Random& random) {
  for (;;) {
    auto position = games::game_of("hex size=" + std::to_string(size));
    for (int i = 0; i < stones && !position->result().finished(); ++i) {
      position->play(position->random_move(random));
    }
    if (!position->result().finished()) return position;
  }
}

[[nodiscard]] inline std::vector<engine::ExactMove> solved(const games::AnyGame& position) {
  const auto solver = engine::make_exact_solver(position, std::size_t{16} << 20U);
  engine::Patience patience(engine::Patience::TimePoint::max());
  REQUIRE(solver->run(patience));
  return solver->moves();
}

}  // namespace pitboss::tests
