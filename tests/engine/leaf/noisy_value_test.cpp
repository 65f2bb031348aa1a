#include "engine/leaf/noisy_value.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

#include "engine/leaf/static_value.hpp"
#include "games/all_games.hpp"
#include "tests/engine/leaf/evaluating.hpp"
#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;

namespace {

/// Different unfinished positions of random games.
template <games::Game G>
std::vector<G> unfinished_positions(std::size_t count, const games::Parameters& parameters = {}) {
  games::Random random(3);
  std::unordered_set<std::uint64_t> seen;
  std::vector<G> positions;
  while (positions.size() < count) {
    for (G game = initial_position<G>(parameters);
         !game.result().finished() && positions.size() < count;
         game.play(games::random_move(game, random))) {
      if (seen.insert(games::position_hash(game)).second) positions.push_back(game);
    }
  }
  return positions;
}

/// What static values, with the errors that options ask for, take a position to be worth.
template <games::Game G>
class Judge {
 public:
  Judge() : evaluator_(std::make_unique<StaticEvaluator<G>>()) {}
  explicit Judge(const std::string& options)
      : evaluator_(std::make_unique<NoisyEvaluator<G>>(std::make_unique<StaticEvaluator<G>>(),
                                                       options_of(options))) {}
  games::Values<G> of(const G& position) { return values_by(*evaluator_, position, random_); }

 private:
  std::unique_ptr<Evaluator<G>> evaluator_;
  games::Random random_{1};
};

/// Mean, deviation and share within one deviation of what the errors of a colour should be.
struct Errors {
  double sum = 0;
  double squares = 0;
  double within = 0;
  double count = 0;

  void add(double error, double deviation) {
    sum += error;
    squares += error * error;
    within += std::abs(error) < deviation ? 1 : 0;
    count += 1;
  }
  void check(double deviation) const {
    const double root = std::sqrt(count);
    CHECK(std::abs(sum / count) < 4 * deviation / root);
    CHECK(std::sqrt(squares / count) ==
          doctest::Approx(deviation).epsilon(4 / root / std::sqrt(2)));
    CHECK(std::abs(within / count - 0.6827) < 4 * std::sqrt(0.6827 * 0.3173) / root);
  }
};

}  // namespace

TEST_CASE("evaluation_noise: errors are normal with mean 0 and the deviation that was set") {
  using G = games::Breakthrough;  // whose values lie near 1/2, far from where they are cut
  const auto positions = unfinished_positions<G>(20000);
  Judge<G> exact;
  for (const double deviation : {0.001, 0.02, 0.05}) {
    CAPTURE(deviation);
    Judge<G> noisy("evaluation_noise=" + std::to_string(deviation));
    Errors errors;
    for (const G& position : positions) {
      const auto values = noisy.of(position);
      errors.add(values[0] - exact.of(position)[0], deviation);
      CHECK(values[0] + values[1] == doctest::Approx(1));
    }
    errors.check(deviation);
  }
}

TEST_CASE("evaluation_noise: of more players each has errors of that deviation, together 0") {
  using G = games::Rolit;
  constexpr double deviation = 0.01;
  for (const char* players : {"2", "3", "4"}) {
    CAPTURE(players);
    games::Parameters parameters;
    parameters.set("players", players);
    Judge<G> exact;
    Judge<G> noisy("evaluation_noise=" + std::to_string(deviation));
    std::array<Errors, G::players> errors;
    const auto positions = unfinished_positions<G>(5000, parameters);
    const int seats = games::seats_of(positions.front());
    for (const G& position : positions) {
      const auto before = exact.of(position);
      const auto after = noisy.of(position);
      double sum = 0;
      for (int c = 0; c < seats; ++c) sum += after[c];
      for (int c = seats; c < G::players; ++c) CHECK(after[c] == before[c]);
      if (std::ranges::any_of(std::span(before).first(seats),
                              [](double v) { return v < 0.1 || v > 0.9; })) {
        continue;  // may have been cut
      }
      CHECK(sum == doctest::Approx(1));
      for (int c = 0; c < seats; ++c) errors[c].add(after[c] - before[c], deviation);
    }
    for (int c = 0; c < seats; ++c) {
      CHECK(errors[c].count > 1000);
      errors[c].check(deviation);
    }
  }
}

TEST_CASE("evaluation_noise: an error follows from the seed and the position alone") {
  using G = games::Othello;
  const auto positions = unfinished_positions<G>(500);
  Judge<G> one("seed=7 evaluation_noise=0.05");
  Judge<G> again("seed=7 evaluation_noise=0.05");
  Judge<G> other("seed=8 evaluation_noise=0.05");
  std::vector<games::Values<G>> first;
  for (const G& position : positions) first.push_back(one.of(position));
  for (std::size_t i = positions.size(); i-- > 0;) {  // in another order, and once more
    CHECK(again.of(positions[i]) == first[i]);
    CHECK(again.of(positions[i]) == first[i]);
    CHECK(other.of(positions[i]) != first[i]);
  }
}

TEST_CASE("evaluation_noise: values stay in [0, 1], results are exact, and 0 is no error") {
  games::AllGames::for_each([]<class G>(std::type_identity<G>) {
    if constexpr (games::HasStaticValue<G>) {
      CAPTURE(G::name);
      Judge<G> exact;
      Judge<G> off("evaluation_noise=0");
      Judge<G> wild("evaluation_noise=1");
      G ending = initial_position<G>();
      games::Random random(1);
      int cut = 0;
      for (; !ending.result().finished(); ending.play(games::random_move(ending, random))) {
        CHECK(off.of(ending) == exact.of(ending));
        for (const double v : wild.of(ending)) {
          CHECK(v >= 0);
          CHECK(v <= 1);
          cut += v == 1 ? 1 : 0;
        }
      }
      CHECK(cut > 0);
      CHECK(wild.of(ending) == exact.of(ending));
    }
  });
}

TEST_CASE("evaluation_noise: a seed gives the same search, another one another") {
  const auto game = games::make_game("connect4");
  for (const char* more : {"", " evaluation=tuned", " novelty=pseudocount-features alpha=0.1",
                           " novelty=evaluation alpha=0.1", " estimators=history,global"}) {
    CAPTURE(more);
    const auto found = [&](const char* options) {
      return visits(searched(*game, options_of("simulations=500 " + std::string(options) + more)));
    };
    CHECK(found("seed=1 evaluation_noise=0.1") == found("seed=1 evaluation_noise=0.1"));
    CHECK(found("seed=1 evaluation_noise=0.1") != found("seed=2 evaluation_noise=0.1"));
    CHECK(found("seed=1 evaluation_noise=0.1") != found("seed=1"));
    CHECK(found("seed=1 evaluation_noise=0") == found("seed=1"));
  }
}

TEST_CASE("evaluation_noise: searches of every game with static values have it") {
  int games = 0;
  for (const std::string_view name : games::game_names()) {
    CAPTURE(name);
    const auto game = games::make_game(name);
    try {
      check_options(*game, options_of("evaluation_noise=0.1"));
    } catch (const BadOption&) {
      continue;  // no static values
    }
    ++games;
    const auto found = [&](const std::string& noise) {
      return searched(*game, options_of("simulations=300 " + noise)).moves.front().value;
    };
    CHECK(found("evaluation_noise=0") == found(""));
    CHECK(found("evaluation_noise=0.1") != found(""));
  }
  CHECK(games > 9);
}

TEST_CASE("evaluation_noise is refused where there is no static value to be wrong about") {
  const auto game = games::make_game("breakthrough");
  CHECK_THROWS_WITH_AS(check_options(*game, options_of("evaluation=playout evaluation_noise=0.1")),
                       "evaluation_noise is an error of static values: set evaluation to static, "
                       "or evaluation_noise to 0",
                       BadOption);
  check_options(*game, options_of("evaluation=tuned evaluation_noise=0.1"));
  Options options = options_of("evaluation_noise=0.1");
  set_option(options, "preset", "uct");  // which plays out
  check_options(*game, options);
}
