// The networks of the authors of Novelty in Monte Carlo Tree Search, for those who have them: they
// have no licence, so that they are not here.

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>

#include "clients/networks/djl.hpp"
#include "engine/leaf/network/evaluate_reference.hpp"
#include "engine/leaf/network/network_interface.hpp"
#include "games/all_games.hpp"
#include "games/boxed_game.hpp"
#include "tests/games/set_up.hpp"

namespace pitboss::clients {
namespace {

namespace fs = std::filesystem;

/// What a network says of the initial position: the values of black and white, and probabilities.
struct Expected {
  std::string game;
  std::string file;  ///< without what follows a dot
  std::array<double, 2> values;
  std::vector<std::pair<std::string, double>> policy;
};

// Computed in double precision by a program of its own. The authors' white is black here in
// connect4, breakthrough and knightthrough.
const std::vector<Expected> expectations{
    {"connect4",
     "network_53_65_c4_6x7",
     {.53448, .46552},
     {{"a1", .0863},
      {"b1", .2273},
      {"c1", .1082},
      {"d1", .1511},
      {"e1", .1105},
      {"f1", .2179},
      {"g1", .0988}}},
    {"othello",
     "network_8x8_oth",
     {.56471, .43529},
     {{"e3", .2860}, {"d6", .2632}, {"c5", .2288}, {"f4", .2166}}},
    {"breakthrough", "network_8x8_bt", {.55533, .44467}, {{"g2g3", .4603}, {"b2b3", .4495}}},
    {"knightthrough", "network_8x8_kt", {.57867, .42133}, {{"f1e3", .2674}, {"c1d3", .2453}}},
    {"atarigo", "network_7x7_atarigo", {.64162, .35838}, {{"d4", .9996}}},
    {"gomoku", "network_9x9_gomoku3", {.53666, .46334}, {{"e5", .99988}}},
};

std::string bytes_of(const fs::path& folder, const std::string& name) {
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string found = entry.path().filename();
    if (found == name || found.starts_with(name + ".")) {
      return engine::read_network_bytes(entry.path());
    }
  }
  FAIL("there is no file " << name);
  return "";
}

std::vector<double> softmax(const std::vector<float>& logits) {
  std::vector<double> shares;
  double sum = 0;
  for (const float logit : logits) sum += shares.emplace_back(std::exp(logit));
  for (double& share : shares) share /= sum;
  return shares;
}

/// The entry of the policy for a move of one part.
int entry_of(const games::AnyGame& game, const std::string& move) {
  int entry = -1;
  games::with_game(game.name(), [&]<class G>(std::type_identity<G>) {
    const G& inside = dynamic_cast<const games::BoxedGame<G>&>(game).game();
    games::MoveList<G::max_moves> moves;
    inside.legal_moves(moves);
    for (const auto m : moves) {
      if (inside.text(m) == move) entry = *inside.policy_parts(m).begin();
    }
  });
  REQUIRE(entry >= 0);
  return entry;
}

void check(const Expected& expected, const fs::path& folder) {
  CAPTURE(expected.game);
  const auto game = games::game_of(expected.game);
  const auto file = read_djl(bytes_of(folder, expected.file), *game);
  std::vector<float> values(file.shape.values);
  std::vector<float> policy(file.shape.policy);
  evaluate_reference(file.shape, file.tensors, game->planes().data(), 1, values.data(),
                     policy.data());
  const auto shares = softmax(values);
  CHECK(std::abs(shares[0] - expected.values[0]) < 1e-4);
  CHECK(std::abs(shares[1] - expected.values[1]) < 1e-4);
  const auto priors = softmax(policy);
  for (const auto& [move, prior] : expected.policy) {
    CAPTURE(move);
    CHECK(std::abs(priors[entry_of(*game, move)] - prior) < 1e-4);
  }
}

TEST_CASE("read_djl: the authors' networks of the initial positions") {
  const char* const folder = std::getenv("PITBOSS_DJL_NETWORKS");
  if (!folder) {
    MESSAGE("skipped: PITBOSS_DJL_NETWORKS is not set");
    return;
  }
  for (const Expected& expected : expectations) check(expected, folder);
}

}  // namespace
}  // namespace pitboss::clients
