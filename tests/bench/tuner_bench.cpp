#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "clients/tuning/tuning.hpp"
#include "tests/bench/landscapes.hpp"

// What the tuners lose where the best is known:
//     tuner_bench RUNS GAMES METHODS [LANDSCAPES]
// has each method tune each landscape's engine RUNS times with that many games, and prints a line
// for each: the mean loss of the answer in Elo with its standard error, the 90 % quantile, and the
// shares of answers that are worse than the start, at all and by more than 10 Elo. Lists have
// commas between.
//     tuner_bench engine LANDSCAPE SEED
// is the engine for tuners of others: of each line, an opening and a point of the cube, it plays
// both games of the opening and prints the points, a half for a draw; "elo" and a point: the loss.
namespace {

using namespace pitboss::clients;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> out;
  std::istringstream words(text);
  for (std::string word; std::getline(words, word, ',');) out.push_back(word);
  return out;
}

/// The grid of a bandit's user: nine values of one or two parameters, five of more.
SearchSpace grid_of(const Landscape& landscape) {
  SearchSpace space = landscape.space;
  const int values = space.size() <= 2 ? 9 : 5;
  for (TunedParameter& parameter : space) {
    if (!parameter.has_range()) continue;
    const auto [low, high] = parameter.range.bounds();
    std::vector<std::string> listed;
    for (int i = 0; i < values; ++i) {
      listed.push_back(parameter.range.text_at(low + (high - low) * i / (values - 1)));
    }
    parameter.values = listed;
  }
  return space;
}

/// The settings of a method, and its space; nothing if it is not for such a landscape.
std::optional<std::pair<SearchSpace, TuningSettings>> tuning_of(const Landscape& landscape,
                                                                const std::string& name,
                                                                std::int64_t games) {
  TuningSettings settings;
  settings.conditions.start = landscape.start;
  const std::string self = "-self";
  const bool is_self_play = name.ends_with(self);
  const std::string method = is_self_play ? name.substr(0, name.size() - self.size()) : name;
  settings.conditions.opponents = is_self_play ? 0 : 1;
  settings.lag = 16;
  if (method == "race") {
    settings.method = RaceSettings{.games = games};
    return std::pair(landscape.space, settings);
  }
  if (method == "ucb1-tuned") {
    if (landscape.space.size() > 1) return std::nullopt;
    settings.method = UcbSettings{.games = games};
    return std::pair(grid_of(landscape), settings);
  }
  if (method == "n-tuple") {
    // A quarter of the papers' procedure: four runs, a fifth of the games to compare their answers.
    constexpr int runs = 4;
    settings.method =
        NTupleTuning{{.runs = runs, .games_per_run = games / 5}, {.games = games / 20}};
    return std::pair(grid_of(landscape), settings);
  }
  if (method == "spsa") {
    const bool are_numbers = std::ranges::all_of(
        landscape.space, [](const TunedParameter& parameter) { return parameter.has_range(); });
    if (!are_numbers) return std::nullopt;
    // As much precision as the games pay for, by the guess of docs/results/tuning.md.
    SpsaSettings spsa{
        .precision = 5, .loss_at_half_range = 100, .draw_ratio = landscape.draw_ratio};
    spsa.precision = 1.001 * precision_of(games, spsa, landscape.space, is_self_play);
    spsa.games = games;
    settings.method = spsa;
    settings.lag.reset();
    return std::pair(landscape.space, settings);
  }
  throw UserError(name + " is no method: race, ucb1-tuned, n-tuple, spsa, start; -self behind it");
}

Values answer_of(const SearchSpace& space, TuningSettings settings, const Landscape& landscape,
                 int run) {
  settings.conditions.seed = run + 1;
  const auto tuning = make_tuning(space, settings);
  const LandscapeGames games(landscape, static_cast<std::uint64_t>(run) + 1);
  Proposals proposals(*tuning, lag_of(space, settings));
  while (const auto task = proposals.next()) {
    proposals.add(task->number, games.play(task->games, task->number));
  }
  return tuning->recommended().front();
}

void measure(const Landscape& landscape, const std::string& method, std::int64_t games, int runs) {
  const double best = best_of(landscape);
  const double start = best - landscape.elo(landscape.start);
  std::vector<double> losses;
  if (method == "start") {
    losses.assign(static_cast<std::size_t>(runs), start);
  } else {
    const auto tuning = tuning_of(landscape, method, games);
    if (!tuning) return;
    for (int run = 0; run < runs; ++run) {
      const auto answer = answer_of(tuning->first, tuning->second, landscape, run);
      losses.push_back(best - landscape.elo(answer));
      if (std::getenv("TUNER_BENCH_ANSWERS") != nullptr) {
        std::cout << "  " << text_of(landscape.space, answer) << " " << losses.back() << "\n";
      }
    }
  }
  const auto n = static_cast<double>(runs);
  double mean = 0;
  for (const double loss : losses) mean += loss / n;
  double variance = 0;
  for (const double loss : losses) variance += square(loss - mean) / std::max(n - 1, 1.0);
  const auto worse = [&](double by) {
    return static_cast<double>(
               std::ranges::count_if(losses, [&](double loss) { return loss > start + by; })) /
           n;
  };
  const double below = worse(1e-9);
  const double far_below = worse(10);
  std::ranges::sort(losses);
  std::printf("%-10s %-14s %6lld %8.2f %6.2f %8.2f %6.3f %6.3f\n", landscape.name.c_str(),
              method.c_str(), static_cast<long long>(games), mean, std::sqrt(variance / n),
              losses[static_cast<std::size_t>(0.9 * (n - 1))], below, far_below);
  std::fflush(stdout);
}

void be_engine(const Landscape& landscape, std::uint64_t seed) {
  const LandscapeGames games(landscape, seed);
  const UnitSpace space(landscape.space);
  const double best = best_of(landscape);
  std::int64_t number = 0;
  for (std::string line; std::getline(std::cin, line);) {
    std::istringstream words(line);
    std::string first;
    words >> first;
    UnitPoint point;
    for (double u = 0; words >> u;) point.push_back(u);
    const double elo = games.elo(space.values_at(point));
    if (first == "elo") {
      std::cout << best - elo << std::endl;
      continue;
    }
    const int opening = std::stoi(first);
    pitboss::games::Random random(pitboss::games::mix(seed) + static_cast<std::uint64_t>(number++));
    int twelfths = 0;
    for (const int seating : {0, 1}) {
      twelfths += games.play(elo, games.opponent(), opening, seating, random);
    }
    std::cout << twelfths / 12.0 << std::endl;
  }
}

const Landscape& named(const std::vector<Landscape>& all, const std::string& name) {
  const auto found = std::ranges::find(all, name, &Landscape::name);
  require(found != all.end(), name + " is no landscape");
  return *found;
}

int bench(const std::vector<std::string>& arguments) {
  const std::vector<Landscape> all = landscapes();
  if (arguments.size() == 3 && arguments[0] == "engine") {
    be_engine(named(all, arguments[1]), std::stoull(arguments[2]));
    return 0;
  }
  require(arguments.size() == 3 || arguments.size() == 4,
          "tuner_bench RUNS GAMES METHODS [LANDSCAPES]");
  std::vector<std::string> names;
  for (const Landscape& landscape : all) names.push_back(landscape.name);
  if (arguments.size() == 4) names = split(arguments[3]);
  for (const std::string& name : names) {
    for (const std::string& games : split(arguments[1])) {
      for (const std::string& method : split(arguments[2])) {
        measure(named(all, name), method, std::stoll(games), std::stoi(arguments[0]));
      }
    }
  }
  return 0;
}

}  // namespace

int main(int count, char** words) {
  try {
    return bench({words + 1, words + count});
  } catch (const std::exception& e) {
    std::cerr << e.what() << "\n";
    return 2;
  }
}
