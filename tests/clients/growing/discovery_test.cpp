#include "clients/growing/discovery.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <set>

#include "engine/policy/features/atomic_features.hpp"
#include "engine/policy/features/feature_set.hpp"
#include "tests/games/set_up.hpp"

// Expert iteration's parts: what is learned from positions, and which features are found in them.

namespace pitboss::clients {
namespace {

/// A set without weights, of features in lines.
engine::FeatureSet set_of(const std::string& game, const std::vector<std::string>& features) {
  std::string text = "pitboss features 1\ngame " + game + "\n";
  for (const std::string& feature : features) text += "0 " + feature + "\n";
  return engine::parse_features(text);
}

/// Positions of random games with random visits, matched with the set.
std::vector<Sample> random_samples(const engine::FeatureSet& set, int games, int every) {
  engine::FeatureMatcher matcher(
      std::make_shared<const engine::FeaturePlan>(set, engine::feature_game(set)));
  games::Random random(1);
  std::vector<Sample> samples;
  for (int i = 0; i < games; ++i) {
    const auto position = games::game_of(set.game);
    for (int ply = 1; !position->result().finished(); ++ply) {
      std::map<std::string, double> visits;
      for (const std::string& move : position->legal_moves()) {
        if (random.below(3) == 0) visits[move] = 1 + random.below(20);
      }
      if (ply % every == 0 && !visits.empty()) {
        samples.push_back(sample_of(*position, visits));
        match(samples.back(), matcher);
      }
      position->play(position->random_move(random));
    }
  }
  return samples;
}

engine::FeatureSet atomic_set(const std::string& game) {
  engine::FeatureSet set;
  set.game = game;
  set.features = engine::atomic_features(engine::feature_game(*games::game_of(game)));
  set.weights.resize(set.features.size());
  return set;
}

Instances instances_of(const engine::FeatureSet& set) {
  Instances instances(engine::feature_game(set));
  for (const auto& feature : set.features) instances.add(feature);
  return instances;
}

std::vector<double> random_weights(std::size_t count) {
  games::Random random(2);
  std::vector<double> weights;
  for (std::size_t i = 0; i < count; ++i) weights.push_back(2 * random.uniform() - 1);
  return weights;
}

TEST_CASE("add_gradient: as differences of the loss have it") {
  for (const std::string game : {"yavalath", "breakthrough", "fanorona", "teeko"}) {
    CAPTURE(game);
    const engine::FeatureSet set = atomic_set(game);
    auto weights = random_weights(set.features.size());
    const auto samples = random_samples(set, 2, 5);
    REQUIRE(samples.size() > 2);
    for (const Sample& sample : samples) {
      std::vector<double> gradient(weights.size());
      add_gradient(sample, weights, gradient);
      for (std::size_t f = 0; f < weights.size(); ++f) {
        constexpr double by = 1e-4;
        const double weight = weights[f];
        weights[f] = weight + by;
        const double above = loss_of(sample, weights, 0.01);
        weights[f] = weight - by;
        const double below = loss_of(sample, weights, 0.01);
        weights[f] = weight;
        CHECK(gradient[f] + 2 * 0.01 * weight ==
              doctest::Approx((above - below) / (2 * by)).epsilon(1e-4));
      }
    }
  }
}

/// Pearson's correlation of two columns of numbers.
double correlation(const std::vector<double>& x, const std::vector<double>& y) {
  const auto mean = [](const std::vector<double>& all) {
    double sum = 0;
    for (const double one : all) sum += one;
    return sum / static_cast<double>(all.size());
  };
  const double mx = mean(x);
  const double my = mean(y);
  double xy = 0;
  double xx = 0;
  double yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (x[i] - mx) * (y[i] - my);
    xx += (x[i] - mx) * (x[i] - mx);
    yy += (y[i] - my) * (y[i] - my);
  }
  return xy / std::sqrt(xx * yy);
}

TEST_CASE("correlation_score: eq. 7 computed directly") {
  games::Random random(3);
  for (int i = 0; i < 50; ++i) {
    std::vector<double> one;
    std::vector<double> other;
    std::vector<double> both;
    std::vector<double> error;
    PairCounts counts{200, 0, 0, 0, 0, 0, 0};
    for (int n = 0; n < 200; ++n) {
      one.push_back(random.below(3) == 0 ? 1 : 0);
      other.push_back(random.below(2));
      both.push_back(one.back() * other.back());
      error.push_back(random.uniform() - 0.5 + 0.3 * both.back());
      counts.one += one.back();
      counts.other += other.back();
      counts.both += both.back();
      counts.error += error.back();
      counts.error_of_both += error.back() * both.back();
      counts.squares += error.back() * error.back();
    }
    const double expected =
        std::abs(correlation(both, error)) *
        (1 - std::max(std::abs(correlation(both, one)), std::abs(correlation(both, other))));
    CHECK(*correlation_score(counts) == doctest::Approx(expected));
  }
  // What is always or never the case correlates with nothing.
  CHECK_FALSE(correlation_score({10, 10, 10, 10, 0, 0, 1}));
  CHECK_FALSE(correlation_score({10, 3, 10, 5, 1, 2, 3}));
  CHECK_FALSE(correlation_score({10, 0, 2, 5, 0, 2, 3}));
  CHECK_FALSE(correlation_score({10, 2, 3, 5, 0, 0, 0}));
  // If the pair is there whenever the first is, it tells nothing new.
  for (int n = 2; n < 60; ++n) {
    CHECK(*correlation_score({60., 1. * n, 1. * n, 59, 1, 0.5, 3}) == 0);
  }
}

TEST_CASE("Instances: two that match a move make a feature that is active there") {
  games::Random random(4);
  for (const std::string game : {"yavalath", "othello", "breakthrough", "fanorona", "teeko"}) {
    CAPTURE(game);
    const engine::FeatureSet set = atomic_set(game);
    Instances instances = instances_of(set);
    std::set<engine::MoveFeature> found;
    int from_both = 0;
    for (const Sample& sample : random_samples(set, 2, 9)) {
      for (std::size_t move = 0; move < sample.moves.size(); move += 5) {
        const auto all = instances.matching(sample, move);
        for (int i = 0; i < 10 && !all.empty(); ++i) {
          const auto& one =
              all[static_cast<std::size_t>(random.below(static_cast<int>(all.size())))];
          const auto& other =
              all[static_cast<std::size_t>(random.below(static_cast<int>(all.size())))];
          const auto number = instances.merged(one, other, sample.moves[move]);
          CHECK(number == instances.merged(other, one, sample.moves[move]));
          if (!number) continue;
          const engine::MoveFeature& feature = instances.candidate(*number);
          CHECK_FALSE(instances.has(feature));
          CHECK(engine::canonical(feature, instances.game().rotations()) == feature);
          // On the Alquerque board walks are rounded, and a merged one may lead elsewhere.
          if (game != "fanorona") {
            CHECK(
                engine::is_active(instances.game(), sample.contents, sample.moves[move], feature));
          }
          from_both += feature.to && feature.from ? 1 : 0;
          found.insert(feature);
        }
      }
    }
    CHECK(found.size() > 20);
    CHECK((from_both > 0) == instances.game().moves_men);
  }
}

/// One position of yavalath by hand: black has two stones in line, white is to move, and the search
/// of white's moves visits only the two ends.
struct ByHand {
  ByHand() { visit("d5 a1 e5", {{"c5", 50.}, {"f5", 50.}}); }
  void visit(const std::string& moves, const std::map<std::string, double>& visits) {
    const auto position = games::game_of("yavalath");
    games::play_all(*position, moves);
    sample = sample_of(*position, visits);
    engine::FeatureMatcher matcher(
        std::make_shared<const engine::FeaturePlan>(set, engine::feature_game(set)));
    match(sample, matcher);
  }
  [[nodiscard]] std::string found(Strategy strategy, std::uint64_t seed) {
    games::Random random(seed);
    const std::vector<Weighed> batch{{&sample, weights}};
    Instances instances = instances_of(set);
    const auto feature = discover(strategy, batch, instances, random);
    return feature ? engine::text_of(*feature, "XO") : "none";
  }

  engine::FeatureSet set = set_of("yavalath", {"to {}; enemy {0}", "to {}; enemy {0, 0}",
                                               "to {}; off {0}", "to {}; off {0, 0}"});
  Sample sample;
  std::vector<double> weights = std::vector<double>(4);
};

TEST_CASE("discover: by correlation, both stones of the line at once") {
  ByHand hand;
  CHECK(hand.found(Strategy::correlation, 1) == "to {}; enemy {0}; enemy {0, 0}");
  CHECK(hand.found(Strategy::correlation, 2) == hand.found(Strategy::correlation, 1));
}

TEST_CASE("discover: of the move that is most wrong, its only pair") {
  ByHand hand;
  // c5 and f5 are most wrong; only two instances match each.
  CHECK(hand.found(Strategy::combine_random, 1) == "to {}; enemy {0}; enemy {0, 0}");
  CHECK(hand.found(Strategy::combine_max, 1) == "to {}; enemy {0}; enemy {0, 0}");
  // If all visits are the corner's, that is most wrong, where nothing but rims match.
  hand.visit("d5 a1 e5", {{"a5", 1.}});
  CHECK(hand.found(Strategy::combine_random, 1).find("enemy") == std::string::npos);
}

TEST_CASE("discover: combine-max takes the heaviest feature, random ones anything") {
  ByHand hand;
  hand.visit("a4 e1 b6", {{"a5", 1.}});  // black's, round a5, a corner
  const auto has_enemy = [](const std::string& feature) {
    return feature.find("enemy") != std::string::npos;
  };
  std::set<std::string> by_weight;
  std::set<std::string> at_random;
  std::set<std::string> of_any;
  hand.weights = {0.1, 0, 0, 0};
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    by_weight.insert(hand.found(Strategy::combine_max, seed));
    at_random.insert(hand.found(Strategy::combine_random, seed));
    of_any.insert(hand.found(Strategy::random, seed));
  }
  // a5 has enemies at two sides and the rim at three.
  CHECK(std::ranges::all_of(by_weight, has_enemy));
  CHECK(std::ranges::any_of(at_random, std::not_fn(has_enemy)));
  CHECK(by_weight.size() > 2);
  CHECK(at_random.size() > by_weight.size() / 2);
  CHECK(of_any.size() > 5);
}

TEST_CASE("discover: none where nothing new can be made") {
  ByHand hand;
  hand.set = set_of("yavalath", {"to {}"});
  hand.visit("d5 a1 e5", {{"c5", 1.}});
  for (const Strategy strategy :
       {Strategy::random, Strategy::combine_random, Strategy::combine_max, Strategy::correlation}) {
    CHECK(hand.found(strategy, 1) == "none");
  }
}

}  // namespace
}  // namespace pitboss::clients
