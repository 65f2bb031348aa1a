#include "engine/formulas.hpp"

#include <doctest/doctest.h>

#include <array>

using namespace pitboss::engine;

TEST_CASE("novelty_weight") {
  struct Row {
    double beta;
    std::array<double, 6> b;  // for n = 1, 2, 3, 5, 10, 100
  };
  const std::array<Row, 3> rows{{{0.02, {.0814, .0576, .0471, .0365, .0258, .0082}},
                                 {2, {.6325, .5, .4264, .3430, .25, .0814}},
                                 {10, {.8771, .7906, .7255, .6325, .5, .1796}}}};
  const std::array<double, 6> n{1, 2, 3, 5, 10, 100};
  for (const Row& row : rows) {
    for (std::size_t i = 0; i < n.size(); ++i) {
      CAPTURE(row.beta);
      CAPTURE(n[i]);
      CHECK(novelty_weight(row.beta, n[i]) == doctest::Approx(row.b[i]).epsilon(1e-3));
    }
  }
  CHECK(novelty_weight(0, 5) == 0);
}

TEST_CASE("novelty_mix") {
  struct Row {
    double b, alpha, novelty, mean;
    double convex, additive, centred;
  };
  const std::array<Row, 6> rows{{
      {0.25, 2, 0.5, 0.8, 0.85, 1.05, 0.975},  // b alpha N = 0.25
      {0.5, 0, 7, 0.2, 0.1, 0.2, 0.35},        // no novelty: what the mean keeps
      {0.5, 0, 7, 0.5, 0.25, 0.5, 0.5},        // an even result
      {0, 3, 1, 0.7, 0.7, 0.7, 0.7},           // no weight
      {1, 0.1, 4, 0.9, 0.4, 1.3, 0.9},         // the whole weight
      {0.2, 0.5, 10, 0, 1.0, 1.0, 1.1},        // a lost move
  }};
  for (const Row& row : rows) {
    CAPTURE(row.b);
    CAPTURE(row.mean);
    const auto mixed = [&](NoveltyMix mix) {
      return novelty_mix(mix, row.b, row.alpha, row.novelty, row.mean);
    };
    CHECK(mixed(NoveltyMix::convex) == doctest::Approx(row.convex));
    CHECK(mixed(NoveltyMix::additive) == doctest::Approx(row.additive));
    CHECK(mixed(NoveltyMix::centred) == doctest::Approx(row.centred));
  }
  // Of four players a quarter is even: a mean of a half is above it, and half of the lead stays.
  CHECK(novelty_mix(NoveltyMix::centred, 0.5, 0, 7, 0.25, 4) == 0.25);
  CHECK(novelty_mix(NoveltyMix::centred, 0.5, 0, 7, 0.5, 4) == 0.375);
  CHECK(novelty_mix(NoveltyMix::convex, 0.5, 0, 7, 0.5, 4) == 0.25);
}

TEST_CASE("puct_bonus") {
  CHECK(puct_bonus(2, 0.25, 100, 4) == doctest::Approx(1));
  CHECK(puct_bonus(2, 0.25, 100, 0) == doctest::Approx(5));
  CHECK(puct_bonus(0, 0.25, 100, 4) == 0);
}

TEST_CASE("ucb1_tuned_bonus") {
  // An untried move with its one virtual sample of 1/2.
  CHECK(ucb1_tuned_bonus(1, 7, 1, 0) == doctest::Approx(0.69747942));
  CHECK(ucb1_tuned_bonus(0.3, 5007, 1000, 0.40 - 0.36) ==
        doctest::Approx(0.01143408).epsilon(1e-6));
  CHECK(ucb1_bonus(0.3, 5007, 1000) == doctest::Approx(0.02768887).epsilon(1e-6));
  CHECK(ucb1_tuned_bonus(0, 100, 3, 0.1) == 0);
}

TEST_CASE("ucb1_tuned_bonus follows Auer, Cesa-Bianchi and Fischer") {
  // n, mean, index for rewards of 0 and 1 and 100 samples in all; the cap of 1/4 is active.
  struct Row {
    double n, mean, index;
  };
  for (const Row& r : {Row{10, .6, .939307}, Row{20, .5, .739926}, Row{70, .4, .528246}}) {
    const double variance = r.mean - r.mean * r.mean;
    CHECK(r.mean + ucb1_tuned_bonus(1, 100, r.n, variance) ==
          doctest::Approx(r.index).epsilon(1e-5));
  }
  // The cap is not active.
  CHECK(.5 + ucb1_tuned_bonus(1, 1000, 400, 0) == doctest::Approx(.556652).epsilon(1e-5));
}
