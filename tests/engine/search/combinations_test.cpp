#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/leaf/network/network_interface.hpp"
#include "engine/leaf/network/networks.hpp"
#include "engine/leaf/network/random_weights.hpp"
#include "engine/policy/features/atomic_features.hpp"
#include "engine/policy/features/feature_sets.hpp"
#include "tests/documents.hpp"
#include "tests/engine/search/searching.hpp"

// docs/combinations.md, from what searches accept and do.

using namespace pitboss;
using namespace pitboss::engine;

namespace {

/// Ways to evaluate leaves and to choose moves: the columns.
struct Method {
  std::string_view name;
  std::string_view options;
};
constexpr std::array methods{
    Method{"UCT, static values", "evaluation=static"},
    Method{"UCT, playouts", "evaluation=playout"},
    Method{"ME-MCTS, static values", "evaluation=static estimators=history,global"},
    Method{"ME-MCTS, playouts", "evaluation=playout estimators=history,global"},
    Method{"PUCT, static values", "evaluation=static selection=puct"},
    Method{"PUCT, network", "evaluation=network network=net selection=puct"},
    Method{"UCT, network", "evaluation=network network=net"},
    Method{"ME-MCTS, network", "evaluation=network network=net estimators=history,global"},
    Method{"PUCT, features, playouts",
           "evaluation=playout selection=puct features=set prior=features"},
};

/// What may be added to each: the rows.
constexpr std::array parts{"novelty=pseudocount",
                           "novelty=pseudocount-features",
                           "novelty=evaluation",
                           "novelty=threshold",
                           "novelty=evaluation-features",
                           "novelty=threshold-features",
                           "solver=true",
                           "relative_bonus=true",
                           "qualitative_bonus=true",
                           "playout=informed",
                           "playout=features features=set",
                           "prior=features features=set",
                           "prior=none",
                           "mast=0.3",
                           "virtual_samples=false",
                           "virtual_value=0.3",
                           "evaluation_noise=0.1",
                           "prior_mask=all",
                           "prior_temperature=2",
                           "root_noise=0.25",
                           "final_move=value",
                           "final_move=prior",
                           "reuse_tree=true",
                           "reuse_tree=true ponder=true",
                           "threads=2"};

/// What came of a search: what refused it, or what it found.
struct Outcome {
  std::string refusal;
  std::string found;
};

/// The game's atomic features, every other one to be avoided.
LoadedFeatures atomic_set(const games::AnyGame& game) {
  LoadedFeatures loaded{"set", "", {}};
  loaded.set.game = game.name();
  loaded.set.features = atomic_features(feature_game(game));
  for (std::size_t i = 0; i < loaded.set.features.size(); ++i) {
    loaded.set.weights.push_back(i % 2 == 0 ? 1.F : -1.F);
  }
  return loaded;
}

/// A game, its network and its features.
class Place {
 public:
  explicit Place(std::string_view name, std::string_view parameters = "")
      : game(games::make_game(name, games::parse_parameters(parameters))) {
    const auto [planes, rows, columns, policy, values] = network_interface(*game);
    const auto shape = NetworkShape::paper(planes, rows, columns, policy, values);
    models_.networks = std::make_shared<Networks>(std::make_shared<const LoadedNetwork>(
        "net", random_network(*game, shape, 1), "", Networks::default_cache_bytes));
    models_.feature_sets = std::make_shared<FeatureSets>(atomic_set(*game));
  }

  /// What a search of `start` finds, and the next one of the same game after two plies.
  [[nodiscard]] Outcome search(const games::AnyGame& start, const std::string& text) const {
    Outcome outcome;
    const auto position = start.clone();
    try {
      const auto search = make_search(*game, models_);
      const Options options = tests::options_of("tree_mb=1 simulations=100 " + text);
      for (int ply = 0; ply < 4 && !position->result().finished(); ply += 2) {
        const Report report = tests::search_on(*search, *position, ply, options);
        outcome.found += fingerprint(report);
        for (std::size_t i = 0; i < 2 && i < report.pv.size(); ++i) position->play(report.pv[i]);
      }
    } catch (const BadOption& bad) {
      outcome.refusal = bad.what();
    }
    return outcome;
  }
  [[nodiscard]] std::string refusal(const std::string& text) const {
    return search(*game, text).refusal;
  }

  std::unique_ptr<games::AnyGame> game;

 private:
  static std::string fingerprint(const Report& report) {
    std::string text = report.move;
    for (const MoveReport& m : report.moves) {
      text += " " + m.move + " " + std::to_string(m.visits) + " " + std::to_string(m.value);
    }
    return text;
  }

  Models models_;
};

/// Positions of random games, the first ones near their ends, where a solver proves something.
std::vector<std::unique_ptr<games::AnyGame>> positions_of(const games::AnyGame& game) {
  std::vector<std::unique_ptr<games::AnyGame>> positions;
  for (std::size_t plies_left = 4; plies_left <= 12; plies_left += 2) {
    games::Random random(plies_left);
    std::vector<std::unique_ptr<games::AnyGame>> line;
    line.push_back(game.clone());
    while (!line.back()->result().finished()) {
      line.push_back(line.back()->clone());
      line.back()->play(line.back()->random_move(random));
    }
    positions.push_back(std::move(line.at(std::max(line.size(), plies_left) - plies_left)));
  }
  return positions;
}

/// The sentences that refuse, in the order in which they are numbered.
class Sentences {
 public:
  std::size_t number(const std::string& sentence) {
    const auto found = std::ranges::find(list_, sentence);
    if (found != list_.end()) return found - list_.begin() + 1;
    list_.push_back(sentence);
    return list_.size();
  }
  [[nodiscard]] std::string text() const {
    std::string text;
    for (std::size_t i = 0; i < list_.size(); ++i) {
      text += std::to_string(i + 1) + ". " + list_[i] + "\n";
    }
    return text;
  }

 private:
  std::vector<std::string> list_;
};

std::string joined(std::string_view method, std::string_view part) {
  return std::string(method) + " " + std::string(part);
}

}  // namespace

TEST_CASE("docs: which parts of a search go together") {
  const Place place("breakthrough", "size=5");
  const auto positions = positions_of(*place.game);
  Sentences sentences;
  std::string table = "| |";
  for (const Method& method : methods) table += " " + std::string(method.name) + " |";
  table += "\n|---|";
  for (std::size_t i = 0; i < methods.size(); ++i) table += "---|";
  for (const std::string_view part : parts) {
    table += "\n| `" + std::string(part) + "` |";
    for (const Method& method : methods) {
      std::string refusal;
      // Threads and pondering change searches in ways that do not repeat, or later ones.
      bool has_effect = part == "threads=2" || part.ends_with("ponder=true");
      for (const auto& position : positions) {
        const Outcome without = place.search(*position, std::string(method.options));
        const Outcome with = place.search(*position, joined(method.options, part));
        REQUIRE(without.refusal.empty());
        refusal = with.refusal;
        has_effect |= with.found != without.found;
      }
      table += refusal.empty() ? (has_effect ? " yes |" : " no effect |")
                               : " refused (" + std::to_string(sentences.number(refusal)) + ") |";
    }
  }
  tests::check_generated("combinations.md", "methods", table + "\n\n" + sentences.text());
}

TEST_CASE("docs: parts that go with a method go with it together") {
  const Place place("breakthrough", "size=5");
  for (const Method& method : methods) {
    CAPTURE(method.name);
    for (const std::string_view one : parts) {
      const std::string with_one = joined(method.options, one);
      if (!place.refusal(with_one).empty()) continue;
      for (const std::string_view other : parts) {
        CAPTURE(one);
        CAPTURE(other);
        CHECK(place.refusal(joined(with_one, other)) ==
              place.refusal(joined(method.options, other)));
      }
    }
  }
}

TEST_CASE(
    "docs: every selection rule goes with what ucb1-tuned goes with, tuned with what static does") {
  const Place place("connect4");
  for (const std::string_view part : parts) {
    CAPTURE(part);
    for (const Method& method : methods) {
      for (const SelectionRow& rule : selection_rows()) {
        CHECK(place.refusal(joined(method.options, part)) ==
              place.refusal(
                  joined(joined(method.options, part), "selection=" + std::string(rule.name))));
      }
    }
    CHECK(place.refusal(joined("evaluation=static", part)) ==
          place.refusal(joined("evaluation=tuned", part)));
  }
}

TEST_CASE("docs: what games lack") {
  std::map<std::string, std::string> games_by_sentence;
  std::vector<std::string> order;
  for (const auto name : games::game_names()) {
    const Place place(name);
    std::vector<std::string> seen;
    const auto try_out = [&](const std::string& options) {
      std::string refusal = place.refusal(options + " simulations=1");
      const auto at = refusal.find(name);
      if (at == std::string::npos) return;  // none, or of no game
      refusal.replace(at, name.size(), "GAME");
      if (std::ranges::count(seen, refusal) > 0) return;
      seen.push_back(refusal);
      std::string& list = games_by_sentence[refusal];
      if (list.empty()) order.push_back(refusal);
      list += (list.empty() ? "" : ", ") + std::string(name);
    };
    for (const Method& method : methods) {
      try_out(std::string(method.options));
      for (const std::string_view part : parts) try_out(joined(method.options, part));
    }
    try_out("evaluation=playout estimators=history,3x3");
  }
  std::string table = "| refusal | games |\n|---|---|\n";
  for (const std::string& sentence : order) {
    table += "| " + sentence + " | " + games_by_sentence[sentence] + " |\n";
  }
  tests::check_generated("combinations.md", "games", table);
}
