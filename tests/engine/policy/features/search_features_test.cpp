#include "engine/policy/features/search_features.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>

#include "engine/leaf/network/network_interface.hpp"
#include "engine/leaf/network/networks.hpp"
#include "engine/leaf/network/random_weights.hpp"
#include "engine/policy/features/atomic_features.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/engine/search/searching.hpp"
#include "tests/games/set_up.hpp"

// Features in searches: priors, playouts, files.

namespace pitboss::engine {
namespace {

/// Wins and losses of yavalath (sec. V).
constexpr std::string_view yavalath =
    "pitboss features 1\n"
    "game yavalath\n"
    "100 to {}; friend {0}; friend {1/2}; friend {1/2, 0}\n"
    "-10 to {}; friend {0}; friend {0, 0}\n"
    "-10 to {}; friend {0}; friend {1/2}\n";

Models models_of(std::string_view text) {
  Models models;
  models.feature_sets =
      std::make_shared<FeatureSets>(LoadedFeatures{"f", "hash", parse_features(text)});
  return models;
}

Report search_of(const games::AnyGame& game, const Models& models, const std::string& options) {
  return tests::search_on(*make_search(game, models), game, 0,
                          tests::options_of("simulations=200 seed=1 tree_mb=4 " + options));
}

std::string refusal(const games::AnyGame& game, const Models& models, const std::string& options) {
  try {
    static_cast<void>(search_of(game, models, options));
  } catch (const BadOption& bad) {
    return bad.what();
  }
  return "none";
}

/// Black has c5, e5 and f5: d5 makes four, which wins, and g5 three, which loses.
std::unique_ptr<games::AnyGame> position() {
  auto game = games::game_of("yavalath");
  games::play_all(*game, "c5 a1 e5 a3 f5 c1");
  return game;
}

TEST_CASE("prior=features: the softmax of the weights, tried first, told and reported") {
  const auto game = position();
  const Report report = search_of(*game, models_of(yavalath), "prior=features features=f");
  CHECK(report.move == "d5");
  REQUIRE(report.features);
  CHECK(report.features->name == "f");
  CHECK(report.features->sha256 == "hash");
  std::map<std::string, double> priors;
  for (const MoveReport& move : report.moves) {
    REQUIRE(move.prior);
    priors[move.move] = *move.prior;
  }
  CHECK(priors.at("d5") == doctest::Approx(1));
  CHECK(priors.at("g5") < 1e-20);
  const Report one =
      search_of(*game, models_of(yavalath), "simulations=1 prior=features features=f");
  CHECK(one.move == "d5");  // the greedy player
  const Assessment assessment =
      make_search(*game, models_of(yavalath))
          ->evaluate(*game, tests::options_of("prior=features features=f prior_temperature=10"));
  CHECK(assessment.policy.size() == game->legal_moves().size());
  std::map<std::string, double> policy(assessment.policy.begin(), assessment.policy.end());
  CHECK(policy.at("g5") / policy.at("a5") == doctest::Approx(std::exp(-10 / 10.)));
  CHECK(assessment.features->name == "f");
}

TEST_CASE("final_move=prior: the sampling player draws moves by the linear policy") {
  const auto game = games::game_of("yavalath");
  const Models models = models_of("pitboss features 1\ngame yavalath\n4 to {}; off {0}\n");
  // 24 of the 61 points have an edge.
  const double share = 24 * std::exp(4.0) / (24 * std::exp(4.0) + 37);
  const auto search = make_search(*game, models);
  std::map<std::string, int> counts;
  int at_edge = 0;
  constexpr int searches = 2000;
  for (int seed = 1; seed <= searches; ++seed) {
    const Report report =
        tests::search_on(*search, *game, 0,
                         tests::options_of("simulations=1 tree_mb=1 prior=features features=f "
                                           "final_move=prior seed=" +
                                           std::to_string(seed)));
    ++counts[report.move];
    for (const MoveReport& move : report.moves) {
      if (move.move == report.move && *move.prior > 1.0 / 61) ++at_edge;
    }
  }
  CHECK(counts.size() > 24);
  const double deviation = std::sqrt(share * (1 - share) / searches);
  CHECK(std::abs(at_edge / static_cast<double>(searches) - share) < 4 * deviation);
  // Without priors the most visited move is played.
  CHECK(search_of(*game, models, "final_move=prior").move ==
        search_of(*game, models, "final_move=visits").move);
}

TEST_CASE("prior=features: a tree is not reused when the set has changed") {
  const auto game = games::game_of("yavalath");
  const Models models = models_of(yavalath);
  const auto search = make_search(*game, models);
  const Options options = tests::options_of(
      "simulations=200 seed=1 tree_mb=4 reuse_tree=true prior=features features=f");
  CHECK(tests::search_on(*search, *game, 0, options).reused == 0);
  CHECK(tests::search_on(*search, *game, 0, options).reused > 0);
  auto set = parse_features("pitboss features 1\ngame yavalath\n9 to {}; off {0}\n");
  auto plan = std::make_shared<const FeaturePlan>(set, feature_game(*game));
  models.feature_sets->replace({"f", "another hash", std::move(set)}, game->parameters().line(),
                               std::move(plan));
  CHECK(tests::search_on(*search, *game, 0, options).reused == 0);
  CHECK(tests::search_on(*search, *game, 0, options).reused > 0);
}

TEST_CASE("prior: the network's, none, or those of features with the network's values") {
  const auto game = games::game_of("yavalath");
  const auto [planes, rows, columns, policy, values] = network_interface(*game);
  const auto shape = NetworkShape::paper(planes, rows, columns, policy, values);
  Models models = models_of("pitboss features 1\ngame yavalath\n3 to {}; off {0}\n");
  models.networks = std::make_shared<Networks>(std::make_shared<const LoadedNetwork>(
      "net", random_network(*game, shape, 1), "", Networks::default_cache_bytes));
  const auto report = [&](const std::string& more) {
    return search_of(*game, models, "evaluation=network network=net selection=puct " + more);
  };
  const auto prior_of = [](const Report& r, const std::string& text) {
    for (const MoveReport& move : r.moves) {
      if (move.move == text) return move.prior.value_or(-1);
    }
    return -2.0;
  };
  const double middle = 1 / (61 - 24 + 24 * std::exp(3));
  CHECK(prior_of(report("prior=features features=f"), "e5") == doctest::Approx(middle));
  CHECK(prior_of(report("prior=none"), "e5") == doctest::Approx(1 / 61.));
  CHECK(prior_of(report("prior=network"), "e5") != doctest::Approx(1 / 61.));
  CHECK(report("prior=features features=f").network->evaluations > 0);
  CHECK_FALSE(report("features=f").features);  // named, and not used
}

TEST_CASE("playout=features: playouts follow the weights, all of them or their first move") {
  // Whatever white plays but d5, black's next move wins. No move is tried twice.
  const auto game = position();
  game->play("a5");
  const auto white_hopes = [&](const std::string& more) {
    const Report report = search_of(*game, models_of(yavalath),
                                    "evaluation=playout playout=features features=f "
                                    "virtual_samples=false simulations=50 " +
                                        more);
    double sum = 0;
    for (const MoveReport& move : report.moves) {
      if (move.move != "d5" && move.visits > 0) sum += move.value;
    }
    return sum;
  };
  CHECK(white_hopes("") == 0);
  CHECK(white_hopes("feature_moves=1") == 0);
  CHECK(white_hopes("playout=uniform") > 5);
}

TEST_CASE("playout=features: how many moves, MAST beside them, the same again") {
  const auto game = games::game_of("yavalath");
  const std::string options = "evaluation=playout playout=features features=f simulations=500 ";
  const auto visits = [&](const std::string& more) {
    return tests::visits(search_of(*game, models_of(yavalath), options + more));
  };
  CHECK(visits("") != visits("feature_moves=1"));
  CHECK(visits("feature_moves=1000") == visits(""));
  CHECK(visits("mast=0.5") != visits(""));
  CHECK(visits("") == visits(""));
}

TEST_CASE("features: what cannot be used is refused with a sentence") {
  const auto game = games::game_of("yavalath");
  const Models models = models_of(yavalath);
  CHECK(refusal(*game, models, "prior=features") ==
        "prior features needs a set of features: set the option features to its name");
  CHECK(refusal(*game, models, "evaluation=playout playout=features") ==
        "playout features needs a set of features: set the option features to its name");
  CHECK(refusal(*game, {}, "prior=features features=f") ==
        "there are no features: start pitbossd with --features FOLDER");
  CHECK(refusal(*game, models, "prior=features features=g") ==
        "there are no features 'g'; known: f");
  CHECK(refusal(*games::game_of("hex"), models, "prior=features features=f") ==
        "features f: the features are for yavalath, not for hex");
  CHECK(
      refusal(*game, models,
              "evaluation=playout playout=features features=f estimators=history,global") ==
      "estimators choose the moves of playouts, so features cannot: set playout to uniform, or to "
      "informed, which leaves them the tree only");
  // Named and not used: no other game minds.
  CHECK(refusal(*games::game_of("hex"), models, "evaluation=playout features=f") == "none");
}

TEST_CASE("FeatureSets: files by name, read anew when they have changed") {
  const clients::ScratchFolder folder;
  const auto write = [&](const std::string& name, std::string_view text) {
    std::ofstream(folder.path() / (name + ".features")) << text;
  };
  FeatureSets sets(folder.path());
  const FeatureGame game = feature_game(*games::game_of("yavalath"));
  const auto error = [&](const std::string& name) -> std::string {
    try {
      static_cast<void>(sets.get(name, game, ""));
    } catch (const BadFeatures& bad) {
      return bad.what();
    }
    return "none";
  };
  CHECK(error("three") ==
        "there are no features 'three', and the server's folder of features is empty");
  write("three", yavalath);
  const auto first = sets.get("three", game, "");
  CHECK(first.features->set.features.size() == 3);
  CHECK(sets.get("three", game, "").plan == first.plan);
  CHECK(sets.get("three", game, "swap=on").plan != first.plan);
  CHECK(sets.names() == std::vector<std::string>{"three"});
  CHECK(sets.names_for(game, "") == std::vector<std::string>{"three"});
  CHECK(error("../three").starts_with("there are no features '../three'"));
  write("three", std::string(yavalath) + "1 to {}; x {0}\n");
  CHECK(sets.names_for(game, "").empty());  // it cannot be used
  CHECK(error("three") ==
        "features three: line 6, column 10: expected off, empty, friend, enemy, piece or arity, "
        "not 'x {0}'");
  write("three", std::string(yavalath) + "1 to {}\n");
  CHECK(sets.get("three", game, "").features->set.features.size() == 4);
  write("long", std::string((1 << 20) + 1, '#'));
  CHECK(error("long") ==
        "cannot read " + (folder.path() / "long.features").string() + ": it is longer than 1 MiB");
  CHECK_THROWS_AS(static_cast<void>(FeatureSets(folder.path() / "none").names()), BadFeatures);
}

}  // namespace
}  // namespace pitboss::engine
