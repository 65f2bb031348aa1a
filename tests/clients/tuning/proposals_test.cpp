#include "clients/tuning/proposals.hpp"

#include <doctest/doctest.h>

#include <map>
#include <set>
#include <stdexcept>

#include "clients/tuning/tuning.hpp"
#include "tests/clients/tuning/simulated_games.hpp"

// The same proposals and the same answer, whatever the workers and the kills.

namespace pitboss::clients {
namespace {

TuningSettings settings_of(MethodSettings method, int opponents, std::int64_t deviation_games,
                           Values start) {
  TuningSettings settings;
  settings.method = std::move(method);
  settings.conditions.opponents = opponents;
  settings.conditions.start = std::move(start);
  settings.deviations.games = deviation_games;
  settings.lag = 7;
  return settings;
}

double strength(const std::vector<double>& x) {
  double sum = 0;
  for (const double v : x) sum -= (v - 0.3) * (v - 0.3);
  return sum;
}

struct Played {
  std::map<std::int64_t, Proposal> proposals;
  std::vector<Values> answer;
  friend bool operator==(const Played&, const Played&) = default;
};

/// Plays with so many workers, whose games end in an order drawn from `seed`; after `kills` random
/// outcomes all but the record is lost.
Played play(const SearchSpace& space, const TuningSettings& settings, int workers, int kills,
            std::uint64_t seed) {
  const SimulatedGames games{strength, 5};
  games::Random random(seed);
  std::map<std::int64_t, Outcome> record;
  Played played;
  while (true) {
    const auto tuning = make_tuning(space, settings);
    Proposals proposals(*tuning, *settings.lag);
    std::map<std::int64_t, Proposal> at_play;
    int left = kills > 0 ? 1 + random.below(60) : -1;
    while (left != 0) {
      while (static_cast<int>(at_play.size()) < workers) {
        const auto task = proposals.next();
        if (!task) break;
        // What was proposed before a kill is proposed again.
        const auto [entry, is_new] = played.proposals.emplace(task->number, task->games);
        if (!is_new) CHECK(entry->second == task->games);
        if (record.contains(task->number)) {
          proposals.add(task->number, record.at(task->number));
        } else {
          at_play.emplace(task->number, task->games);
        }
      }
      if (at_play.empty()) {
        CHECK(proposals.is_over());
        played.answer = tuning->recommended();
        return played;
      }
      auto ends = at_play.begin();
      std::advance(ends, random.below(static_cast<int>(at_play.size())));
      const auto outcome = games.play(ends->second, ends->first);
      record[ends->first] = outcome;
      proposals.add(ends->first, outcome);
      at_play.erase(ends);
      --left;
    }
    --kills;
  }
}

TEST_CASE("Proposals: the same with one worker, with seven, in any order, after twenty kills") {
  const SearchSpace two = grids(2, 5, -1, 1);
  const NTupleTuning published{{.runs = 3, .games_per_run = 200}, {.games = 100}};
  const NTupleTuning tournament{{.runs = 3, .games_per_run = 200},
                                {ComparisonSettings::Rule::tournament, 100}};
  const SpsaSettings spsa{.precision = 10, .loss_at_half_range = 70};
  const std::pair<SearchSpace, TuningSettings> tunings[] = {
      {grids(1, 9, -1, 1), settings_of(UcbSettings{.games = 1000}, 3, 400, {"0"})},
      {two, settings_of(published, 1, 500, {"0", "0"})},
      {two, settings_of(tournament, 0, 500, {"0", "0"})},
      {ranges(2, -1, 1), settings_of(spsa, 0, 500, {"-0.5", "0.5"})},
      {ranges(2, -1, 1), settings_of(spsa, 2, 0, {"-0.5", "0.5"})},
      {ranges(2, -1, 1), settings_of(RaceSettings{.games = 600}, 0, 0, {"-0.5", "0.5"})},
      {two, settings_of(RaceSettings{.games = 900}, 2, 500, {"0", "0"})}};
  for (const auto& [space, settings] : tunings) {
    CAPTURE(settings.method.index());
    const Played one = play(space, settings, 1, 0, 1);
    CHECK(one.proposals.size() > 100);
    CHECK(one == play(space, settings, 7, 0, 2));
    CHECK(one == play(space, settings, 7, 0, 3));
    CHECK(one == play(space, settings, 1, 20, 4));
    CHECK(one == play(space, settings, 7, 20, 5));
    TuningSettings other = settings;
    other.conditions.seed = 2;
    CHECK(one.proposals != play(space, other, 1, 0, 1).proposals);
    other = settings;
    other.lag = 1;
    CHECK(one.proposals != play(space, other, 1, 0, 1).proposals);
  }
}

TEST_CASE("Proposals: the lag is how many can be played at once") {
  const auto tuning =
      make_tuning(grids(1, 3, 0, 1), settings_of(UcbSettings{.games = 100}, 1, 0, {"0"}));
  Proposals proposals(*tuning, 4);
  for (int i = 0; i < 4; ++i) CHECK(proposals.next()->number == i);
  CHECK(!proposals.next());
  proposals.add(1, {12, 12});
  CHECK(!proposals.next());  // the outcome of 0 is missing
  CHECK_THROWS_AS(proposals.add(1, {12, 12}), std::invalid_argument);
  CHECK_THROWS_AS(proposals.add(9, {12, 12}), std::invalid_argument);
  CHECK_THROWS_AS(proposals.add(0, {12}), std::invalid_argument);
  proposals.add(0, {0, 6});
  CHECK(proposals.next()->number == 4);
  CHECK(proposals.next()->number == 5);
  CHECK(!proposals.next());
  CHECK(!proposals.is_over());
}

TEST_CASE("Stages: no opening is played in two stages, and no more games than predicted") {
  const auto space = grids(2, 5, -1, 1);
  const auto settings = settings_of(NTupleTuning{{.runs = 3, .games_per_run = 201}, {.games = 100}},
                                    1, 500, {"0", "0"});
  const Played played = play(space, settings, 7, 0, 1);
  std::int64_t games = 0;
  std::set<int> openings_of_runs;
  for (const auto& [number, proposal] : played.proposals) {
    games += std::ssize(proposal);
    const int opening = proposal.front().opening;
    if (number < 300) {
      CHECK(openings_of_runs.insert(opening).second);
    } else {
      CHECK(!openings_of_runs.contains(opening));
    }
  }
  CHECK(games <= predict(space, settings).games);
  CHECK(games > 0.8 * static_cast<double>(predict(space, settings).games));
}

}  // namespace
}  // namespace pitboss::clients
