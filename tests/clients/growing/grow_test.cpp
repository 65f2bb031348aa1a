#include "clients/growing/grow.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "clients/growing/growing_policy.hpp"
#include "engine/policy/features/feature_sets.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/games/set_up.hpp"

// Whole runs, with few simulations.

namespace pitboss::clients {
namespace {

GrowSettings small(const std::string& game) {
  GrowSettings settings;
  settings.game = game;
  settings.games = 3;
  settings.simulations = 30;
  settings.discovery_batch = 30;
  return settings;
}

/// Positions of yavalath after 0 to 9 random moves, with as many visits of each move as `visits_of`
/// says.
template <class VisitsOf>
void remember_positions(GrowingPolicy& policy, games::Random& random, VisitsOf&& visits_of) {
  for (int plies = 0; plies < 10; ++plies) {
    const auto position = games::game_of("yavalath");
    for (int ply = 0; ply < plies; ++ply) position->play(position->random_move(random));
    if (position->result().finished()) continue;
    std::map<std::string, double> visits;
    for (const std::string& move : position->legal_moves()) {
      visits[move] = static_cast<double>(visits_of(move));
    }
    policy.remember(sample_of(*position, visits));
  }
}

std::vector<GrownGame> run(const GrowSettings& settings, const std::filesystem::path& folder,
                           int until = 1000) {
  std::vector<GrownGame> games;
  std::atomic<bool> stop = false;
  grow(settings, folder, stop, [&](const GrownGame& game) {
    games.push_back(game);
    stop = game.number >= until;
  });
  return games;
}

engine::FeatureSet set_in(const std::filesystem::path& folder, const std::string& number) {
  return engine::parse_features(engine::read_features_text(folder / (number + ".features")));
}

TEST_CASE("grow: a feature a game, then the heaviest are kept and only weights change") {
  for (const std::string game : {"breakthrough size=5", "yavalath"}) {
    CAPTURE(game);
    const ScratchFolder folder;
    GrowSettings settings = small(game);
    settings.keep = 5;
    settings.games_after = 2;
    const auto games = run(settings, folder.path());
    REQUIRE(games.size() == 5);
    const std::size_t atoms = set_in(folder.path(), "000").features.size();
    CHECK(games[0].features == atoms + 1);
    CHECK(games[2].features == atoms + 3);
    CHECK(games[3].features == 5);
    CHECK(games[4].features == 5);
    CHECK(games[4].feature.empty());
    const auto third = set_in(folder.path(), "003");
    const auto fourth = set_in(folder.path(), "004");
    const auto fifth = set_in(folder.path(), "005");
    CHECK(third.columns == 2);
    for (const auto& feature : fourth.features) {
      CHECK(std::ranges::count(third.features, feature) == 1);
    }
    CHECK(fourth.features == fifth.features);
    CHECK(fourth.weights != fifth.weights);
  }
}

TEST_CASE("grow: a run that was interrupted goes on to the same sets, and others are refused") {
  const ScratchFolder whole;
  const ScratchFolder parts;
  const GrowSettings settings = small("teeko");
  CHECK(run(settings, whole.path()).size() == 3);
  CHECK(run(settings, parts.path(), 1).size() == 1);
  // A game whose set was not written any more is played again.
  std::ofstream(parts / "games.jsonl", std::ios::app) << "{\"moves\":[\"a";
  CHECK(run(settings, parts.path(), 2).size() == 1);
  CHECK(run(settings, parts.path()).size() == 1);
  CHECK(run(settings, parts.path()).empty());
  for (const char* file : {"000.features", "001.features", "002.features", "003.features",
                           "games.jsonl", "settings.json"}) {
    CAPTURE(file);
    CHECK(read_text(whole / file) == read_text(parts / file));
  }
  GrowSettings other = settings;
  other.seed = 2;
  CHECK_THROWS_AS(run(other, parts.path()), UserError);
  std::filesystem::remove(parts / "games.jsonl");
  CHECK_THROWS_AS(run(settings, parts.path()), UserError);
}

TEST_CASE("grow: games at once, interrupted in the middle of a round") {
  const ScratchFolder whole;
  const ScratchFolder parts;
  GrowSettings settings = small("yavalath");
  settings.games = 5;
  settings.at_once = 2;
  settings.games_after = 2;
  const auto games = run(settings, whole.path());
  REQUIRE(games.size() == 7);
  CHECK(games[5].feature.empty());
  CHECK(games[6].features == games[4].features);
  std::filesystem::copy(whole.path(), parts.path(), std::filesystem::copy_options::recursive);
  // As if it had ended after the first set of the second round.
  for (const char* set : {"004", "005", "006", "007"}) {
    std::filesystem::remove(parts / (std::string(set) + ".features"));
  }
  const auto again = run(settings, parts.path());
  REQUIRE(again.size() == 5);
  CHECK(again.front().number == 3);
  for (const char* file : {"003.features", "005.features", "007.features", "games.jsonl"}) {
    CAPTURE(file);
    CHECK(read_text(whole / file) == read_text(parts / file));
  }
}

TEST_CASE("GrowingPolicy: learning comes near to what the visits say") {
  GrowSettings settings = small("yavalath");
  settings.step = 1;
  settings.by_colour = false;
  // White always wants the points at the rim.
  GrowingPolicy policy(
      engine::parse_features("pitboss features 1\ngame yavalath\n0 to {}; off {0}\n"), settings);
  games::Random random(1);
  remember_positions(policy, random, [](const std::string& move) {
    const bool is_corner = move == "a1" || move == "e9" || move == "j9";
    return is_corner ? 20 : 1;
  });
  const double before = policy.loss();
  for (int i = 0; i < 200; ++i) policy.learn(random);
  CHECK(policy.loss() < before - 0.1);
  CHECK(policy.set().weights[0] > 0.5);
  // At the best weight another step changes nothing.
  const float weight = policy.set().weights[0];
  policy.learn(random);
  CHECK(policy.set().weights[0] == doctest::Approx(weight).epsilon(0.001));
}

TEST_CASE("GrowingPolicy: remembered samples gain a new feature and lose a dropped one") {
  GrowSettings settings = small("yavalath");
  settings.step = 1;
  settings.lambda = 0;
  settings.by_colour = false;
  GrowingPolicy policy(
      engine::parse_features(
          "pitboss features 1\ngame yavalath\n0 to {}; off {0}\n0 to {}; friend {0}\n"),
      settings);
  games::Random random(1);
  remember_positions(policy, random, [&](const std::string&) { return 1 + random.below(20); });
  const auto before = policy.set().features;
  REQUIRE(policy.grow(random) != nullptr);
  const engine::FeatureSet grown = policy.set();
  REQUIRE(grown.features.size() == before.size() + 1);
  const double loss = policy.loss();
  policy.learn(random);
  CHECK(policy.loss() < loss);
  CHECK(grown.weights.back() == 0);
  CHECK(policy.set().weights.back() != 0);
  // Without features all moves are alike.
  policy.prune(0);
  CHECK(policy.set().features.empty());
  const double alike = policy.loss();
  policy.learn(random);
  CHECK(policy.loss() == alike);
}

}  // namespace
}  // namespace pitboss::clients
