#include "clients/tuning/tuning.hpp"

#include <doctest/doctest.h>

#include "tests/clients/error_of.hpp"
#include "tests/clients/tuning/simulated_games.hpp"

namespace pitboss::clients {
namespace {

TEST_CASE("loss_of_selection: of the worst case by simulation") {
  // One of n arms is better by delta; all have the same number of games.
  constexpr int runs = 1000;
  for (const int n : {2, 8, 11}) {
    constexpr int games = 100;
    const EloLoss expected = loss_of_selection(n, games);
    double worst = 0;
    for (double delta = 10; delta < 200; delta += 20) {
      games::Random random(1);
      int wrong = 0;
      for (int run = 0; run < runs; ++run) {
        int most = -1;
        int taken = 0;
        for (int arm = 0; arm < n; ++arm) {
          int won = 0;
          for (int game = 0; game < games; ++game) {
            won += random.uniform() < score_of(arm == 0 ? delta : 0) ? 1 : 0;
          }
          if (won >= most) taken = arm;
          most = std::max(most, won);
        }
        wrong += taken != 0 ? 1 : 0;
      }
      worst = std::max(worst, delta * wrong / runs);
      if (delta > 1.1 * expected.bound) CHECK(wrong < 0.07 * runs);
    }
    CHECK(worst < 1.1 * expected.mean);
    CHECK(worst > 0.8 * expected.mean);
  }
  CHECK(loss_of_selection(1, 100).mean == 0);
}

TEST_CASE("predict: the papers' procedure, and SPSA's for the same parameters") {
  TuningSettings settings;
  settings.conditions.start = {"0", "0"};
  settings.method = NTupleTuning{};
  const Prediction papers = predict(grids(2, 25, -1, 1), settings);
  CHECK(papers.games == 32'000);
  REQUIRE(papers.loss);
  CHECK(papers.loss->mean < papers.loss->bound);
  CHECK(papers.basis.find("final comparison") != std::string::npos);

  settings.method = SpsaSettings{.loss_at_half_range = 100};
  settings.conditions.opponents = 0;
  const Prediction spsa = predict(ranges(2, -1, 1), settings);
  CHECK(spsa.games == 1222);  // 1,221 in pairs
  REQUIRE(spsa.loss);
  CHECK(spsa.loss->bound < 5.1);

  settings.method = UcbSettings{};
  settings.conditions = {.opponents = 5, .start = {"0"}};
  CHECK(predict(grids(1, 11, -1, 1), settings).games == 10'000);
}

TEST_CASE("predict: of a single run's candidate nobody knows the loss") {
  TuningSettings settings;
  settings.conditions.start = {"0", "0"};
  settings.method = NTupleTuning{{.runs = 1}, {}};
  const Prediction one = predict(grids(2, 5, -1, 1), settings);
  CHECK(one.games == 3000);
  CHECK_FALSE(one.loss);
  CHECK(one.basis.starts_with("A single run's candidate is compared with no other"));
  CHECK(one.warning.empty());
}

TEST_CASE("predict: warns of an answer that is expected to lose as much as the start") {
  TuningSettings settings;
  settings.conditions = {.opponents = 0, .start = {"0", "0"}};
  settings.method = SpsaSettings{.precision = 30, .loss_at_half_range = 100};
  CHECK(predict(ranges(2, -1, 1), settings, 50).warning.empty());
  CHECK(predict(ranges(2, -1, 1), settings, 5).warning ==
        "The answer is expected to lose 7.3 Elo, no less than the player before tuning if "
        "start_loss, 5.0, is right: it needs more games.");
  settings.conditions = {.opponents = 1, .start = {"0"}};
  settings.method = UcbSettings{.games = 200};
  CHECK_FALSE(predict(grids(1, 10, 0, 1), settings, 10).warning.empty());
  settings.method = UcbSettings{.games = 100'000};
  CHECK(predict(grids(1, 10, 0, 1), settings, 10).warning.empty());
}

TEST_CASE("predict: UCB1-Tuned loses less than equal shares would") {
  TuningSettings settings;
  settings.method = UcbSettings{.games = 2000};
  settings.conditions.start = {"0"};
  settings.lag = 1;
  const SearchSpace space = grids(1, 5, 0, 4);
  const EloLoss expected = predict(space, settings).loss.value();
  for (const double lead : {20., 40., 60., 100.}) {
    double lost = 0;
    for (int run = 0; run < 50; ++run) {
      settings.conditions.seed = run;
      const auto tuning = make_tuning(space, settings);
      SimulatedGames{[&](const std::vector<double>& x) { return x[0] == 3 ? lead / elo_scale : 0; },
                     static_cast<std::uint64_t>(run)}
          .play_all(*tuning);
      if (tuning->recommended().front() != Values{"3"}) lost += lead / 50;
    }
    CAPTURE(lead);
    CHECK(lost < 1.2 * expected.mean);
  }
}

TEST_CASE("lag_of: 16, or what costs SPSA nothing, or the bandit's games") {
  TuningSettings settings;
  settings.conditions = {.opponents = 0, .start = {"0", "0", "0"}};
  // The guide's example of 2,442 games has a time constant of 814, which are 407 pairs.
  settings.method = SpsaSettings{};
  CHECK(most_lag(ranges(2, -1, 1), settings) == 20);
  CHECK(lag_of(ranges(2, -1, 1), settings) == 16);
  settings.method = SpsaSettings{.precision = 10, .loss_at_half_range = 100};
  CHECK(lag_of(ranges(3, -1, 1), settings) == 6);
  CHECK_NOTHROW(static_cast<void>(make_tuning(ranges(3, -1, 1), settings)));
  settings.lag = 16;
  CHECK(error_of([&] { static_cast<void>(make_tuning(ranges(3, -1, 1), settings)); }) ==
        "lag: 16 is more than a twentieth of SPSA's time constant in proposals, 6");
  settings.method = SpsaSettings{.precision = 1000, .loss_at_half_range = 1000};
  settings.lag.reset();
  CHECK(lag_of(ranges(3, -1, 1), settings) == 1);
  settings.method = UcbSettings{.games = 20};
  CHECK(lag_of(grids(1, 3, -1, 1), settings) == 10);
}

TEST_CASE("make_tuning: mistakes") {
  const auto error = [](TuningSettings settings, const SearchSpace& space) {
    settings.conditions.start = Values(space.size(), "0");
    return error_of([&] { static_cast<void>(make_tuning(space, settings)); });
  };
  TuningSettings settings;
  const SearchSpace one = grids(1, 5, 0, 1);
  settings.method = UcbSettings{.games = 100};
  settings.lag = 51;
  CHECK(error(settings, one) == "lag: 51 is more than the tuning has proposals, 50");
  settings.lag = 0;
  CHECK(error(settings, one) == "lag: expected at least 1");
  settings.lag = 50;
  CHECK(error(settings, one).empty());
  settings.deviations.games = 47;
  CHECK(error(settings, one) ==
        "deviation_games: 47 are too few; to play all one-step deviations in every round needs 48");
  settings.deviations.games = 0;
  settings.method = NTupleTuning{{.runs = 4}, {ComparisonSettings::Rule::tournament, 7}};
  CHECK(error(settings, one) ==
        "comparison_games: 7 are too few; to meet every opponent in every seating needs 8");
  settings.method = NTupleTuning{{.runs = 0}, {}};
  CHECK(error(settings, one) == "runs: expected at least 1");
  CHECK(error(settings, {}) == "parameters: expected at least one");
}

}  // namespace
}  // namespace pitboss::clients
