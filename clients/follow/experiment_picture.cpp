#include "clients/follow/experiment_picture.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/sprt_estimate.hpp"
#include "clients/follow/ages.hpp"
#include "clients/report/conclusions.hpp"
#include "clients/report/formatting.hpp"
#include "clients/report/machines.hpp"
#include "clients/report/match_charts.hpp"
#include "clients/report/report_sections.hpp"
#include "clients/report/summary.hpp"
#include "clients/report/tournament.hpp"

namespace pitboss::clients {

using nlohmann::ordered_json;
using namespace std::chrono_literals;

namespace {

/// The speed is that of the last games.
constexpr std::int64_t seconds_of_speed = 600;
/// Of a chart.
constexpr std::size_t most_points = 200;
/// With more matches there are no charts of Elo.
constexpr std::size_t most_charts = 8;

/// What is going on, from the times of the rounds and the referees.
struct Activity {
  std::int64_t last = 0;      ///< sign of life, seconds since 1970; 0: not known
  double games_a_minute = 0;  ///< 0: not known
  int planned = 0;
  int left = 0;  ///< at most
  std::string state;

  /// Seconds; nothing if nobody plays.
  [[nodiscard]] std::optional<double> time_left() const {
    if (state != "running" || games_a_minute <= 0) return std::nullopt;
    return 60 * left / games_a_minute;
  }
};

/// Games a minute of the rounds for which `counts(round)`, about the last of all.
template <class Counts>
double speed_of(const std::vector<PlayedRound>& rounds, const Counts& counts) {
  std::int64_t end = 0;
  for (const PlayedRound& round : rounds) end = std::max(end, round.ended);
  if (end == 0) return 0;
  std::int64_t begin = end;
  int games = 0;
  for (const PlayedRound& round : rounds) {
    if (round.ended < end - seconds_of_speed || round.ended == 0) continue;
    begin = std::min(begin, round.begun);
    if (counts(round)) games += static_cast<int>(round.games.size());
  }
  begin = std::max(begin, end - seconds_of_speed);
  constexpr std::int64_t least = 5;  // since times are whole seconds
  return end - begin < least ? 0 : 60.0 * games / static_cast<double>(end - begin);
}

Activity activity_of(const RecordedExperiment& recorded) {
  const LedgerContents& contents = recorded.contents;
  Activity out;
  for (const MatchResults& match : contents.results.matches()) {
    out.planned += match.match().games;
    if (!match.is_over()) out.left += match.match().games - match.standings().games();
  }
  for (const PlayedRound& round : contents.played) out.last = std::max(out.last, round.ended);
  bool is_alive = is_recent(out.last);
  for (const RefereeEntry& referee : recorded.contents.referees) {
    out.last = std::max<std::int64_t>(out.last, referee.seen / 1s);
    is_alive |= !referee.has_left && referee.silence <= std::chrono::seconds(longest_silence);
  }
  if (!recorded.contents.referees.empty() &&
      std::ranges::all_of(recorded.contents.referees, &RefereeEntry::has_left)) {
    is_alive = false;
  }
  out.games_a_minute = speed_of(contents.played, [](const PlayedRound&) { return true; });
  out.state = contents.results.is_over() ? "finished"
              : recorded.is_paused       ? "paused"
              : is_alive                 ? "running"
                                         : "stopped";
  return out;
}

/// The points of the colour that moves first, whoever has it.
Tally first_colour(const MatchResults& match) {
  Tally sum;
  for (const int i : {0, 1}) sum += match.standings().tally(i, static_cast<games::Colour>(0));
  return sum;
}

std::string pairs_text(const Scores& scores) {
  std::string out;
  for (const ScoreClass& c : scores.classes()) {
    out += (out.empty() ? "" : "-") + std::to_string(c.rounds);
  }
  return out;
}

std::optional<EloEstimate> corrected_estimate(const MatchResults& match) {
  if (!match.sprt()) return std::nullopt;
  return sprt_corrected_estimate(match.standings().scores(), *match.sprt());
}

void add_estimate(ordered_json& row, const std::string& name, const EloEstimate& estimate) {
  row[name] = number(estimate.elo);
  row[name + "_low"] = number(estimate.low);
  row[name + "_high"] = number(estimate.high);
}

ordered_json match_row(const Results& results, int index) {
  const MatchResults& match = results.matches()[index];
  const Standings& standings = match.standings();
  const Tally& tally = standings.tally(0);
  const Interval interval = score_interval(tally.points(), tally.games());
  ordered_json row{{"match", index + 1},
                   {"game", rules_text(match.match())},
                   {"player1", match.match().players[0].name},
                   {"player2", match.match().players[1].name},
                   {"games", tally.games()},
                   {"planned", match.match().games},
                   {"is_over", match.is_over()},
                   {"wins", tally.wins},
                   {"draws", tally.draws},
                   {"losses", tally.losses},
                   {"rounds", pairs_text(standings.scores())},
                   {"score", tally.score()},
                   {"score_low", interval.low},
                   {"score_high", interval.high}};
  add_estimate(row, "elo", elo_estimate(standings.scores()));
  add_estimate(row, "elo_sprt_corrected", corrected_estimate(match).value_or(EloEstimate{}));
  add_estimate(row, "normalized_elo", normalized_elo_estimate(standings.scores()));
  row["los"] = number(superiority(standings.scores()));
  row["llr"] = number(match.llr());
  const auto bounds = match.sprt() ? std::optional(sprt_bounds(*match.sprt())) : std::nullopt;
  row["llr_lower"] = number(bounds ? std::optional(bounds->low) : std::nullopt);
  row["llr_upper"] = number(bounds ? std::optional(bounds->high) : std::nullopt);
  row["decision"] = match.sprt() ? ordered_json(name_of(match.verdict())) : ordered_json();
  row["distinct_games"] = standings.distinct();
  row["first_colour"] = match.match().colours.front();
  row["first_colour_score"] = first_colour(match).score();
  row["failures"] = standings.forfeits();
  return row;
}

/// The test as a gauge between its bounds.
Markup gauge(const MatchResults& match) {
  if (!match.sprt()) return cell("-");
  const Interval bounds = sprt_bounds(*match.sprt());
  const auto value = [](double of) { return format("%.3f", of); };
  return element(
      "td", {{"class", "words"}},
      element(
          "meter",
          {{"min", value(bounds.low)}, {"max", value(bounds.high)}, {"value", value(*match.llr())}},
          text(llr_text(match))) +
          text(" " + llr_text(match)));
}

/// A column of the standings, or a row if there are few matches.
struct Quantity {
  Column column;
  Markup (*cell_of)(const MatchResults& match);
};

Markup corrected_cell(const MatchResults& match) {
  const auto corrected = corrected_estimate(match);
  return cell(corrected ? elo_text(*corrected) : "-");
}

Markup normalized_cell(const MatchResults& match) {
  const EloEstimate normalized = normalized_elo_estimate(match.standings().scores());
  return cell(normalized.elo ? elo_text(normalized) : "-");
}

Markup first_colour_cell(const MatchResults& match) {
  const Tally first = first_colour(match);
  return cell(format("%.1f ", 100 * first.score()) +
              percent_text(score_interval(first.points(), first.games())));
}

Markup failures_cell(const MatchResults& match) {
  const int failures = match.standings().forfeits();
  return element("td", {{"class", failures > 0 ? "alarm" : ""}}, text(std::to_string(failures)));
}

const std::vector<Quantity> quantities = {
    {{"games"},
     [](const MatchResults& match) {
       return cell(format("%d of %d", match.standings().games(), match.match().games));
     }},
    {{"won / drawn / lost"},
     [](const MatchResults& match) {
       const Tally& tally = match.standings().tally(0);
       return cell(format("%d / %d / %d", tally.wins, tally.draws, tally.losses));
     }},
    {{"rounds"},
     [](const MatchResults& match) { return cell(pairs_text(match.standings().scores())); }},
    {{"plain Elo"},
     [](const MatchResults& match) {
       return cell(elo_text(elo_estimate(match.standings().scores())));
     }},
    {{"SPRT-corrected Elo"}, corrected_cell},
    {{"normalized Elo"}, normalized_cell},
    {{"LOS %"},
     [](const MatchResults& match) {
       return cell(format("%.1f", 100 * superiority(match.standings().scores())));
     }},
    {{"LLR", true}, gauge},
    {{"distinct games"},
     [](const MatchResults& match) { return cell(std::to_string(match.standings().distinct())); }},
    {{"first colour's score %"}, first_colour_cell},
    {{"failures"}, failures_cell}};

Markup standings_table(const Results& results) {
  constexpr std::size_t few = 3;
  const bool is_upright = results.matches().size() <= few;
  std::vector<Column> columns = {{is_upright ? "" : "match", true}};
  std::vector<Markup> rows;
  if (is_upright) {
    for (const Quantity& quantity : quantities) rows.push_back(row_head(quantity.column.head));
  } else {
    for (const Quantity& quantity : quantities) columns.push_back(quantity.column);
  }
  for (std::size_t i = 0; i < results.matches().size(); ++i) {
    const std::string name = match_name(results, static_cast<int>(i));
    if (is_upright) {
      columns.push_back({name});
    } else {
      rows.push_back(row_head(name));
    }
    for (std::size_t q = 0; q < quantities.size(); ++q) {
      rows[is_upright ? q : i] += quantities[q].cell_of(results.matches()[i]);
    }
  }
  return table("", columns, rows);
}

Markup standings_part(const Results& results) {
  return note(
             "Seen by the first player. Plain Elo takes the games as if their number had been "
             "fixed; a test that ends sooner the luckier it is makes it too extreme, which the "
             "SPRT-corrected Elo is not. Rounds: by their points, from none to all; of two games, "
             "the pentanomial. LOS: the probability that the first player is stronger.") +
         standings_table(results);
}

Markup progress_part(const Activity& activity, const LedgerContents& contents) {
  std::string words = format("%d of at most %d games", contents.results.games(), activity.planned);
  if (activity.left > 0) words += format(", %d left", activity.left);
  if (activity.games_a_minute > 0) {
    words += format("; %.1f games a minute", activity.games_a_minute);
  }
  if (const auto left = activity.time_left()) {
    words += "; about " + duration_text(*left) + (*left < 3600 ? " minutes" : " hours") + " left";
  }
  Markup out =
      element("p", text("This experiment is ") + element("b", activity.state) +
                       text(": " + words + ". Last sign of life: ") + time_markup(activity.last));
  const std::string when = playing_times(contents.played);
  if (!when.empty()) out += note(when);
  if (contents.results.forfeits() > 0) {
    out += element("p", {{"class", "alarm"}},
                   text(format("Games lost by failures rather than by play: %d.",
                               contents.results.forfeits())));
  }
  return out;
}

double speed_of(const RefereeEntry& referee, const std::vector<PlayedRound>& rounds) {
  return speed_of(rounds, [&](const PlayedRound& round) { return round.referee == referee.id; });
}

Rows referee_rows(const RecordedExperiment& recorded) {
  Rows rows = Rows::array();
  for (const RefereeEntry& one : recorded.contents.referees) {
    rows.push_back({{"referee", one.name},
                    {"host", one.host},
                    {"processor", one.processor},
                    {"program", one.program},
                    {"joined", one.joined / 1s},
                    {"seen", one.seen / 1s},
                    {"has_left", one.has_left},
                    {"rounds", one.rounds},
                    {"games", one.games},
                    {"held", one.held},
                    {"games_a_minute", speed_of(one, recorded.contents.played)},
                    {"id", one.id}});
  }
  return rows;
}

Markup referees_part(const RecordedExperiment& recorded) {
  if (recorded.contents.referees.empty()) return paragraph("The ledger does not tell who plays.");
  std::vector<Markup> rows;
  for (const RefereeEntry& one : recorded.contents.referees) {
    const bool is_silent = !one.has_left && one.silence > std::chrono::seconds(longest_silence);
    const std::string state = one.has_left ? "has left" : is_silent ? "silent" : "plays";
    rows.push_back(row_head(one.name) + words(one.processor) + words(one.program) +
                   element("td", {{"class", is_silent ? "words alarm" : "words"}}, text(state)) +
                   element("td", time_markup(one.seen / 1s)) + cell(std::to_string(one.games)) +
                   cell(std::to_string(one.held)) +
                   cell(format("%.1f", speed_of(one, recorded.contents.played))));
  }
  return table("",
               {{"referee", true},
                {"processor", true},
                {"version", true},
                {"state", true},
                {"last sign of life", true},
                {"games"},
                {"rounds in play"},
                {"games a minute"}},
               rows);
}

/// What the charts show.
struct Course {
  Rows rows = Rows::array();
  Markup charts;
};

Course course_of(const LedgerContents& contents) {
  Course out;
  const auto games = counted_games(contents);
  const auto& matches = contents.results.matches();
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const auto course = course_of(matches[i], games[i], most_points);
    for (const Standing& at : course) {
      Rows row{{"match", i + 1},
               {"games", at.games},
               {"score", at.score},
               {"score_low", at.interval.low},
               {"score_high", at.interval.high}};
      add_estimate(row, "elo", at.elo);
      row["llr"] = matches[i].sprt() ? number(at.llr) : Rows();
      out.rows.push_back(std::move(row));
    }
    if (matches.size() <= most_charts) out.charts += elo_chart(matches[i], course);
  }
  return out;
}

Rows failure_rows(const Results& results) {
  Rows rows = Rows::array();
  for (const std::string& player : whole_tournament(results).players) {
    Rows row{{"player", player}};
    for (const Failure failure : all_failures) {
      int count = 0;
      for (const MatchResults& match : results.matches()) {
        for (const int side : {0, 1}) {
          if (match.match().players[side].name != player) continue;
          count += match.standings().failures(side, failure);
        }
      }
      row[std::string(name_of(failure))] = count;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// The first player of each pair against the second, all games together.
Rows cross_rows(const Results& results) {
  const Tournament whole = whole_tournament(results);
  Rows rows = Rows::array();
  const auto count = static_cast<int>(whole.players.size());
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      const Tally& tally = whole.table(i, j);
      if (i == j || tally.games() == 0) continue;
      rows.push_back({{"player", whole.players[i]},
                      {"against", whole.players[j]},
                      {"games", tally.games()},
                      {"points", tally.points()},
                      {"score", tally.score()}});
    }
  }
  return rows;
}

Rows match_rows(const Results& results) {
  Rows rows = Rows::array();
  for (std::size_t i = 0; i < results.matches().size(); ++i) {
    rows.push_back(match_row(results, static_cast<int>(i)));
  }
  return rows;
}

ordered_json list_row(const std::string& name, const RecordedExperiment& recorded,
                      const Activity& activity) {
  const Results& results = recorded.contents.results;
  std::string games;
  for (const Tournament& game : tournaments_by_game(results)) {
    games += (games.empty() ? "" : ", ") + game.title;
  }
  const auto verdicts = verdicts_of(results);
  return {{"name", name},
          {"kind", "experiment"},
          {"title", title_of(results)},
          {"game", games},
          {"state", activity.state},
          {"done", results.games()},
          {"of", activity.planned},
          {"unit", "games"},
          {"games_a_minute", activity.games_a_minute},
          {"seconds_left", number(activity.time_left())},
          {"failures", results.forfeits()},
          {"last", activity.last},
          {"words", verdicts.empty() ? "" : verdicts.front()}};
}

}  // namespace

Picture picture_of(const std::string& name, const RecordedExperiment& recorded) {
  const LedgerContents& contents = recorded.contents;
  const Results& results = contents.results;
  const Activity activity = activity_of(recorded);
  Picture out;
  out.row = list_row(name, recorded, activity);
  out.is_running = activity.state == "running";
  out.facts = {{"games_left", activity.left}, {"summary", summary_of(results)}};
  Course course = course_of(contents);
  out.tables["matches"] = match_rows(results);
  out.tables["cross"] = cross_rows(results);
  out.tables["ratings"] = out.facts["summary"]["ratings"]["overall"];
  out.tables["course"] = std::move(course.rows);
  out.tables["failure_kinds"] = failure_rows(results);
  out.tables["incidents"] = incident_rows(contents.incidents, "match", 1);
  out.tables["referees"] = referee_rows(recorded);
  const std::vector<Machine> machines = machines_of(contents);
  MachineRows rows = machine_rows(machines);
  out.tables["machines"] = std::move(rows.machines);
  out.tables["machine_scores"] = std::move(rows.scores);
  out.parts = {{"Progress", progress_part(activity, contents)},
               {"Standings", standings_part(results)},
               {"Elo over the games", element("div", {{"class", "plots"}}, course.charts)},
               {"Referees", referees_part(recorded)}};
  for (ReportPart& part : report_parts(contents, machines)) out.parts.push_back(std::move(part));
  return out;
}

}  // namespace pitboss::clients
