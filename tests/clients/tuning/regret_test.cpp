#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>

#include "clients/tuning/tuning.hpp"
#include "tests/clients/tuning/simulated_games.hpp"

// What the methods lose on CLOP's problems (Coulom 2011) and on NTBEA's demonstration, beside
// random search and NTBEA itself (Lucas, Liu, Perez-Liebana 2018).

namespace pitboss::clients {
namespace {

/// Log odds of a win at x in [-1, 1]; several dimensions add up.
struct Problem {
  std::string name;
  double (*log_odds)(double x);
  double best;
};

const std::array<Problem, 4> problems{
    {{"LOG", [](double x) { return 2 * std::log(4 * x + 4.1) - 4 * x - 3; }, -0.525},
     {"FLAT",
      [](double x) {
        const double u = x + 0.6;
        return 0.2 / (1 + 6 * u * u + u * u * u);
      },
      -0.6},
     {"POWER", [](double x) { return 0.05 * (x + 1) * (x + 1) - std::pow((x + 1) / 2, 20); },
      0.60932},
     {"ANGLE",
      [](double x) {
        return 1 + std::numbers::sqrt2 - (x < -0.2 ? 2 * std::sqrt(0.3 - x) : std::sqrt(x + 2.2));
      },
      -0.2}}};

double log_odds(const Problem& problem, const std::vector<double>& x) {
  double sum = 0;
  for (const double one : x) sum += problem.log_odds(one);
  return sum;
}

double win_rate(const Problem& problem, const std::vector<double>& x) {
  return games::logistic(log_odds(problem, x));
}

TEST_CASE("CLOP's problems: their best points") {
  constexpr std::array<double, 4> rates{.6192, .54983, .52910, .73106};
  for (std::size_t i = 0; i < problems.size(); ++i) {
    CHECK(win_rate(problems[i], {problems[i].best}) == doctest::Approx(rates[i]).epsilon(1e-4));
    for (double x = -1; x <= 1; x += 0.01) {
      CHECK(problems[i].log_odds(x) <= problems[i].log_odds(problems[i].best) + 1e-6);
    }
  }
}

/// Random points, as many as each has games; the best mean wins.
std::vector<double> random_search(const Problem& problem, int dimensions, std::int64_t games,
                                  std::uint64_t seed) {
  games::Random random(seed);
  const int n = static_cast<int>(std::sqrt(static_cast<double>(games)));
  std::vector<double> best;
  int most = -1;
  for (int i = 0; i < n; ++i) {
    std::vector<double> x;
    for (int d = 0; d < dimensions; ++d) x.push_back(2 * random.uniform() - 1);
    const double rate = win_rate(problem, x);
    int won = 0;
    for (int game = 0; game < n; ++game) won += random.uniform() < rate ? 1 : 0;
    if (won > most) {
      most = won;
      best = x;
    }
  }
  return best;
}

constexpr int values_of_grid = 21;

std::vector<double> tuned(const Problem& problem, TuningSettings settings, const SearchSpace& space,
                          std::uint64_t seed) {
  settings.conditions.seed = static_cast<std::int64_t>(seed);
  settings.conditions.start = Values(space.size(), "0");
  settings.lag = 1;
  const auto tuning = make_tuning(space, settings);
  SimulatedGames{[&](const std::vector<double>& x) { return log_odds(problem, x); }, seed}.play_all(
      *tuning);
  return numbers_of(tuning->recommended().front());
}

TuningSettings method_settings(const std::string& method, std::int64_t games,
                               const SearchSpace& space) {
  TuningSettings settings;
  if (method == "ucb1-tuned") settings.method = UcbSettings{.games = games};
  if (method == "n-tuple") {
    // One run; its candidate stands.
    settings.method = NTupleTuning{{.runs = 1, .games_per_run = games}, {}};
  }
  if (method == "spsa") {
    SpsaSettings spsa{.precision = 5, .loss_at_half_range = 200};
    // So much precision as the games pay for.
    spsa.precision = precision_of(games, spsa, space, false) * 1.001;
    spsa.games = games;
    settings.method = spsa;
  }
  return settings;
}

/// The mean loss of expected score against the best point, over many runs.
double regret(const Problem& problem, const std::string& method, int dimensions,
              std::int64_t games) {
  const int runs = games >= 10'000 ? 12 : 60;
  const std::vector<double> best(dimensions, problem.best);
  const SearchSpace space =
      method == "spsa" ? ranges(dimensions, -1, 1) : grids(dimensions, values_of_grid, -1, 1);
  double sum = 0;
  for (int run = 0; run < runs; ++run) {
    const auto seed = static_cast<std::uint64_t>(run);
    const auto x = method == "random"
                       ? random_search(problem, dimensions, games, seed)
                       : tuned(problem, method_settings(method, games, space), space, seed);
    sum += win_rate(problem, best) - win_rate(problem, x);
  }
  return sum / runs;
}

TEST_CASE("regret: after 100, 1,000 and 10,000 games, beside random search") {
  constexpr std::array<std::int64_t, 3> budgets{100, 1000, 10'000};
  std::map<std::string, std::array<double, 3>> all;  // sums over the problems
  for (const int dimensions : {1, 2}) {
    for (const Problem& problem : problems) {
      for (const std::string method : {"random", "ucb1-tuned", "n-tuple", "spsa"}) {
        if (method == "ucb1-tuned" && dimensions > 1) continue;
        std::array<double, 3> regrets{};
        for (std::size_t i = 0; i < budgets.size(); ++i) {
          regrets[i] = regret(problem, method, dimensions, budgets[i]);
          all[method + std::to_string(dimensions)][i] += regrets[i];
        }
        MESSAGE(problem.name << " in " << dimensions << " by " << method << ": " << regrets[0]
                             << " " << regrets[1] << " " << regrets[2]);
      }
    }
  }
  // The most that is lost, of what random search loses. Bandits try each of the 21 values first,
  // which 100 games hardly pay for; where SPSA's model of the loss is wrong (FLAT), games help
  // little.
  const std::map<std::string, std::array<double, 3>> most{{"random1", {1, 1, 1}},
                                                          {"random2", {1, 1, 1}},
                                                          {"ucb1-tuned1", {1.3, 0.9, 0.65}},
                                                          {"n-tuple1", {1.3, 1, 0.65}},
                                                          {"n-tuple2", {1.15, 0.85, 0.85}},
                                                          {"spsa1", {0.85, 0.8, 1}},
                                                          {"spsa2", {0.8, 0.65, 0.85}}};
  for (const auto& [method, regrets] : all) {
    CAPTURE(method);
    MESSAGE(method << ": " << regrets[0] << " " << regrets[1] << " " << regrets[2]);
    for (std::size_t i = 0; i < budgets.size(); ++i) {
      CHECK(regrets[i] <= most.at(method)[i] * all["random" + method.substr(method.size() - 1)][i]);
    }
    CHECK(regrets[2] < 0.7 * regrets[0]);
  }
}

/// NTBEA as published: one mean and count for each combination of each tuple of one, two and all
/// parameters.
class Ntbea {
 public:
  struct Cell {
    double sum = 0;
    int n = 0;
  };
  struct Seen {
    int tuple;  ///< samples of the tuple
    int here;   ///< of its combination
    double mean;
  };
  [[nodiscard]] static double exploit(const std::vector<Seen>& all) {
    double sum = 0;
    int n = 0;
    for (const Seen& seen : all) {
      if (seen.here > 0) sum += seen.mean;
      n += seen.here > 0 ? 1 : 0;
    }
    return n > 0 ? sum / n : 0;
  }
  [[nodiscard]] static double explore(const std::vector<Seen>& all) {
    double sum = 0;
    for (const Seen& seen : all) sum += std::sqrt(std::log(1. + seen.tuple) / (0.5 + seen.here));
    return sum / static_cast<double>(all.size());
  }

  Ntbea(int parameters, int values) : parameters_(parameters), values_(values) {
    for (int i = 0; i < parameters; ++i) {
      tuples_.push_back({i});
      for (int j = i + 1; j < parameters; ++j) tuples_.push_back({i, j});
    }
    std::vector<int> every(parameters);
    for (int i = 0; i < parameters; ++i) every[i] = i;
    tuples_.push_back(every);
  }
  void add(const Places& x, double score) {
    ++n_;
    for (std::size_t t = 0; t < tuples_.size(); ++t) {
      Cell& cell = cells_[{t, part(x, t)}];
      cell.sum += score;
      ++cell.n;
    }
    ++points_[x];
  }
  [[nodiscard]] std::vector<Seen> seen(const Places& x) const {
    std::vector<Seen> all;
    for (std::size_t t = 0; t < tuples_.size(); ++t) {
      const auto found = cells_.find({t, part(x, t)});
      const Cell cell = found == cells_.end() ? Cell{} : found->second;
      all.push_back({n_, cell.n, cell.n > 0 ? cell.sum / cell.n : 0});
    }
    return all;
  }
  /// Evaluates `samples` points; returns the one with the best mean among them.
  template <class Evaluate>
  Places run(int samples, double k, games::Random& random, Evaluate evaluate) {
    Places x(parameters_);
    for (int& value : x) value = random.below(values_);
    for (int i = 0; i < samples; ++i) {
      add(x, evaluate(x));
      Places best;
      double highest = 0;
      for (int j = 0; j < std::min(100, 1024 / 4); ++j) {
        Places mutant = x;
        const int changed = random.below(parameters_);
        for (int p = 0; p < parameters_; ++p) {
          if (p == changed) mutant[p] = (x[p] + 1 + random.below(values_ - 1)) % values_;
          if (p != changed && random.below(parameters_) == 0) mutant[p] = random.below(values_);
        }
        const auto all = seen(mutant);
        const double value = exploit(all) + k * explore(all) + 1e-6 * random.uniform();
        if (best.empty() || value > highest) {
          best = mutant;
          highest = value;
        }
      }
      x = best;
    }
    return std::ranges::max_element(points_, {},
                                    [&](const auto& point) { return exploit(seen(point.first)); })
        ->first;
  }

 private:
  [[nodiscard]] Places part(const Places& x, std::size_t tuple) const {
    Places part;
    for (const int parameter : tuples_[tuple]) part.push_back(x[parameter]);
    return part;
  }
  int parameters_;
  int values_;
  std::vector<std::vector<int>> tuples_;
  std::map<std::pair<std::size_t, Places>, Cell> cells_;
  std::map<Places, int> points_;
  int n_ = 0;
};

TEST_CASE("NTBEA: the published figures") {
  const std::vector<Ntbea::Seen> three{{10, 4, .6}, {10, 3, .5}, {10, 2, .75}};
  CHECK(Ntbea::exploit(three) == doctest::Approx(.616667).epsilon(1e-6));
  CHECK(Ntbea::explore(three) == doctest::Approx(.845686).epsilon(1e-6));
  const std::vector<Ntbea::Seen> one{{10, 4, .6}, {10, 0, 0}, {10, 0, 0}};
  CHECK(Ntbea::exploit(one) == doctest::Approx(.6));
  CHECK(Ntbea::explore(one) == doctest::Approx(1.703278).epsilon(1e-6));
}

TEST_CASE("NTBEA's demonstration: five parameters of four values, noise 1 on a range of 15") {
  const auto noisy = [](const Places& x, games::Random& random) {
    const double normal = std::sqrt(-2 * std::log(random.uniform())) *
                          std::cos(2 * std::numbers::pi * random.uniform());
    double sum = normal;
    for (const int value : x) sum += value;
    return sum;
  };
  constexpr int samples = 5000;
  const Places best(5, 3);
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    games::Random random(seed);
    Ntbea ntbea(5, 4);
    CHECK(ntbea.run(samples, 2, random, [&](const Places& x) { return noisy(x, random); }) == best);
    // The papers' N-tuple bandit finds it, too.
    NTupleModel model({4, 4, 4, 4, 4}, 2);
    for (int i = 0; i < samples; ++i) {
      const Places x = model.choose(random);
      model.begin(x);
      model.learn(x, noisy(x, random) / 15);
    }
    CHECK(model.recommended() == best);
  }
}

}  // namespace
}  // namespace pitboss::clients
