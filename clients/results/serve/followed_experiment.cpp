#include "clients/results/serve/followed_experiment.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <tuple>
#include <utility>

#include "clients/experiments/match_configuration.hpp"
#include "clients/referee/ledger/ledger_shelf.hpp"
#include "clients/results/conclusions.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/experiment_document.hpp"
#include "clients/results/game_boards.hpp"
#include "clients/results/match_tables.hpp"
#include "clients/results/record_files.hpp"
#include "clients/results/summary.hpp"
#include "clients/results/tournament.hpp"

namespace pitboss::clients {

using nlohmann::ordered_json;
using namespace std::chrono_literals;

namespace {

/// Whether the plan is the same, so that what was read stays valid.
bool is_same_plan(const Experiment& a, const Experiment& b) {
  const auto same_match = [](const Match& one, const Match& other) {
    return one.games == other.games && configuration(one) == configuration(other);
  };
  const auto rule = [](const Experiment& of) {
    const SprtPlan plan = of.sprt.value_or(SprtPlan{});
    return std::tuple(of.name, of.sprt.has_value(), plan.elo0, plan.elo1, plan.alpha, plan.beta,
                      plan.model);
  };
  return rule(a) == rule(b) && std::ranges::equal(a.matches, b.matches, same_match);
}

/// Another one if the ledger's file was replaced; 0 in a database.
std::uint64_t number_of_ledger(const LedgerPlace& place) {
  const auto* const folder = std::get_if<std::filesystem::path>(&place);
  return folder != nullptr ? number_of_file(ledger_path(*folder)) : 0;
}

/// From the times of the rounds and the referees.
Outline outline_of(const std::string& name, const RecordedExperiment& recorded) {
  const LedgerContents& contents = recorded.contents;
  const Results& results = contents.results;
  Outline out{.name = name,
              .kind = experiment_kind().name,
              .state = "stopped",
              .title = title_of(results),
              .done = results.games(),
              .of = recorded.experiment.games(),
              .games_a_minute = speed_of(contents.played, [](auto&) { return true; }),
              .failures = results.forfeits()};
  for (const Tournament& game : tournaments_by_game(results)) {
    out.game += (out.game.empty() ? "" : ", ") + game.title;
  }
  if (const auto verdicts = verdicts_of(results); !verdicts.empty()) out.words = verdicts.front();
  for (const PlayedRound& round : contents.played) out.last = std::max(out.last, round.ended);
  const auto is_alive = [](const RefereeEntry& one) {
    return !one.has_left && one.silence <= std::chrono::seconds(longest_silence);
  };
  const bool have_left =
      !contents.referees.empty() && std::ranges::all_of(contents.referees, &RefereeEntry::has_left);
  const bool is_played =
      (is_recent(out.last) && !have_left) || std::ranges::any_of(contents.referees, is_alive);
  for (const RefereeEntry& one : contents.referees) {
    out.last = std::max<std::int64_t>(out.last, one.seen / 1s);
  }
  if (results.is_over()) {
    out.state = "finished";
  } else if (recorded.is_paused) {
    out.state = "paused";
  } else if (is_played) {
    out.state = "running";
    if (*out.games_a_minute > 0) out.seconds_left = 60 * games_left(results) / *out.games_a_minute;
  }
  return out;
}

DataTable progress_of(const Outline& outline, const Results& results) {
  std::string words = format("%d of at most %d", *outline.done, outline.of);
  if (const int left = games_left(results); left > 0) words += format(", %d left", left);
  return progress_table(outline, words);
}

ordered_json game_row(const PlayedRound& round, const PlayedGame& game) {
  return {{"match", round.match + 1},    {"game", game.game},       {"round", game.round},
          {"seats", join(game.seats)},   {"winner", game.winner},   {"result", game.result},
          {"reason", game.reason},       {"plies", game.plies},     {"opening", game.opening},
          {"moves", game.moves},         {"values", game.values},   {"seconds1", game.seconds[0]},
          {"seconds2", game.seconds[1]}, {"referee", round.referee}};
}

}  // namespace

Shot FollowedExperiment::look() {
  const bool is_here = ledger_ && file_ == number_of_ledger(place_);
  auto recorded = recorded_;
  try {
    if (!is_here || !is_same_plan(ledger_->planned(), recorded->experiment)) {
      recorded = opened();
    }
    read_new(*recorded);
  } catch (...) {
    ledger_.reset();
    throw;
  }
  {
    const std::scoped_lock lock(mutex_);
    recorded_ = std::move(recorded);
  }
  Shot shot{outline_of(name_, *recorded_), experiment_document(recorded_->contents)};
  shot.add_progress(progress_of(shot.outline, recorded_->contents.results));
  // Referees that wait show signs of life, too.
  if (!shot.is_running() && !recorded_->is_paused) ledger_.reset();
  return shot;
}

/// Without its rounds.
std::shared_ptr<RecordedExperiment> FollowedExperiment::opened() {
  ledger_.reset();
  file_ = number_of_ledger(place_);
  auto recorded = std::make_shared<RecordedExperiment>(read_experiment(place_, Outage::is_failure));
  ledger_ = std::make_unique<Ledger>(place_, recorded->experiment, Outage::is_failure);
  return recorded;
}

void FollowedExperiment::read_new(RecordedExperiment& recorded) {
  std::vector<PlayedRound>& known = recorded.contents.played;
  const auto key = [](const PlayedRound& round) { return std::pair(round.match, round.round); };
  auto rounds = ledger_->played([&](int match, int round) {
    return std::ranges::binary_search(known, std::pair(match, round), {}, key);
  });
  auto incidents = ledger_->incidents();
  auto referees = ledger_->referees();
  const bool is_paused = ledger_->is_paused();
  Declarations declared = ledger_->declarations();

  const std::scoped_lock entry(recorded.entry);
  const std::unique_lock lock(recorded.mutex);
  for (PlayedRound& round : rounds) {
    check_round(round, recorded.experiment.matches[round.match]);
    recorded.contents.results.add(round.match, round.round, round.games);
    const auto place = std::ranges::lower_bound(known, key(round), {}, key);
    known.insert(place, std::move(round));
  }
  recorded.contents.incidents = std::move(incidents);
  recorded.contents.results.set_declared(declared);
  recorded.contents.referees = std::move(referees);
  recorded.is_paused = is_paused;
}

void FollowedExperiment::set_paused(bool is_paused) {
  const Experiment experiment = read_experiment(place_, Outage::is_failure);
  Ledger ledger(place_, experiment, Outage::is_failure);
  ledger.set_paused(is_paused);
}

std::shared_ptr<const RecordedExperiment> FollowedExperiment::recorded() const {
  const std::scoped_lock lock(mutex_);
  return recorded_;
}

template <class Use>
std::string FollowedExperiment::with_contents(const Use& use) const {
  const auto recorded = this->recorded();
  if (!recorded) return {};
  std::shared_lock lock(recorded->mutex, std::defer_lock);
  {
    const std::scoped_lock entry(recorded->entry);
    lock.lock();
  }
  return use(recorded->contents);
}

std::string FollowedExperiment::games_to_replay() const {
  return with_contents([](const LedgerContents& contents) { return games_list(contents); });
}

std::string FollowedExperiment::replayed_game(int match, int number) const {
  return with_contents([&](const LedgerContents& contents) -> std::string {
    for (const PlayedRound& round : contents.played) {
      if (round.match != match) continue;
      const auto game = std::ranges::find(round.games, number, &PlayedGame::game);
      if (game == round.games.end()) continue;
      return clients::replayed_game(contents.results.matches()[match].match(), *game);
    }
    return {};
  });
}

std::string FollowedExperiment::games_csv() const {
  return with_contents([](const LedgerContents& contents) { return clients::games_csv(contents); });
}

std::string FollowedExperiment::games_json() const {
  return with_contents([](const LedgerContents& contents) {
    ordered_json rows = ordered_json::array();
    for (const PlayedRound& round : contents.played) {
      if (!contents.results.matches()[round.match].counts(round.round)) continue;
      for (const PlayedGame& game : round.games) rows.push_back(game_row(round, game));
    }
    return text_of(rows);
  });
}

RunKind experiment_kind() {
  return {"experiment",
          [](const std::filesystem::path& folder) -> std::optional<std::string> {
            std::error_code error;
            if (!std::filesystem::exists(ledger_path(folder), error)) return std::nullopt;
            return version_of_file(ledger_path(folder));
          },
          [](const std::string& name, const LedgerPlace& place) {
            return std::make_shared<FollowedExperiment>(name, place);
          },
          true};
}

}  // namespace pitboss::clients
