#include "clients/tuning/spsa.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "tests/clients/error_of.hpp"
#include "tests/clients/tuning/simulated_games.hpp"

// SPSA with constant gains against the theory that it is designed by, and against what others
// simulated.

namespace pitboss::clients {
namespace {

Conditions against_itself(Values start, int seatings = 1) {
  return {.seed = 1, .opponents = 0, .seatings = seatings, .start = std::move(start)};
}

TEST_CASE("design: the published one") {
  const SpsaSettings settings{.precision = 0.5, .loss_at_half_range = 2, .draw_ratio = 0.61};
  const SpsaDesign d = design(settings, ranges(4, 0, 200), true);
  CHECK(d.gain == doctest::Approx(0.0031114).epsilon(1e-5));
  for (const double step : d.steps) CHECK(step == doctest::Approx(33.333333));
  CHECK(d.time_constant == doctest::Approx(125'622.67).epsilon(1e-7));
  CHECK(d.games == 376'868);
  const EloLoss loss = loss_of_last_point(settings, 4, 4 * 2 * 0.25);  // from (150, 150, 150, 150)
  CHECK(loss.mean == doctest::Approx(0.215).epsilon(0.003));
  CHECK(loss.bound == doctest::Approx(0.510).epsilon(0.001));
  // Without a start the loss is the asymptotic one, which keeps the precision with 95 %.
  CHECK(loss_of_last_point(settings, 4, 0).mean == doctest::Approx(0.2108).epsilon(0.003));
  CHECK(loss_of_last_point(settings, 4, 0).bound == doctest::Approx(0.5).epsilon(0.003));
  // The mean over the last time constant is better.
  CHECK(loss_of_answer(settings, 4, 2).mean < 0.8 * loss.mean);
}

/// What a table's row says, and what 400 runs of it give.
struct Row {
  int n;
  double loss_at_half_range;
  double precision;
  double gain;
  std::int64_t games;
  double mean;
  double bound;
  double within;
  int seatings = 1;
  double opening_bias = 0;
};

struct Losses {
  std::vector<double> last;    ///< of the last point, rising
  std::vector<double> answer;  ///< of the answer

  [[nodiscard]] static double mean(const std::vector<double>& all) {
    double sum = 0;
    for (const double x : all) sum += x;
    return sum / static_cast<double>(all.size());
  }
  [[nodiscard]] double deviation() const {
    double sum = 0;
    for (const double x : last) sum += (x - mean(last)) * (x - mean(last));
    return std::sqrt(sum / static_cast<double>(last.size()));
  }
  [[nodiscard]] double within(double precision) const {
    return static_cast<double>(
               std::ranges::count_if(last, [&](double x) { return x < precision; })) /
           static_cast<double>(last.size());
  }
};

Losses simulate(const Row& row, double true_loss, double start_loss, int opponents,
                const SpsaSettings& settings, int runs = 400, int lag = 1) {
  const auto elo_lost = [&](std::span<const double> at) {
    double sum = 0;
    for (const double x : at) sum += true_loss * x * x;  // the best is 0, half the range 1
    return sum;
  };
  const double start = std::sqrt(start_loss / row.n / true_loss);
  Losses losses;
  for (int run = 0; run < runs; ++run) {
    Conditions conditions = against_itself(Values(row.n, std::to_string(start)), row.seatings);
    conditions.seed = run;
    conditions.opponents = opponents;
    Spsa spsa(ranges(row.n, -1, 1), conditions, settings);
    const SimulatedGames games{
        [&](const std::vector<double>& x) { return -elo_lost(x) / elo_scale; },
        static_cast<std::uint64_t>(run), row.opening_bias};
    games.play_all(spsa, lag);
    losses.last.push_back(elo_lost(spsa.theta(spsa.learned())));
    losses.answer.push_back(elo_lost(numbers_of(spsa.recommended().front())));
  }
  std::ranges::sort(losses.last);
  return losses;
}

TEST_CASE("Spsa: 400 runs of each cheap problem, start 50 Elo down") {
  const Row rows[] = {
      {1, 100, 5, .02997, 783, 1.44, 5.6, .948},
      {2, 100, 5, .01922, 1220, 1.82, 5.4, .934},
      {4, 100, 5, .01213, 1933, 2.20, 5.4, .932},
      {4, 100, 5, .01213, 1933, 2.20, 5.1, .942, 2},
      {4, 100, 5, .01213, 1933, 2.45, 5.8, .908, 2, 150},
      {4, 50, 5, .01213, 3865, 2.20, 5.4, .935},
      {8, 100, 10, .01485, 1579, 5.53, 10.8, .931},
  };
  for (const Row& row : rows) {
    CAPTURE(row.n);
    CAPTURE(row.loss_at_half_range);
    CAPTURE(row.seatings);
    CAPTURE(row.opening_bias);
    const SpsaSettings settings{.precision = row.precision,
                                .loss_at_half_range = row.loss_at_half_range};
    const SpsaDesign d = design(settings, ranges(row.n, -1, 1), true);
    CHECK(d.gain == doctest::Approx(row.gain).epsilon(5e-4));
    CHECK(std::abs(d.games - row.games) <= 1);

    const Losses losses = simulate(row, row.loss_at_half_range, 50, 0, settings);
    const double within = losses.within(row.precision);
    const double mean = Losses::mean(losses.last);
    MESSAGE(row.n << " parameters: mean " << mean << " (" << row.mean << "), within " << within
                  << " (" << row.within << "), answer " << Losses::mean(losses.answer));
    // Of this figure and of the table's, which are means of 400 and of 1,000 runs.
    const double share = std::sqrt(1. / 400 + 1. / 1000);
    CHECK(std::abs(within - row.within) < 3 * share * std::sqrt(row.within * (1 - row.within)));
    CHECK(std::abs(mean - row.mean) < 3 * share * losses.deviation());
    // With openings that favour a side the pairs' noise is not what the design was told.
    if (row.opening_bias == 0) {
      CHECK(Losses::mean(losses.answer) < mean);
      const EloLoss expected = loss_of_answer(settings, row.n, 50);
      CHECK(Losses::mean(losses.answer) < 1.15 * expected.mean);
      CHECK(Losses::mean(losses.answer) > 0.8 * expected.mean);
    }
  }
}

TEST_CASE("Spsa: an opponent costs four times the games") {
  const Row row{4, 100, 5, .01213, 1933, 2.2, 5.4, .932};
  const SpsaSettings settings{.precision = 5, .loss_at_half_range = 100};
  const SpsaDesign itself = design(settings, ranges(4, -1, 1), true);
  const SpsaDesign opponent = design(settings, ranges(4, -1, 1), false);
  CHECK(opponent.gain == doctest::Approx(itself.gain / 2));
  CHECK(opponent.time_constant == doctest::Approx(4 * itself.time_constant));
  const Losses losses = simulate(row, 100, 50, 1, settings, 100);
  MESSAGE("mean " << Losses::mean(losses.last) << ", within " << losses.within(5));
  // Half the gain makes the difference as quiet as a game against itself.
  CHECK(std::abs(losses.within(5) - row.within) < 0.08);
  CHECK(std::abs(Losses::mean(losses.last) - row.mean) < 0.6);
}

TEST_CASE("Spsa: a lag of a twentieth of the time constant costs nothing") {
  const Row row{4, 100, 5, .01213, 1933, 2.20, 5.1, .942, 2};
  const SpsaSettings settings{.precision = 5, .loss_at_half_range = 100};
  const double pairs = design(settings, ranges(4, -1, 1), true).time_constant / 2;
  const Losses losses = simulate(row, 100, 50, 0, settings, 200, static_cast<int>(pairs / 20));
  MESSAGE("mean " << Losses::mean(losses.last) << ", within " << losses.within(5));
  CHECK(losses.within(5) > row.within - 0.055);
  CHECK(std::abs(Losses::mean(losses.last) - row.mean) < 0.4);
}

TEST_CASE("Spsa: a wrong guess") {
  const Row row{4, 100, 5, .01213, 1933, 2.2, 5.4, .932};
  const SpsaSettings settings{.precision = 5, .loss_at_half_range = 100};
  const auto is_near = [](const Losses& losses, double expected) {
    MESSAGE(Losses::mean(losses.last) << " (" << expected << ")");
    return std::abs(Losses::mean(losses.last) - expected) <
           3 * losses.deviation() * std::sqrt(1. / 100 + 1. / 1000) + 0.05;
  };
  CHECK(is_near(simulate(row, 25, 50, 0, settings, 100), 12.9));
  CHECK(is_near(simulate(row, 400, 200, 0, settings, 100), 2.1));
  CHECK(is_near(simulate(row, 100, 200, 0, settings, 100), 2.7));
}

/// How often `Spsa::remarks` says something like that after 3 time constants of a parameter with
/// this effect.
double share_of_remarks(const std::string& what, const std::string& start,
                        double (*strength)(double)) {
  constexpr int runs = 200;
  int found = 0;
  for (int run = 0; run < runs; ++run) {
    Conditions conditions = against_itself({start});
    conditions.seed = run;
    Spsa spsa(ranges(1, -1, 1), conditions, {.precision = 5, .loss_at_half_range = 100});
    const SimulatedGames games{[&](const std::vector<double>& x) { return strength(x[0]); },
                               static_cast<std::uint64_t>(run)};
    games.play_all(spsa);
    found += std::ranges::any_of(spsa.remarks(), [&](const std::string& remark) {
      return remark.find(what) != std::string::npos;
    });
  }
  return static_cast<double>(found) / runs;
}

TEST_CASE("Spsa::remarks: what still drifts, and what stands at a bound") {
  // Around the best theta only wanders; a few alarms are those of a test at 5 %.
  const auto hill = [](double x) { return -100 * x * x / elo_scale; };
  const auto slope = [](double x) { return 0.57 * x; };
  CHECK(share_of_remarks("a still drifts", "0", hill) < 0.06);
  CHECK(share_of_remarks("a still drifts", "-0.9", slope) > 0.6);
  // A best near a bound is not at it.
  const auto near = [](double x) { return -100 * (x - 0.6) * (x - 0.6) / elo_scale; };
  const auto at_bound = [](double x) { return -100 * (x - 1) * (x - 1) / elo_scale; };
  CHECK(share_of_remarks("bound", "0", hill) == 0);
  CHECK(share_of_remarks("bound", "0.5", near) < 0.1);
  CHECK(share_of_remarks("bound", "0.5", at_bound) > 0.4);

  Conditions conditions = against_itself({"-0.9"});
  Spsa rising(ranges(1, -1, 1), conditions, {.precision = 5, .loss_at_half_range = 100});
  SimulatedGames{[](const std::vector<double>& x) { return 2 * x[0]; }, 1}.play_all(rising);
  CHECK(rising.remarks().back() == "a stands at its upper bound, 1: the best may lie beyond it.");
}

/// What `Spsa::remarks` says of quiet games; empty if nothing.
std::string remark_on_quiet(const Spsa& spsa) {
  const auto remarks = spsa.remarks();
  const auto found = std::ranges::find_if(
      remarks, [](const std::string& r) { return r.find("draw_ratio") != std::string::npos; });
  return found == remarks.end() ? "" : *found;
}

TEST_CASE("Spsa::remarks: draws and uneven openings make games quieter than designed") {
  const auto flat = [](const std::vector<double>&) { return 0.; };
  const SpsaSettings settings{.precision = 5, .loss_at_half_range = 100};
  const auto played = [&](double opening_bias, const SpsaSettings& designed) {
    Spsa spsa(ranges(1, -1, 1), against_itself({"0"}, 2), designed);
    SimulatedGames{flat, 1, opening_bias}.play_all(spsa);
    return std::pair(spsa.measured_noise(), remark_on_quiet(spsa));
  };
  // 0.92 and 0.08 of a point: 1 - 4 (0.42)^2 is left.
  const double left = 4 * score_of(424) * (1 - score_of(424));
  CHECK(std::abs(played(424, settings).first - left) < 0.06);
  const std::string told = played(424, settings).second;
  CHECK(told.find("and the design took 1.00: with draw_ratio = 0.00 and opening_bias = 0.4") !=
        std::string::npos);
  CHECK(std::abs(played(0, settings).first - 1) < 0.1);
  CHECK(played(0, settings).second.empty());
  SpsaSettings knowing = settings;
  knowing.opening_bias = std::sqrt(1 - left) / 2;
  CHECK(played(424, knowing).second.empty());
}

TEST_CASE("Spsa::remarks: scores far from 1/2 are no draws") {
  // Whoever wins with this probability, and else draws or loses, whatever is proposed.
  const auto told = [](double wins, int otherwise) {
    Conditions conditions = against_itself({"0"}, 2);
    conditions.opponents = 1;
    Spsa spsa(ranges(1, -1, 1), conditions, {.precision = 5, .loss_at_half_range = 100});
    games::Random random(7);
    while (const auto games = spsa.propose()) {
      Outcome outcome;
      for (std::size_t i = 0; i < games->size(); ++i) {
        outcome.push_back(random.uniform() < wins ? whole_point : otherwise);
      }
      spsa.learn(outcome);
    }
    CHECK(spsa.measured_noise() < 0.5);
    return remark_on_quiet(spsa);
  };
  CHECK(told(0.12, 0).empty());
  CHECK(told(0.12, whole_point / 2).find("draw_ratio = 0.8") != std::string::npos);
}

TEST_CASE("remark_on_steps: what proposals lose is compared with the guess") {
  const SpsaSettings settings{.loss_at_half_range = 50};
  const auto told = [&](double proposals, double answer, int games) {
    return remark_on_steps(settings, 2, {proposals * 2000, 2000}, {answer * games, games});
  };
  CHECK(told(0.12, 0.44, 400) ==
        "the proposals, a step from the answer, score 12.0 %, and the answer 44.0 %: the steps are "
        "wider than the hill; smaller ones, or a narrower range, see its top.");
  CHECK_FALSE(told(0.12, 0.14, 400));  // a weak player
  CHECK_FALSE(told(0.40, 0.44, 400));
  CHECK_FALSE(told(0.12, 0.44, 4));  // may be chance
  CHECK_FALSE(told(0.12, 0.44, 0));
}

TEST_CASE("Spsa: going on changes nothing that was played") {
  const SimulatedGames games{[](const std::vector<double>& x) { return -x[0] * x[0]; }, 1};
  Spsa once(ranges(1, -1, 1), against_itself({"0.5"}), {});
  Spsa longer(ranges(1, -1, 1), against_itself({"0.5"}), {.games = 2000});
  const auto n = games.play_all(once);
  CHECK(games.play_all(longer) == 2000);
  REQUIRE(n < 2000);
  for (std::int64_t i = 0; i <= once.learned(); ++i) CHECK(once.theta(i)[0] == longer.theta(i)[0]);
}

TEST_CASE("Spsa: whole numbers have theta as their mean, and come again") {
  SearchSpace space{{"n", {}, {.low = 0, .high = 12, .is_whole = true, .step = 0.5}}};
  Spsa spsa(space, against_itself({"4"}), {});
  // By hash of seed and number: the same values come again.
  Spsa again(space, against_itself({"4"}), {});
  double sum = 0;
  int n = 0;
  Proposals proposals(spsa, 1000);
  Proposals repeated(again, 1000);
  for (int i = 0; i < 1000; ++i) {
    const auto task = proposals.next();
    if (!task) break;
    CHECK(task->games == repeated.next()->games);
    for (const auto& game : task->games) {
      sum += numbers_of(game.first)[0] + numbers_of(std::get<Values>(game.second))[0];
      n += 2;
    }
  }
  REQUIRE(n > 500);
  CHECK(std::abs(sum / n - 4) < 0.1);
}

TEST_CASE("Spsa: mistakes") {
  const auto error = [](const SearchSpace& space, const Values& start, const SpsaSettings& s) {
    return error_of([&] { Spsa(space, against_itself(start), s); });
  };
  const auto one = ranges(1, 0, 1);
  CHECK(error(grids(1, 3, 0, 1), {"0"}, {}) ==
        "a: spsa needs a range { min = ..., max = ... }; values without an order are for n-tuple");
  CHECK(error(one, {"1.5"}, {}) ==
        "a: the player has 1.5 before tuning, which is not in the range");
  CHECK(error(one, {"none"}, {}) ==
        "a: the player has none before tuning, which is not in the range");
  CHECK(error(one, {"0.5"}, {.games = 500}) ==
        "games: 500 are too few: a precision of 5 Elo needs 1566, and these give one of 16 Elo");
  CHECK(error(one, {"0.5"}, {.precision = 0}) == "precision: expected a number of Elo above 0");
  CHECK(error(one, {"0.5"}, {.loss_at_half_range = -1}) ==
        "loss_at_half_range: expected a number of Elo above 0");
  CHECK(error(one, {"0.5"}, {.draw_ratio = 1}) ==
        "draw_ratio: expected at least 0 and less than 1");
  CHECK(error(one, {"0.5"}, {.draw_ratio = 0.5, .opening_bias = 0.4}).starts_with("opening_bias"));
}

}  // namespace
}  // namespace pitboss::clients
