#include "engine/leaf/quality_rewards.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include "games/all_games.hpp"
#include "games/random.hpp"
#include "tests/engine/search/searching.hpp"

using namespace pitboss;
using namespace pitboss::engine;
using namespace pitboss::tests;
using games::Colour;

namespace {

/// The end of a random game of G that one colour has won; other seeds, other games.
template <class G>
G won_game(Colour winner, std::uint64_t seed, const games::Parameters& parameters = {}) {
  games::Random random(seed + 1);
  for (;;) {
    G game = initial_position<G>(parameters);
    while (!game.result().finished()) game.play(games::random_move(game, random));
    if (game.result().won_by(winner)) return game;
  }
}

template <class G>
games::Values<G> results_of(const G& ending) {
  games::Values<G> values;
  for (int c = 0; c < G::players; ++c) values[c] = ending.result().share(static_cast<Colour>(c));
  return values;
}

Options with_bonus(std::string_view assignments) {
  return options_of("evaluation=playout " + std::string(assignments));
}

/// Mean and population's deviation, in two passes.
struct Moments {
  explicit Moments(const std::vector<double>& list) {
    for (const double x : list) mean += x / static_cast<double>(list.size());
    for (const double x : list) deviation += (x - mean) * (x - mean);
    deviation = std::sqrt(deviation / static_cast<double>(list.size()));
  }
  double mean = 0;
  double deviation = 0;
};

double covariance(const std::vector<double>& xs, const std::vector<double>& ys) {
  const Moments x(xs);
  const Moments y(ys);
  double sum = 0;
  for (std::size_t i = 0; i < xs.size(); ++i) sum += (xs[i] - x.mean) * (ys[i] - y.mean);
  return sum / static_cast<double>(xs.size());
}
double variance(const std::vector<double>& xs) { return covariance(xs, xs); }

}  // namespace

TEST_CASE("quality_bonus: the draft's formula") {
  struct Row {
    double k;
    double lambda;
    double b;  // -0.25 + 0.5 / (1 + e^(-k lambda)), computed apart
  };
  // The fourth: a table in the authors' program has the other sign there.
  for (const auto& [k, lambda, b] :
       {Row{2, 1, 0.19039853898894116}, Row{2, -1, -0.1903985389889412},
        Row{1.4, 0.5, 0.08409388608408308}, Row{8, 1.3, 0.24998478422154968},
        Row{0.4, 3, 0.13426239174950888}, Row{2.2, 0, 0}}) {
    CAPTURE(k);
    CHECK(quality_bonus(0.25, k * lambda) == doctest::Approx(b).epsilon(1e-12));
  }
  for (double x = -30; x <= 30; x += 0.37) {
    CHECK(std::abs(quality_bonus(0.25, x)) < 0.25);
    CHECK(quality_bonus(0.25, x) == doctest::Approx(0.25 * std::tanh(x / 2)).epsilon(1e-12));
    CHECK(quality_bonus(0.25, x) == doctest::Approx(-quality_bonus(0.25, -x)).epsilon(1e-12));
    CHECK(quality_bonus(0.25, x + 0.01) > quality_bonus(0.25, x));
  }
  // However large, it stays within the bound.
  CHECK(quality_bonus(0.25, 1e9) == 0.25);
  CHECK(quality_bonus(0.25, -1e9) == -0.25);
}

TEST_CASE("StandardisedBonus: the bonus follows from the values before") {
  StandardisedBonus wins;
  std::vector<double> added;
  games::Random random(1);
  for (int i = 0; i < 300; ++i) {
    const double x = 20 + random.below(30);
    if (i < 50) {
      CHECK(wins.earned(x, 0.5) == 0.25);  // too few to tell
    } else {
      const Moments before(added);
      const double lambda = (x - before.mean) / before.deviation;
      CHECK(wins.earned(x, 0.5) - 0.25 ==
            doctest::Approx(quality_bonus(0.25, 1.6 * lambda)).epsilon(1e-9));
    }
    wins.add(x, 1.6);
    added.push_back(x);
    const Moments after(added);
    CHECK(wins.mean() == doctest::Approx(after.mean).epsilon(1e-12));
    CHECK(wins.deviation() == doctest::Approx(after.deviation).epsilon(1e-9));
  }
  CHECK(wins.count() == 300);
  // All alike: nothing to tell apart.
  StandardisedBonus same;
  for (int i = 0; i < 100; ++i) same.add(7, 2);
  CHECK(same.earned(9, 0.5) == 0.25);
}

TEST_CASE("StandardisedBonus: by the draft from the second different value on") {
  StandardisedBonus wins;
  std::vector<double> added;
  games::Random random(1);
  for (int i = 0; i < 60; ++i) {
    const double x = i < 3 ? 20 : 20 + random.below(30);  // the first three are alike
    const Moments before(added);
    if (i <= 3) {
      CHECK(wins.earned(x, 0.5) == 0.25);
    } else {
      const double n = i;
      const double lambda = (x - before.mean) / (before.deviation * std::sqrt(n / (n - 1)));
      CHECK(wins.earned(x, 0.5) - 0.25 ==
            doctest::Approx(quality_bonus(0.25, 1.6 * lambda)).epsilon(1e-9));
    }
    wins.add(x, 1.6, true);
    added.push_back(x);
  }
  CHECK(Moments(added).deviation > 0);
}

TEST_CASE("AdaptiveBound: covariance over variance") {
  AdaptiveBound bound;
  std::vector<double> xs;
  std::vector<double> ys;
  games::Random random(3);
  for (int i = 0; i < 400; ++i) {
    if (i < 50) CHECK(bound.value(0.25) == 0.25);
    const double x = random.below(40);
    const bool won = random.below(40) < x;  // the longer the likelier
    bound.add(x, won);
    xs.push_back(x);
    ys.push_back(won ? x : 0);
  }
  const double expected = covariance(xs, ys) / variance(xs);
  CHECK(bound.value(0.25) == doctest::Approx(std::min(1.0, expected)).epsilon(1e-9));
  // What does not depend on X gives the share of wins (control variates).
  AdaptiveBound independent;
  for (int i = 0; i < 100000; ++i) independent.add(random.below(40), random.below(10) < 3);
  CHECK(independent.value(0.25) == doctest::Approx(0.3).epsilon(0.03));
}

TEST_CASE("AdaptiveBound: as large whether wins go along with much or with little") {
  AdaptiveBound much;
  AdaptiveBound little;
  games::Random random(3);
  for (int i = 0; i < 400; ++i) {
    const double x = random.below(40) - 20;
    const bool won = random.below(40) - 20 < x;
    much.add(x, won);
    little.add(-x, won);
  }
  CHECK(much.value(0.25) > 0.3);
  CHECK(little.value(0.25) == doctest::Approx(much.value(0.25)).epsilon(1e-9));
  // Of lengths, which are positive, those of the wins being the shorter ones.
  AdaptiveBound shorter;
  std::vector<double> xs;
  std::vector<double> ys;
  for (int i = 0; i < 400; ++i) {
    const double x = 1 + random.below(40);
    const bool won = x < 10;
    shorter.add(x, won);
    xs.push_back(x);
    ys.push_back(won ? x : 0);
  }
  CHECK(covariance(xs, ys) < 0);
  CHECK(shorter.value(0.25) == doctest::Approx(-covariance(xs, ys) / variance(xs)));
}

TEST_CASE("QualityRewards: relative bonus, per winner, old statistics first") {
  using G = games::Breakthrough;
  const G black = won_game<G>(Colour::black, 1);
  const G white = won_game<G>(Colour::white, 1);
  QualityRewards<G> rewards(0, Colour::black);
  rewards.set(with_bonus("relative_bonus=true kr=2"));
  games::Random random(1);
  std::vector<double> lengths;
  for (int i = 0; i < 200; ++i) {
    const int plies = 30 + random.below(20);
    auto values = results_of(black);
    rewards.add_to(values, black, black.result(), plies);
    double expected = 0;
    if (i >= 50) {
      const Moments before(lengths);
      expected = quality_bonus(0.25, 2 * (before.mean - plies) / before.deviation);
      CHECK(std::abs(expected) < 0.25);
    }
    CHECK(values[0] == doctest::Approx(1 + expected / 2).epsilon(1e-9));
    CHECK(values[1] == doctest::Approx(-expected / 2).epsilon(1e-9));
    lengths.push_back(plies);
  }
  // White's wins are another matter: none has been seen.
  auto values = results_of(white);
  rewards.add_to(values, white, white.result(), 10);
  CHECK(values[1] == 1);
  // A short win of black's counts more, a long one less.
  values = results_of(black);
  rewards.add_to(values, black, black.result(), 20);
  CHECK(values[0] > 1.05);
  values = results_of(black);
  rewards.add_to(values, black, black.result(), 80);
  CHECK(values[0] < 0.95);
}

TEST_CASE("QualityRewards: bonus_draft") {
  using G = games::Breakthrough;
  const G black = won_game<G>(Colour::black, 1);
  QualityRewards<G> rewards(0, Colour::black);
  rewards.set(with_bonus("relative_bonus=true kr=2 bonus_draft=true"));
  const auto reward_of = [&](int plies) {
    auto values = results_of(black);
    rewards.add_to(values, black, black.result(), plies);
    return values[0];
  };
  CHECK(reward_of(30) == 1);
  CHECK(reward_of(40) == 1);  // one value has no deviation
  // Of 30 and 40 the mean is 35 and the sample's deviation sqrt(50).
  CHECK(reward_of(28) ==
        doctest::Approx(1 + quality_bonus(0.25, 2 * 7 / std::sqrt(50.0)) / 2).epsilon(1e-12));
}

TEST_CASE("QualityRewards: qualitative bonus and both") {
  using G = games::Amazons;
  QualityRewards<G> quality(0, Colour::black);
  quality.set(with_bonus("qualitative_bonus=true kq=1.6"));
  QualityRewards<G> both(0, Colour::black);
  both.set(with_bonus("qualitative_bonus=true relative_bonus=true kr=2.2 kq=1.6"));
  std::vector<double> qualities;
  std::vector<double> lengths;
  games::Random random(1);
  for (std::uint64_t i = 0; i < 120; ++i) {
    const G ending = won_game<G>(Colour::white, i);
    const int plies = 40 + random.below(8);
    auto values = results_of(ending);
    quality.add_to(values, ending, ending.result(), plies);
    auto more = results_of(ending);
    both.add_to(more, ending, ending.result(), plies);
    if (i >= 50) {
      const Moments q(qualities);
      const Moments m(lengths);
      const double qb = quality_bonus(0.25, 1.6 * (ending.quality() - q.mean) / q.deviation);
      const double rb = quality_bonus(0.25, 2.2 * (m.mean - plies) / m.deviation);
      CHECK(values[1] == doctest::Approx(1 + qb / 2).epsilon(1e-9));
      CHECK(more[1] == doctest::Approx(1 + (qb + rb) / 2).epsilon(1e-9));
      CHECK(more[0] == doctest::Approx(-(qb + rb) / 2).epsilon(1e-9));
    }
    qualities.push_back(ending.quality());
    lengths.push_back(plies);
  }
}

TEST_CASE("QualityRewards: draws get nothing and are not counted") {
  using G = games::Othello;
  games::Random random(1);
  G drawn = initial_position<G>();
  while (!drawn.result().shared()) {
    drawn = initial_position<G>();
    while (!drawn.result().finished()) drawn.play(games::random_move(drawn, random));
  }
  const G won = won_game<G>(Colour::black, 5);
  QualityRewards<G> with(0, Colour::black);
  QualityRewards<G> without(0, Colour::black);
  for (auto* rewards : {&with, &without}) rewards->set(with_bonus("relative_bonus=true"));
  for (int i = 0; i < 100; ++i) {
    auto draw = results_of(drawn);
    with.add_to(draw, drawn, drawn.result(), 5 * i);
    CHECK(draw == games::Values<G>{0.5, 0.5});
    auto a = results_of(won);
    auto b = a;
    with.add_to(a, won, won.result(), 50 + i % 7);
    without.add_to(b, won, won.result(), 50 + i % 7);
    CHECK(a == b);
  }
}

TEST_CASE("QualityRewards: with more players the others bear the bonus in equal parts") {
  using G = games::Rolit;
  for (const char* players : {"2", "3", "4"}) {
    games::Parameters parameters;
    parameters.set("players", players);
    QualityRewards<G> rewards(0, Colour::red);
    rewards.set(with_bonus("qualitative_bonus=true"));
    int told_apart = 0;
    for (std::uint64_t i = 0; i < 200; ++i) {
      const G ending = won_game<G>(Colour::yellow, i, parameters);
      auto values = results_of(ending);
      rewards.add_to(values, ending, ending.result(), 60);
      double sum = 0;
      for (const double v : values) sum += v;
      CHECK(sum == doctest::Approx(1));
      CHECK(std::abs(values[1] - 1) < 0.125);
      if (values[1] != 1) ++told_apart;
      for (int c = 2; c < games::seats_of(ending); ++c) CHECK(values[c] == values[0]);
      for (int c = games::seats_of(ending); c < 4; ++c) CHECK(values[c] == 0);
    }
    CHECK(told_apart > 100);
  }
}

TEST_CASE("search: bonuses in every game, alone and with the other parts") {
  games::AllGames::for_each([]<class G>(std::type_identity<G>) {
    const auto game = games::make_game(G::name);
    const bool has_quality = games::HasQuality<G>;
    for (const char* rest :
         {"", "novelty=pseudocount", "novelty=evaluation", "selection=ucb1", "solver=true",
          "preset=paper", "reuse_tree=true", "threads=2", "bonus_adaptive=true", "bonus_draft=true",
          "mast=0.5", "bonus_bound=1"}) {
      for (const char* bonus : {"relative_bonus=true", "qualitative_bonus=true",
                                "relative_bonus=true qualitative_bonus=true"}) {
        CAPTURE(G::name);
        CAPTURE(rest);
        CAPTURE(bonus);
        const Options options =
            options_of(std::string(rest) + " evaluation=playout simulations=400 " + bonus);
        if (!has_quality && options.qualitative_bonus) {
          CHECK_THROWS_AS(check_options(*game, options), BadOption);
          continue;
        }
        const Report report = searched(*game, options);
        CHECK((report.simulations == 400 || options.solver));
        CHECK_FALSE(report.pv.empty());
        const double beyond =
            options.bonus_bound * (options.relative_bonus + options.qualitative_bonus) / 2;
        for (const MoveReport& move : report.moves) {
          CHECK(move.value > -beyond);
          CHECK(move.value < 1 + beyond);
        }
      }
    }
  });
}

TEST_CASE("search: a bonus changes what is found, and can be switched while it runs") {
  const auto game = games::make_game("breakthrough");
  const Options plain = options_of("evaluation=playout simulations=3000");
  const Options with = options_of("evaluation=playout simulations=3000 relative_bonus=true");
  CHECK(visits(searched(*game, plain)) != visits(searched(*game, with)));
  const auto search = make_search(*game);
  search->begin(*game, 0, plain, limits_of(plain));
  search->update(with);  // before the first simulation
  while (search->run(std::chrono::seconds(1)) != Progress::done) {
  }
  CHECK(visits(search->report()) == visits(searched(*game, with)));
  CHECK(search->report().options == with);
}
