#include "clients/results/experiment_document.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "clients/results/conclusions.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/document/writers.hpp"
#include "clients/results/game_boards.hpp"
#include "clients/results/ladder.hpp"
#include "clients/results/machines.hpp"
#include "clients/results/match_figures.hpp"
#include "clients/results/match_tables.hpp"
#include "clients/results/summary.hpp"
#include "clients/results/sweep.hpp"
#include "clients/results/tournament.hpp"

namespace pitboss::clients {

namespace {

using enum Text::Kind;

/// With more games, the sections of the games are folded.
constexpr std::size_t most_open_games = 3;
/// With more matches, the conclusions stand in the sections of their games, and there are no charts
/// of Elo.
constexpr std::size_t most_conclusions = 8;
constexpr std::size_t most_incidents = 200;
constexpr std::size_t most_remarks = 5;

bool has_many(const Results& results) { return results.matches().size() > most_conclusions; }

std::vector<Block> conclusions(const Results& results, const Tournament& game) {
  std::vector<Block> out;
  for (const int i : game.matches) {
    const MatchResults& match = results.matches()[i];
    const int games = match.standings().games();
    out.emplace_back(Text{conclusion_of(match) + " Games:", item, std::to_string(games),
                          games > 0 ? games_place(i) : ""});
  }
  return out;
}

Section conclusions_section(const Results& results, const std::vector<Tournament>& games) {
  Section out{"Conclusions"};
  const auto& matches = results.matches();
  Text::Kind kind = verdict;
  for (const std::string& words : verdicts_of(results)) {
    out.blocks.emplace_back(Text{words, std::exchange(kind, item)});
  }
  if (matches.size() > 1) {
    const auto shown = std::ranges::count_if(
        matches, [](const MatchResults& match) { return stronger_in(match) >= 0; });
    out.blocks.emplace_back(Text{format("A difference was shown in %d of %zu matches.",
                                        static_cast<int>(shown), matches.size())});
    out.blocks.emplace_back(
        Text{"Of intervals at 95 %, about one in twenty misses the true value: among many matches "
             "some differences are chance.",
             note});
  }
  if (has_many(results)) return out;
  if (games.size() == 1) {
    std::ranges::move(conclusions(results, games.front()), std::back_inserter(out.blocks));
  } else {
    for (const Tournament& game : games) {
      out.sections.push_back({game.title, conclusions(results, game)});
    }
  }
  return out;
}

Section head_section(const LedgerContents& contents) {
  const Results& results = contents.results;
  const Experiment& experiment = results.experiment();
  Section out{""};
  const auto add = [&](const std::string& words, Text::Kind kind) {
    if (!words.empty()) out.blocks.emplace_back(Text{words, kind});
  };
  for (const std::string& why : no_results_of(results)) add(why, alarm);
  add(format("%d games of at most %d, in %zu %s, between %zu players.", results.games(),
             experiment.games(), experiment.matches.size(),
             experiment.matches.size() == 1 ? "match" : "matches",
             whole_tournament(results).players.size()),
      plain);
  add(playing_times(contents.played), plain);
  std::vector<std::string> remarks = remarks_on_options(experiment);
  if (remarks.size() > most_remarks) {
    const std::size_t left_out = remarks.size() - most_remarks;
    remarks.resize(most_remarks);
    remarks.push_back(format("and %zu more of these remarks", left_out));
  }
  for (const std::string& remark : remarks) add(remark + ".", note);
  if (!results.is_over()) add("Not all has been played: what follows is provisional.", note);
  if (results.forfeits() > 0) {
    add(format("Games lost by failures rather than by play: %d.", results.forfeits()), alarm);
  }
  const auto count = [&](bool (MatchResults::*is_so)() const, const std::string& words) {
    const auto matches = std::ranges::count_if(results.matches(), is_so);
    if (matches > 0) add(words + ": " + std::to_string(matches) + ".", alarm);
  };
  count(&MatchResults::has_unlike_shares,
        "Matches whose players got unlike shares of the processor");
  count(&MatchResults::has_short_shares,
        format("Matches with a player who got less than %.0f %% of a processor",
               100 * MatchResults::least_share));
  return out;
}

Section game_section(const Results& results, const Tournament& game, const CountedGames& games) {
  Section out{game.title};
  out.blocks.emplace_back(
      Text{"Seen by the first player. The score's interval takes the games for independent, those "
           "of Elo take the rounds. Elo takes the games as if their number had been fixed; a test "
           "that ends sooner the luckier it is makes it too extreme, which the SPRT-corrected Elo "
           "is not. LOS: the probability that the first player is stronger. Rounds: by their "
           "points, from none to all; of two games, the pentanomial. Simulations: of a move of "
           "either player, medians. Processor: the share of one that searches bounded by time got.",
           note});
  out.blocks.emplace_back(matches_table(results, game));
  if (has_many(results)) {
    std::ranges::move(conclusions(results, game), std::back_inserter(out.blocks));
  }
  if (game.players.size() > 2) {
    out.blocks.emplace_back(cross_table(game));
    out.blocks.emplace_back(ratings_figure(game));
  }
  // The more matches, the fewer points a curve has, so that the page stays small.
  const std::size_t points = std::clamp<std::size_t>(8000 / results.matches().size(), 100, 200);
  std::vector<Block> courses;
  for (const int i : game.matches) {
    const MatchResults& match = results.matches()[i];
    DataTable course = course_of(match, i, games[i], points);
    std::ranges::move(course_figures(match, course, !has_many(results)),
                      std::back_inserter(out.blocks));
    courses.emplace_back(hidden(std::move(course)));
  }
  out.blocks.emplace_back(lengths_figure(results, game));
  out.blocks.emplace_back(seats_figure(results, game));
  out.blocks.emplace_back(times_figure(results, game, games));
  std::ranges::move(courses, std::back_inserter(out.blocks));
  return out;
}

Section results_section(const Results& results, std::vector<Tournament>& by_game,
                        const CountedGames& games) {
  if (by_game.size() == 1) {
    Section out = game_section(results, by_game.front(), games);
    out.title = "Results";
    return out;
  }
  Section out{"Results by game"};
  for (const Tournament& game : by_game) {
    out.sections.push_back(game_section(results, game, games));
    out.sections.back().is_folded = by_game.size() > most_open_games;
  }
  return out;
}

Section failures_section(const Results& results, std::span<const Incident> incidents) {
  Section out{"Failures"};
  DataTable failures = failures_table(results);
  if (results.forfeits() == 0) {
    out.blocks.emplace_back(Text{"No game was lost by a failure."});
    failures = hidden(std::move(failures));
  }
  out.blocks.emplace_back(std::move(failures));
  const auto name = [&](int match) {
    const bool is_known = match >= 0 && std::cmp_less(match, results.matches().size());
    return is_known ? Cell(match_name(results, match)) : Cell();
  };
  const auto table = [&](std::span<const Incident> some) {
    return incidents_table(some, "match", 1, name);
  };
  const auto shown = incidents.first(std::min(incidents.size(), most_incidents));
  out.blocks.emplace_back(table(shown));
  const auto others = incidents.subspan(shown.size());
  if (!others.empty()) out.blocks.emplace_back(Text{format("and %zu more", others.size()), note});
  out.blocks.emplace_back(hidden(table(others)));
  return out;
}

Section repeats_section(const Results& results) {
  DataTable repeats = repeats_table(results);
  if (repeats.rows.empty()) return {"Repeated games", {Text{"No game repeats another."}}};
  return {"Repeated games",
          {Text{"Games that repeat others tell nothing new: the intervals are too narrow by them.",
                note},
           std::move(repeats)}};
}

std::string rule_of(const Results& results) {
  const auto& sprt = results.experiment().sprt;
  if (!sprt) return "No stopping rule: the number of games was fixed beforehand.";
  return format(
      "Stopping rule: sequential probability ratio test of elo0 = %g against elo1 = %g "
      "(%s Elo), alpha %g, beta %g. The score of a match that a test has ended is biased "
      "away from even.",
      sprt->elo0, sprt->elo1, std::string(name_of(sprt->model)).c_str(), sprt->alpha, sprt->beta);
}

/// Without its games.
Document document_of(const LedgerContents& contents, const CountedGames& games) {
  const Results& results = contents.results;
  const Tournament whole = whole_tournament(results);
  std::vector<Tournament> by_game = tournaments_by_game(results);
  Document out{title_of(results)};
  out.facts = {{"games_left", games_left(results)}, {"summary", summary_of(results)}};
  out.sections = {head_section(contents), conclusions_section(results, by_game), {"Games"}};
  for (const Sweep& sweep : sweeps_in(results)) {
    out.sections.push_back(sweep_section(results, sweep));
  }
  if (const auto ladders = ladders_in(results); !ladders.empty()) {
    out.sections.push_back(ladders_section(ladders));
  }
  DataTable ratings = ratings_table(whole);
  ratings.name = "ratings";
  Section together{"", {hidden(std::move(ratings)), pairs_table(whole)}};
  if (by_game.size() > 1) {
    together.title = "All games together";
    together.blocks.emplace_back(games_table(results, by_game));
    if (whole.players.size() > 2) {
      together.blocks.emplace_back(cross_table(whole));
      together.blocks.emplace_back(ratings_figure(whole));
    }
  }
  out.sections.push_back(std::move(together));
  out.sections.push_back(results_section(results, by_game, games));
  out.sections.push_back(machines_section(contents));
  Section referees{"Referees", {referees_table(contents)}};
  if (contents.referees.empty()) {
    referees.blocks.emplace_back(Text{"The ledger does not tell who plays."});
  }
  out.sections.push_back(std::move(referees));
  out.sections.push_back(failures_section(results, contents.incidents));
  out.sections.push_back(repeats_section(results));
  out.sections.push_back({"What was played",
                          {Text{rule_of(results), note}, players_table(results),
                           engines_table(results), rules_table(results)}});
  return out;
}

}  // namespace

std::string title_of(const Results& results) {
  const std::string& name = results.experiment().name;
  if (!name.empty()) return name;
  return results.matches().size() == 1 ? match_name(results, 0) : "Match report";
}

Document experiment_document(const LedgerContents& contents) {
  Document out = document_of(contents, counted_games(contents));
  out.sections[2].blocks.emplace_back(Games{});
  return out;
}

std::string report_html(const LedgerContents& contents) {
  const CountedGames games = counted_games(contents);
  Document out = document_of(contents, games);
  const GameBoards boards = game_boards(contents.results, games);
  int shown = 0;
  for (const int count : boards.shown) shown += count;
  Section& section = out.sections[2];
  if (shown == 0) section.title.clear();
  if (shown > 0 && shown < contents.results.games()) {
    section.blocks.emplace_back(
        Text{format("The first games of each match, %d of %d; all of them are in the ledger: "
                    "pitboss ledger export writes a file of SGF for each.",
                    shown, contents.results.games()),
             note});
  }
  if (shown > 0) section.blocks.emplace_back(Games{boards.json});
  return html_page(out);
}

std::string summary_table(const Results& results) {
  const Tournament whole = whole_tournament(results);
  std::vector<std::pair<std::string, std::string>> facts;
  std::vector<Block> first;
  for (const std::string& why : no_results_of(results)) first.emplace_back(Text{why});
  const bool is_one = results.matches().size() == 1;
  const std::string games = format("%d of %d", results.games(), results.experiment().games());
  if (is_one) {
    const Match& match = results.matches().front().match();
    facts = {{"game", rules_text(match)}};
    for (const Player& player : match.players) facts.emplace_back(player.name, player_text(player));
    facts.emplace_back("openings",
                       match.openings.summary() + ", seed " + std::to_string(match.seed));
    const int distinct = results.matches().front().standings().distinct();
    facts.emplace_back("games", games + format(", %d distinct", distinct));
  } else {
    const std::string& name = results.experiment().name;
    if (!name.empty()) facts.emplace_back("experiment", name);
    facts.emplace_back("games", games + format(" in %zu matches", results.matches().size()));
    if (whole.players.size() > 2) facts.emplace_back("ranking", ranking_text(whole));
    for (const Player* player : players_of(results.experiment())) {
      if (!std::holds_alternative<Program>(player->location)) continue;
      facts.emplace_back(player->name, player_text(*player));
    }
  }
  Document out{title_of(results), {{"", std::move(first)}}};
  std::vector<Block>& blocks = out.sections.front().blocks;
  blocks.emplace_back(facts_table(facts));
  if (is_one) blocks.emplace_back(seats_table(results, whole));
  DataTable matches = matches_table(results, whole);
  // What the lines around it tell.
  for (const char* key : {"games", "distinct_games", "failures"}) {
    if (is_one) matches.columns[matches.place_of(key)].head.clear();
  }
  blocks.emplace_back(std::move(matches));
  if (whole.players.size() > 2) {
    blocks.emplace_back(ratings_table(whole));
    if (const std::string note = ratings_figure(whole).note; !note.empty()) {
      blocks.emplace_back(Text{note});
    }
    blocks.emplace_back(cross_table(whole));
  }
  blocks.emplace_back(results.forfeits() > 0 ? failures_table(results)
                                             : facts_table({{"failures", "none"}}));
  return terminal_text(out);
}

}  // namespace pitboss::clients
