#include "clients/report/machines.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "clients/experiments/statistics/holm.hpp"
#include "clients/experiments/statistics/homogeneity.hpp"
#include "clients/experiments/statistics/intervals.hpp"
#include "clients/report/conclusions.hpp"
#include "clients/report/formatting.hpp"
#include "clients/report/report_sections.hpp"
#include "clients/report/tournament.hpp"

namespace pitboss::clients {

using nlohmann::ordered_json;

namespace {

/// With more rows, the table of the scores is folded.
constexpr std::size_t most_open_rows = 24;

/// Points of a round in twelfths, and how many rounds had them.
using Points = std::map<int, std::int64_t>;

int points_of(const PlayedRound& round) {
  int out = 0;
  for (const PlayedGame& game : round.games) out += game.twelfths;
  return out;
}

/// What is tested: a score, and the points of its rounds.
struct Sample {
  MachineScore* score;
  const Points* points;
};

/// The counts of both in the same classes.
std::vector<std::vector<std::int64_t>> side_by_side(const Points& one, const Points& others) {
  std::set<int> classes;
  for (const Points* points : {&one, &others}) {
    for (const auto& [twelfths, rounds] : *points) classes.insert(twelfths);
  }
  std::vector<std::vector<std::int64_t>> out(2);
  for (const int twelfths : classes) {
    const auto count = [&](const Points& points) {
      const auto found = points.find(twelfths);
      return found == points.end() ? 0 : found->second;
    };
    out[0].push_back(count(one));
    out[1].push_back(count(others));
  }
  return out;
}

/// Tests each machine of a match against all others.
void compare(const std::vector<Sample>& machines) {
  for (const Sample& machine : machines) {
    Points others;
    for (const Sample& other : machines) {
      if (&other == &machine) continue;
      for (const auto& [twelfths, rounds] : *other.points) others[twelfths] += rounds;
    }
    const auto test = homogeneity(side_by_side(*machine.points, others));
    if (test) machine.score->p = test->p;
  }
}

/// Two machines of a match are one test, which either shows.
void adjust(const std::map<int, std::vector<Sample>>& by_match) {
  std::vector<double> p;
  std::vector<std::vector<MachineScore*>> tested;
  for (const auto& [match, machines] : by_match) {
    if (machines.size() == 2 && machines[0].score->p) {
      p.push_back(*machines[0].score->p);
      tested.push_back({machines[0].score, machines[1].score});
      continue;
    }
    for (const Sample& machine : machines) {
      if (!machine.score->p) continue;
      p.push_back(*machine.score->p);
      tested.push_back({machine.score});
    }
  }
  const std::vector<double> adjusted = holm_adjusted(p);
  for (std::size_t i = 0; i < tested.size(); ++i) {
    for (MachineScore* const score : tested[i]) score->p_holm = adjusted[i];
  }
}

std::vector<std::string> names_of_those_that_differ(const std::vector<Machine>& machines) {
  std::vector<std::string> out;
  for (const Machine& machine : machines) {
    if (machine.differs()) out.push_back(machine.host);
  }
  return out;
}

std::string p_text(const std::optional<double>& p) { return p ? format("%.3g", *p) : "-"; }

ordered_json number_or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json();
}

Markup machines_table(const std::vector<Machine>& machines) {
  std::vector<Markup> rows;
  for (const Machine& machine : machines) {
    rows.push_back(row_head(machine.host) + words(machine.processor) +
                   cell(std::to_string(machine.rounds)) + cell(std::to_string(machine.games)) +
                   cell(machine.games_a_minute > 0 ? format("%.1f", machine.games_a_minute) : "-") +
                   element("td", {{"class", machine.failures > 0 ? "alarm" : ""}},
                           text(std::to_string(machine.failures))) +
                   element("td", {{"class", machine.differs() ? "words alarm" : "words"}},
                           text(machine.differs() ? "differs" : "no difference was shown")));
  }
  return table("",
               {{"machine", true},
                {"processor", true},
                {"rounds"},
                {"games"},
                {"games a minute"},
                {"failures"},
                {"its results", true}},
               rows);
}

Markup scores_table(const Results& results, const std::vector<Machine>& machines) {
  std::vector<Markup> rows;
  for (std::size_t match = 0; match < results.matches().size(); ++match) {
    for (const Machine& machine : machines) {
      for (const MachineScore& score : machine.scores) {
        if (score.match != static_cast<int>(match)) continue;
        const Tally& tally = score.tally;
        rows.push_back(
            row_head(match_name(results, score.match)) + words(machine.host) +
            cell(std::to_string(score.rounds)) + cell(std::to_string(tally.games())) +
            cell(format("%.2f", 100 * tally.score())) +
            cell(percent_text(score_interval(tally.points(), tally.games()), 2)) +
            cell(std::to_string(score.failures)) + cell(p_text(score.p)) +
            element("td", {{"class", score.differs() ? "alarm" : ""}}, text(p_text(score.p_holm))));
      }
    }
  }
  Markup out = table("",
                     {{"match", true},
                      {"machine", true},
                      {"rounds"},
                      {"games"},
                      {"score %"},
                      {"95 % interval"},
                      {"failures"},
                      {"p"},
                      {"p, Holm"}},
                     rows);
  return rows.size() > most_open_rows ? folded("scores by match and machine", out) : out;
}

}  // namespace

bool Machine::differs() const { return std::ranges::any_of(scores, &MachineScore::differs); }

std::vector<Machine> machines_of(const LedgerContents& contents) {
  using Name = std::pair<std::string, std::string>;  // host and processor
  const Name nobody("not recorded", "");
  std::map<std::string, Name> of_referee;
  std::vector<Name> order;
  for (const RefereeEntry& referee : contents.referees) {
    of_referee[referee.id] = {referee.host, referee.processor};
    order.push_back(of_referee[referee.id]);
  }
  order.push_back(nobody);
  std::map<Name, std::map<int, std::vector<const PlayedRound*>>> played;
  for (const PlayedRound& round : contents.played) {
    const auto found = of_referee.find(round.referee);
    played[found == of_referee.end() ? nobody : found->second][round.match].push_back(&round);
  }
  std::vector<Machine> out;
  std::map<std::pair<std::size_t, std::size_t>, Points> points;  // by machine and place in scores
  for (const Name& name : order) {
    const auto rounds_of = played.find(name);
    if (rounds_of == played.end()) continue;
    Machine machine{.host = name.first, .processor = name.second, .scores = {}};
    std::vector<PlayedRound> all;
    for (const auto& [match, rounds] : rounds_of->second) {
      MachineScore score{.match = match, .tally = {}, .p = {}, .p_holm = {}};
      for (const PlayedRound* const round : rounds) {
        ++score.rounds;
        ++points[{out.size(), machine.scores.size()}][points_of(*round)];
        for (const PlayedGame& game : round->games) {
          score.tally.add(game.twelfths);
          if (game.is_forfeit()) ++score.failures;
        }
        all.push_back({.games = {}, .begun = round->begun, .ended = round->ended});
      }
      machine.rounds += score.rounds;
      machine.games += score.tally.games();
      machine.failures += score.failures;
      machine.scores.push_back(score);
    }
    const auto seconds = static_cast<double>(seconds_of_play(all));
    if (seconds > 0) machine.games_a_minute = 60 * machine.games / seconds;
    out.push_back(std::move(machine));
    played.erase(rounds_of);
  }
  std::map<int, std::vector<Sample>> by_match;
  for (std::size_t m = 0; m < out.size(); ++m) {
    for (std::size_t s = 0; s < out[m].scores.size(); ++s) {
      MachineScore& score = out[m].scores[s];
      by_match[score.match].push_back({&score, &points[{m, s}]});
    }
  }
  for (const auto& [match, machines] : by_match) compare(machines);
  adjust(by_match);
  return out;
}

MachineRows machine_rows(const std::vector<Machine>& machines) {
  MachineRows out{ordered_json::array(), ordered_json::array()};
  for (const Machine& machine : machines) {
    out.machines.push_back({{"machine", machine.host},
                            {"processor", machine.processor},
                            {"rounds", machine.rounds},
                            {"games", machine.games},
                            {"games_a_minute", machine.games_a_minute},
                            {"failures", machine.failures},
                            {"differs", machine.differs()}});
    for (const MachineScore& score : machine.scores) {
      const Tally& tally = score.tally;
      const Interval interval = score_interval(tally.points(), tally.games());
      out.scores.push_back({{"match", score.match + 1},
                            {"machine", machine.host},
                            {"processor", machine.processor},
                            {"rounds", score.rounds},
                            {"games", tally.games()},
                            {"wins", tally.wins},
                            {"draws", tally.draws},
                            {"losses", tally.losses},
                            {"score", tally.score()},
                            {"score_low", interval.low},
                            {"score_high", interval.high},
                            {"failures", score.failures},
                            {"p", number_or_null(score.p)},
                            {"p_holm", number_or_null(score.p_holm)},
                            {"differs", score.differs()}});
    }
  }
  return out;
}

std::string machines_json(const LedgerContents& contents) {
  MachineRows rows = machine_rows(machines_of(contents));
  const ordered_json json{{"machines", std::move(rows.machines)},
                          {"scores", std::move(rows.scores)}};
  return json.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

Markup machines_section(const Results& results, const std::vector<Machine>& machines) {
  if (machines.empty()) return paragraph("Nothing has been played yet.");
  Markup out = machines_table(machines);
  if (machines.size() < 2) return out;
  std::string list;
  for (const std::string& name : names_of_those_that_differ(machines)) {
    list += (list.empty() ? "" : ", ") + name;
  }
  if (list.empty()) {
    out += paragraph("No machine's results differ from the others' by more than chance.");
  } else {
    out += element("p", {{"class", "alarm"}},
                   text("Results differ by machine, by more than chance: " + list +
                        ". All games count nevertheless."));
  }
  return out +
         note(format("Scores are the first player's. p: how often the rounds of a machine that is "
                     "like the others would differ as much from those of all others of the match, "
                     "by the points of the rounds (chi-squared; -: too few rounds to tell). A "
                     "machine differs if p, adjusted by Holm's method for all tests here, is at "
                     "most %g. Rounds beyond the decision of a test are among these.",
                     level_of_machines)) +
         scores_table(results, machines);
}

}  // namespace pitboss::clients
