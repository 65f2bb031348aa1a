#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include "clients/tuning/proposals.hpp"
#include "clients/tuning/unit_space.hpp"
#include "games/logistic.hpp"
#include "games/random.hpp"

// Engines without rules, whose strength is known for all options: on which tuners are measured.

namespace pitboss::clients {

struct Landscape {
  std::string name;
  std::string about;
  SearchSpace space;
  Values start;
  /// Strength in Elo at a point of the space's cube.
  double (*strength)(const UnitPoint& u);
  double draw_ratio = 0;  ///< of games between equals

  [[nodiscard]] double elo(const Values& values) const {
    return strength(UnitSpace(space).point_of(values));
  }
};

[[nodiscard]] inline double square(double x) { return x * x; }
[[nodiscard]] inline double bell(double distance, double width) {
  return std::exp(-0.5 * square(distance / width));
}

[[nodiscard]] inline SearchSpace plain_space(int parameters) {
  SearchSpace space;
  for (int i = 0; i < parameters; ++i) {
    space.push_back({std::string(1, static_cast<char>('a' + i)), {}, {0, 1}});
  }
  return space;
}

/// k, alpha and beta of knightthrough at 1,000 simulations, as docs/results/tuning.md measured
/// them: a plain that is best at k = 0.1, a pit beyond a beta that falls with k, and the hill at k
/// = 0.3, beta = 2 and small alpha.
[[nodiscard]] inline SearchSpace knightthrough_space() {
  return {{"k", {}, {0.03, 1, true}},
          {"alpha", {}, {.low = 1e-4, .high = 1, .is_logarithmic = true, .low_is_zero = true}},
          {"beta", {}, {0.01, 10, true}}};
}
[[nodiscard]] inline double knightthrough(const UnitPoint& u) {
  const double k = std::log10(0.03) + u[0] * std::log10(1 / 0.03);
  const double alpha = -4 + 4 * u[1];
  const double beta = -2 + 3 * u[2];
  const double hill_k = std::log10(0.3);
  const double hill_beta = std::log10(2);
  const double plain = -240 * square(k + 1);
  const double beyond = beta - hill_beta - 2.2 * (k - hill_k) - 0.35;
  const double pit = -500 * games::logistic(beyond / 0.1);
  const double small_alpha = games::logistic((-2 - alpha) / 0.15);
  const double hill = 165 * bell(k - hill_k, 0.15) * bell(beta - hill_beta, 0.3) * small_alpha;
  return plain + pit + hill;
}

[[nodiscard]] inline std::vector<Landscape> landscapes() {
  const auto quarter = [](int n) { return Values(static_cast<std::size_t>(n), "0.25"); };
  std::vector<Landscape> all{
      {"hill",
       "1 parameter, quadratic, 100 Elo from the start to the top",
       plain_space(1),
       {"0.1"},
       [](const UnitPoint& u) { return -278 * square(u[0] - 0.7); }},
      {"ridge",
       "2, which must be changed together",
       plain_space(2),
       {"0.2", "0.2"},
       [](const UnitPoint& u) {
         return -1000 * square(u[0] - u[1]) - 60 * square(u[0] + u[1] - 1.5);
       }},
      {"narrow",
       "3: knightthrough's plain, pit and narrow hill",
       knightthrough_space(),
       {"0.3", "0.01", "0.02"},
       knightthrough},
      {"flat", "2, worth 6 Elo in all", plain_space(2), quarter(2),
       [](const UnitPoint& u) { return -6 * square(u[0] - 0.6) - 6 * square(u[1] - 0.6); }},
      {"edge",
       "2, best at a corner",
       plain_space(2),
       {"0.5", "0.5"},
       [](const UnitPoint& u) { return 80 * u[0] - 60 * square(u[1]); }},
      {"two hills",
       "2: a wide hill of 40 Elo at the start, a narrow one of 100 elsewhere",
       plain_space(2),
       {"0.25", "0.25"},
       [](const UnitPoint& u) {
         return 60 * bell(std::hypot(u[0] - 0.3, u[1] - 0.3), 0.25) +
                120 * bell(std::hypot(u[0] - 0.8, u[1] - 0.75), 0.1);
       }},
      {"draws", "2, quadratic, 7 of 10 games drawn", plain_space(2), quarter(2),
       [](const UnitPoint& u) { return -150 * square(u[0] - 0.7) - 150 * square(u[1] - 0.6); },
       0.7},
      {"four", "4, quadratic, a sum of one loss for each", plain_space(4), quarter(4),
       [](const UnitPoint& u) {
         double sum = 0;
         for (std::size_t i = 0; i < 4; ++i) {
           sum -= 150 * square(u[i] - 0.5 - 0.1 * static_cast<double>(i % 2));
         }
         return sum;
       }},
      {"six", "6, of which two matter, and act together", plain_space(6), quarter(6),
       [](const UnitPoint& u) {
         double sum = -300 * square(u[0] - 0.6) - 300 * square(u[3] - u[0] - 0.1);
         for (const std::size_t i : {1, 2, 4, 5}) sum -= 8 * square(u[i] - 0.5);
         return sum;
       }},
      {"choice",
       "2: one of four words, and a number that is best elsewhere with each",
       {{"measure", {"none", "one", "two", "three"}, {}}, {"k", {}, {0.01, 1, true}}},
       {"none", "0.1"},
       [](const UnitPoint& u) {
         constexpr std::array<double, 4> gain{0, -20, 70, 40};
         constexpr std::array<double, 4> best{0.5, 0.4, 0.85, 0.2};
         const auto word = static_cast<std::size_t>(u[0] * 4);
         return gain[word] - 400 * square(u[1] - best[word]);
       }}};
  return all;
}

/// The strength at the best point, of many that are tried and climbed from.
[[nodiscard]] inline double best_of(const Landscape& landscape) {
  const UnitSpace space(landscape.space);
  games::Random random(1);
  UnitPoint best = space.random(random);
  const auto strength = [&](const UnitPoint& u) { return landscape.elo(space.values_at(u)); };
  double highest = strength(best);
  for (int i = 0; i < 60'000; ++i) {
    const UnitPoint u = i < 20'000 ? space.random(random)
                                   : space.random_near(best, i % 2 == 0 ? 0.1 : 0.01, random);
    if (const double there = strength(u); there > highest) {
      highest = there;
      best = u;
    }
  }
  return highest;
}

/// Games of a landscape's engine against an opponent as strong as the start. Who begins is so much
/// stronger or weaker as the opening says; a game depends on seed, opening, seating and the number
/// of the proposal alone.
class LandscapeGames {
 public:
  LandscapeGames(const Landscape& landscape, std::uint64_t seed)
      : landscape_(landscape),
        space_(landscape.space),
        seed_(seed),
        opponent_(landscape.elo(landscape.start)) {
    // Rao and Kupper: equals win with logistic(-draw) each.
    draw_ = std::log((1 + landscape.draw_ratio) / (1 - landscape.draw_ratio));
  }

  /// Twelfths of a point of the first side.
  [[nodiscard]] int play(double elo, double other, int opening, int seating,
                         games::Random& random) const {
    constexpr double opening_bias = 80;
    const bool is_good = (games::mix(seed_ + static_cast<std::uint64_t>(opening)) & 1U) != 0;
    const double bias = (is_good == (seating % 2 == 0)) ? opening_bias : -opening_bias;
    const double lead = (elo - other + bias) * std::numbers::ln10 / 400;
    const double u = random.uniform();
    if (u < games::logistic(lead - draw_)) return 12;
    return u < 1 - games::logistic(-lead - draw_) ? 6 : 0;
  }
  [[nodiscard]] double elo(const Values& values) const {
    return landscape_.strength(space_.point_of(values));
  }
  [[nodiscard]] double opponent() const { return opponent_; }
  [[nodiscard]] Outcome play(const Proposal& games, std::int64_t number) const {
    games::Random random(games::mix(seed_) + static_cast<std::uint64_t>(number));
    Outcome outcome;
    for (const ProposedGame& game : games) {
      const auto* const second = std::get_if<Values>(&game.second);
      outcome.push_back(play(elo(game.first), second == nullptr ? opponent_ : elo(*second),
                             game.opening, game.seating, random));
    }
    return outcome;
  }

 private:
  const Landscape& landscape_;
  UnitSpace space_;
  std::uint64_t seed_;
  double opponent_;
  double draw_;
};

}  // namespace pitboss::clients
