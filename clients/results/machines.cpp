#include "clients/results/machines.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "clients/experiments/statistics/holm.hpp"
#include "clients/experiments/statistics/homogeneity.hpp"
#include "clients/experiments/statistics/intervals.hpp"
#include "clients/results/conclusions.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/match_tables.hpp"
#include "clients/results/tournament.hpp"

namespace pitboss::clients {

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

const std::vector<Quantity<Machine>> machine_quantities = {
    {{"machine", "machine"}, &Machine::host},
    {{"processor", "processor"}, &Machine::processor},
    {{"rounds", "rounds"}, &Machine::rounds},
    {{"games", "games"}, &Machine::games},
    {{"games_a_minute", "games a minute", Form::number, 1},
     [](auto& m) { return speed_cell(m.games_a_minute); }},
    {{"failures", "failures"}, [](auto& m) { return Cell(m.failures).alarming(m.failures > 0); }},
    {{"differs", "its results"}, [](auto& m) {
       return Cell(m.differs())
           .with_words(m.differs() ? "differs" : "no difference was shown")
           .alarming(m.differs());
     }}};

Cell p_cell(const std::optional<double>& p) {
  return Cell(p).with_words(p ? format("%.3g", *p) : "-");
}

/// By match.
DataTable scores_table(const Results& results, const std::vector<Machine>& machines) {
  DataTable out{.name = "machine_scores",
                .columns = {{"", "match"},
                            {"match", ""},
                            {"machine", "machine"},
                            {"processor", ""},
                            {"rounds", "rounds"},
                            {"games", "games"},
                            {"wins", ""},
                            {"draws", ""},
                            {"losses", ""},
                            estimate_column("score", "score %", Form::percent, 2),
                            {"failures", "failures"},
                            {"p", "p"},
                            {"p_holm", "p, Holm"},
                            {"differs", ""}}};
  for (std::size_t match = 0; match < results.matches().size(); ++match) {
    for (const Machine& machine : machines) {
      for (const MachineScore& score : machine.scores) {
        if (score.match != static_cast<int>(match)) continue;
        const Tally& tally = score.tally;
        out.rows.push_back({match_name(results, score.match), score.match + 1, machine.host,
                            machine.processor, score.rounds, tally.games(), tally.wins, tally.draws,
                            tally.losses, score_cell(tally), score.failures, p_cell(score.p),
                            p_cell(score.p_holm).alarming(score.differs()), score.differs()});
      }
    }
  }
  if (out.rows.size() > most_open_rows) out.folded = "scores by match and machine";
  return out;
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
  const auto machine_of = [&](const PlayedRound& round) -> const Name& {
    const auto found = of_referee.find(round.referee);
    return found == of_referee.end() ? nobody : found->second;
  };
  std::map<Name, std::map<int, std::vector<const PlayedRound*>>> played;
  for (const PlayedRound& round : contents.played) {
    played[machine_of(round)][round.match].push_back(&round);
  }
  std::vector<Machine> out;
  std::map<std::pair<std::size_t, std::size_t>, Points> points;  // by machine and place in scores
  for (const Name& name : order) {
    const auto rounds_of = played.find(name);
    if (rounds_of == played.end()) continue;
    Machine machine{.host = name.first, .processor = name.second, .scores = {}};
    for (const auto& [match, rounds] : rounds_of->second) {
      MachineScore score{.match = match, .tally = {}, .p = {}, .p_holm = {}};
      for (const PlayedRound* const round : rounds) {
        ++score.rounds;
        ++points[{out.size(), machine.scores.size()}][points_of(*round)];
        for (const PlayedGame& game : round->games) {
          score.tally.add(game.twelfths);
          if (game.is_forfeit()) ++score.failures;
        }
      }
      machine.rounds += score.rounds;
      machine.games += score.tally.games();
      machine.failures += score.failures;
      machine.scores.push_back(score);
    }
    machine.games_a_minute =
        speed_of(contents.played, [&](auto& round) { return machine_of(round) == name; });
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

Section machines_section(const LedgerContents& contents) {
  using enum Text::Kind;
  const std::vector<Machine> machines = machines_of(contents);
  DataTable table = table_of("machines", machine_quantities, machines);
  const bool is_compared = machines.size() > 1;
  if (!is_compared) table.columns[table.place_of("differs")].head.clear();
  Section out{"Machines", {std::move(table)}};
  DataTable scores = scores_table(contents.results, machines);
  if (!is_compared) {
    if (machines.empty()) out.blocks.emplace_back(Text{"Nothing has been played yet."});
    out.blocks.emplace_back(hidden(std::move(scores)));
    return out;
  }
  std::string list;
  for (const Machine& machine : machines) {
    if (machine.differs()) list += (list.empty() ? "" : ", ") + machine.host;
  }
  out.blocks.emplace_back(
      list.empty() ? Text{"No machine's results differ from the others' by more than chance."}
                   : Text{"Results differ by machine, by more than chance: " + list +
                              ". All games count nevertheless.",
                          alarm});
  out.blocks.emplace_back(
      Text{format("Scores are the first player's. p: how often the rounds of a machine that is "
                  "like the others would differ as much from those of all others of the match, by "
                  "the points of the rounds (chi-squared; -: too few rounds to tell). A machine "
                  "differs if p, adjusted by Holm's method for all tests here, is at most %g. "
                  "Rounds beyond the decision of a test are among these.",
                  level_of_machines),
           note});
  out.blocks.emplace_back(std::move(scores));
  return out;
}

std::string machines_json(const LedgerContents& contents) {
  auto tables = tables_of({"", {machines_section(contents)}});
  const nlohmann::ordered_json json{{"machines", std::move(tables["machines"])},
                                    {"scores", std::move(tables["machine_scores"])}};
  return json.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace pitboss::clients
