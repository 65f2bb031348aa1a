#include "clients/results/match_tables.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <set>
#include <utility>

#include "clients/players/line_stream.hpp"
#include "clients/results/conclusions.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/summary.hpp"

namespace pitboss::clients {

using namespace std::chrono_literals;

namespace {

/// With more matches a table has a line for each.
constexpr std::size_t most_upright = 3;
constexpr std::size_t most_repeated = 5;
/// The speed is that of the last games.
constexpr std::int64_t seconds_of_speed = 600;

struct PlacedMatch {
  const Results* results;
  int place;
  [[nodiscard]] const MatchResults& of() const { return results->matches()[place]; }
  [[nodiscard]] const Standings& standings() const { return of().standings(); }
  [[nodiscard]] const Tally& tally() const { return standings().tally(0); }
  [[nodiscard]] const std::string& player(int i) const { return of().match().players[i].name; }
};

/// A number of games that leads to them.
Cell games_cell(const PlacedMatch& match, int count, const std::string& how) {
  return Cell(count).leading_to(count > 0 ? games_place(match.place, how) : "");
}

Cell elo_cell(const PlacedMatch& match) {
  if (match.standings().breakdowns().decide()) return {};
  return Cell(match.standings().elo());
}

Cell normalized_cell(const PlacedMatch& match) {
  const EloEstimate normalized = match.standings().normalized_elo();
  return Cell(normalized).with_words(normalized.elo ? "" : "-");
}

Cell corrected_cell(const PlacedMatch& match) {
  if (!match.of().sprt()) return Cell(EloEstimate{});
  const auto corrected = match.standings().corrected_elo(*match.of().sprt());
  return Cell(corrected.value_or(EloEstimate{})).with_words(corrected ? "" : "-");
}

Cell llr_cell(const PlacedMatch& match) {
  Cell out(match.of().llr());
  if (!match.of().sprt()) return out;
  const Interval bounds = sprt_bounds(*match.of().sprt());
  out.low = bounds.low;
  out.high = bounds.high;
  out.words = llr_text(match.of());
  if (match.of().games_beyond() > 0) {
    out.words += format(", %d games after the decision not counted", match.of().games_beyond());
  }
  return out;
}

/// By their points, from none to all.
std::string rounds_text(const Scores& scores) {
  std::string out;
  for (const ScoreClass& c : scores.classes()) {
    out += (out.empty() ? "" : "-") + std::to_string(c.rounds);
  }
  return out;
}

/// The points of the colour that moves first, whoever has it.
Cell first_colour_cell(const PlacedMatch& match) {
  Tally sum;
  for (const int i : {0, 1}) sum += match.standings().tally(i, static_cast<games::Colour>(0));
  Cell out = score_cell(sum);
  out.is_strong = false;
  return out;
}

Cell processor_cell(const PlacedMatch& match) {
  std::string words = shares_text(match.of());
  const bool is_unlike = match.of().has_unlike_shares();
  const bool is_short = match.of().has_short_shares();
  if (is_unlike) {
    words += ": UNLIKE SHARES, so that the score is not one of play alone";
  } else if (is_short) {
    words += ": SHORT SHARES, so that the players thought for less than their time";
  }
  return Cell(words).alarming(is_unlike || is_short);
}

const std::vector<Quantity<PlacedMatch>> match_quantities = {
    {{"", "match"}, [](auto& m) { return match_name(*m.results, m.place); }},
    {{"match"}, [](auto& m) { return m.place + 1; }},
    {{"game"}, [](auto& m) { return rules_text(m.of().match()); }},
    {{"player1"}, [](auto& m) { return m.player(0); }},
    {{"player2"}, [](auto& m) { return m.player(1); }},
    {{"games", "games"},
     [](auto& m) {
       const int games = m.standings().games();
       return games_cell(m, games, "").with_words(format("%d of %d", games, m.of().match().games));
     }},
    {{"planned"}, [](auto& m) { return m.of().match().games; }},
    {{"is_over"}, [](auto& m) { return m.of().is_over(); }},
    {{"wins", "won"}, [](auto& m) { return games_cell(m, m.tally().wins, "won"); }},
    {{"draws", "drawn"}, [](auto& m) { return games_cell(m, m.tally().draws, "drawn"); }},
    {{"losses", "lost"}, [](auto& m) { return games_cell(m, m.tally().losses, "lost"); }},
    {estimate_column("score", "score %", Form::percent, 2),
     [](auto& m) { return score_cell(m.tally()); }},
    {estimate_column("elo", "Elo", Form::elo), elo_cell},
    {estimate_column("elo_sprt_corrected", "SPRT-corrected Elo", Form::elo), corrected_cell},
    {estimate_column("normalized_elo", "normalized Elo", Form::elo), normalized_cell},
    {{"los", "LOS %", Form::percent, 1}, [](auto& m) { return m.standings().superiority(); }},
    {{"llr", "SPRT", Form::gauge, 2, {"llr_lower", "llr_upper"}}, llr_cell},
    {{"decision"},
     [](auto& m) {
       return m.of().sprt() ? Cell(name_of(m.of().verdict())) : Cell(std::optional<double>());
     }},
    {{.key = "rounds", .head = "rounds", .is_detail = true},
     [](auto& m) { return rounds_text(m.standings().scores()); }},
    {{"", "simulations"}, [](auto& m) { return simulations_text(m.of()); }},
    {{.key = "", .head = "processor", .is_detail = true}, processor_cell},
    {{.key = "distinct_games", .head = "distinct", .is_detail = true},
     [](auto& m) { return m.standings().distinct(); }},
    {{"first_colour"}, [](auto& m) { return m.of().match().colours.front(); }},
    {{.key = "first_colour_score",
      .head = "first colour %",
      .form = Form::percent,
      .digits = 1,
      .is_detail = true},
     first_colour_cell},
    {{"failures", "failures"}, [](auto& m) {
       return Cell(m.standings().forfeits()).alarming(m.standings().forfeits() > 0);
     }}};

/// The sum of a player's seats in all matches of a tournament.
Tally tally_of(const Results& results, const Tournament& tournament, const std::string& player,
               std::optional<games::Colour> colour) {
  Tally sum;
  for (const int i : tournament.matches) {
    const MatchResults& match = results.matches()[i];
    for (const int side : {0, 1}) {
      if (match.match().players[side].name != player) continue;
      sum += colour ? match.standings().tally(side, *colour) : match.standings().tally(side);
    }
  }
  return sum;
}

/// A score as a matrix has it. It leads to its games if they belong to one match.
Cell heat_cell(const Tally& tally, int match = -1) {
  if (tally.games() == 0) return {};
  return score_cell(tally).leading_to(match < 0 ? "" : games_place(match));
}

Column heat_column(std::string head) { return {"", std::move(head), Form::heat, 1}; }

/// Each referee has its own servers: the tables of machines and referees tell where they were.
std::string location_text(const Location& location) {
  return std::holds_alternative<Address>(location) ? "the referees' servers" : text_of(location);
}

/// The declared options that the player does not set, as a command writes them.
std::string others_text(const Player& player, const Declaration& declaration) {
  std::string out;
  for (const auto& [name, value] : declaration.options) {
    const bool is_set = std::ranges::count(player.options, name, &engine::Assignment::name) > 0;
    if (!is_set) out += (out.empty() ? "" : " ") + name + "=" + value;
  }
  return out;
}

std::string endings_text(const Match& match) {
  std::string out = adjudication_text(match.adjudication);
  if (match.max_plies > 0) {
    out += format("%sa draw after %d plies", out.empty() ? "" : "; ", match.max_plies);
  }
  return out.empty() ? "none" : out;
}

}  // namespace

std::string games_place(int match, const std::string& how) {
  return "#games-" + std::to_string(match + 1) + (how.empty() ? "" : "-" + how);
}

DataTable matches_table(const Results& results, const Tournament& tournament) {
  std::vector<PlacedMatch> matches;
  for (const int i : tournament.matches) matches.push_back({&results, i});
  DataTable out = table_of("matches", match_quantities, matches);
  if (!results.experiment().sprt) {
    for (const char* key : {"elo_sprt_corrected", "llr"}) out.columns[out.place_of(key)].head = "";
  }
  out.is_upright = matches.size() <= most_upright;
  return out;
}

DataTable seats_table(const Results& results, const Tournament& tournament) {
  DataTable out{.columns = {{"", "seat"},
                            {"", "won"},
                            {"", "drawn"},
                            {"", "lost"},
                            {"", "score %", Form::percent, 2}}};
  const auto colours = results.matches()[tournament.matches.front()].match().colours;
  for (const std::string& player : tournament.players) {
    const auto add = [&](const std::string& seat, std::optional<games::Colour> colour) {
      const Tally tally = tally_of(results, tournament, player, colour);
      out.rows.push_back({seat, tally.wins, tally.draws, tally.losses, score_cell(tally)});
    };
    add(player, std::nullopt);
    for (std::size_t c = 0; c < colours.size(); ++c) {
      add(player + ", " + std::string(colours[c]), static_cast<games::Colour>(c));
    }
  }
  return out;
}

DataTable ratings_table(const Tournament& tournament) {
  const Ratings ratings = rate(tournament.table);
  DataTable out{.columns = {{"player", "player"},
                            {"component", ratings.components > 1 ? "component" : ""},
                            {"elo", "Elo", Form::elo, 1, {"low", "high"}},
                            {"unrated", ""},
                            {"games", "games"},
                            {"points", ""},
                            {"", "score %", Form::percent, 2}}};
  for (const int i : tournament.ranking(ratings)) {
    const Rating& rating = ratings.players[i];
    const Tally total = tournament.table.total(i);
    const bool is_rated = rating.status == RatingStatus::rated;
    Cell elo(is_rated ? std::optional(rating.elo) : std::nullopt);
    Cell unrated;
    if (!is_rated) {
      elo.words = why_unrated(rating.status);
      unrated = Cell(elo.words);
    } else if (rating.error) {
      elo.low = rating.elo - *rating.error;
      elo.high = rating.elo + *rating.error;
    } else {
      elo.words = signed_text(rating.elo);
    }
    Cell score(total.score());
    out.rows.push_back({tournament.players[i], rating.component, elo, unrated, total.games(),
                        total.points(), score});
  }
  return out;
}

DataTable cross_table(const Tournament& tournament) {
  return cross_table(tournament, tournament.ranking(rate(tournament.table)));
}

DataTable cross_table(const Tournament& tournament, const std::vector<int>& order) {
  DataTable out{.columns = {{"", "player"}},
                .caption =
                    "Score % of the player on the left, and games, against the one above; bold "
                    "where the 95 % interval excludes 50 %; " +
                    tournament.title};
  for (const int j : order) out.columns.push_back(heat_column(tournament.players[j]));
  out.columns.push_back(heat_column("all"));
  for (const int i : order) {
    Cells& row = out.rows.emplace_back(Cells{tournament.players[i]});
    for (const int j : order) row.push_back(heat_cell(tournament.table(i, j)));
    row.push_back(heat_cell(tournament.table.total(i)));
  }
  return out;
}

DataTable pairs_table(const Tournament& tournament) {
  DataTable out{.name = "cross",
                .columns = {{"player"}, {"against"}, {"games"}, {"points"}, {"score"}}};
  const auto count = static_cast<int>(tournament.players.size());
  for (int i = 0; i < count; ++i) {
    for (int j = 0; j < count; ++j) {
      const Tally& tally = tournament.table(i, j);
      if (i == j || tally.games() == 0) continue;
      out.rows.push_back({tournament.players[i], tournament.players[j], tally.games(),
                          tally.points(), tally.score()});
    }
  }
  return hidden(std::move(out));
}

DataTable games_table(const Results& results, const std::vector<Tournament>& games) {
  struct Pair {
    std::string name;
    std::vector<Tally> tallies;
    std::vector<int> matches;  // -1: none, or several
  };
  std::vector<Pair> pairs;
  const auto name_of = [](const std::string& a, const std::string& b) { return a + " - " + b; };
  for (std::size_t game = 0; game < games.size(); ++game) {
    for (const int i : games[game].matches) {
      const auto& players = results.matches()[i].match().players;
      Tally tally = results.matches()[i].standings().tally(0);
      auto pair = std::ranges::find(pairs, name_of(players[1].name, players[0].name), &Pair::name);
      if (pair != pairs.end()) {
        tally = tally.reversed();
      } else {
        const std::string name = name_of(players[0].name, players[1].name);
        pair = std::ranges::find(pairs, name, &Pair::name);
        if (pair == pairs.end()) {
          pair = pairs.insert(
              pair, {name, std::vector<Tally>(games.size()), std::vector<int>(games.size(), -1)});
        }
      }
      pair->matches[game] = pair->tallies[game].games() == 0 ? i : -1;
      pair->tallies[game] += tally;
    }
  }
  DataTable out{.columns = {{"", "match"}},
                .caption =
                    "Score % of the first player, and games, by game; bold where the 95 % "
                    "interval excludes 50 %"};
  for (const Tournament& game : games) out.columns.push_back(heat_column(game.title));
  out.columns.push_back(heat_column("all"));
  for (const Pair& pair : pairs) {
    Cells& row = out.rows.emplace_back(Cells{pair.name});
    Tally sum;
    for (std::size_t game = 0; game < games.size(); ++game) {
      row.push_back(heat_cell(pair.tallies[game], pair.matches[game]));
      sum += pair.tallies[game];
    }
    row.push_back(heat_cell(sum));
  }
  return out;
}

DataTable failures_table(const Results& results) {
  DataTable out{.name = "failure_kinds",
                .columns = {{"player", "player"}},
                .caption = "Games lost by something other than play"};
  for (const Failure failure : all_failures) {
    const std::string name(name_of(failure));
    out.columns.push_back({name, name});
  }
  out.columns.push_back({"", "all"});
  for (const std::string& player : whole_tournament(results).players) {
    std::map<Failure, int> counts;
    int total = 0;
    for (const MatchResults& match : results.matches()) {
      for (const int side : {0, 1}) {
        if (match.match().players[side].name != player) continue;
        for (const Failure failure : all_failures) {
          counts[failure] += match.standings().failures(side, failure);
        }
      }
    }
    Cells& row = out.rows.emplace_back(Cells{player});
    for (const auto& [failure, count] : counts) {
      row.push_back(Cell(count).alarming(count > 0));
      total += count;
    }
    row.emplace_back(total);
  }
  return out;
}

DataTable incidents_table(std::span<const Incident> incidents, const std::string& key, int first,
                          const std::function<Cell(int match)>& name_of) {
  DataTable out{.name = "incidents",
                .columns = {{"time", "time", Form::time},
                            {"", key},
                            {key, ""},
                            {"game", "game"},
                            {"player", "player"},
                            {"place", "place"},
                            {"reason", "what happened"},
                            {"is_loss", "the game was"},
                            {"excerpt", "excerpt", Form::folded}},
                .caption = "What went wrong, and what was said before",
                .has_heads = false};
  for (const Incident& one : incidents) {
    out.rows.push_back({one.when, name_of(one.match), one.match + first, one.game, one.player,
                        one.location, Cell(one.reason).alarming(one.is_loss),
                        Cell(one.is_loss).with_words(one.is_loss ? "lost" : "played again"),
                        one.excerpt});
  }
  return out;
}

DataTable repeats_table(const Results& results) {
  DataTable out{
      .columns = {
          {"", "match"}, {"", "games"}, {"", "distinct"}, {"", "repeats"}, {"", "most often"}}};
  for (std::size_t i = 0; i < results.matches().size(); ++i) {
    const Standings& standings = results.matches()[i].standings();
    if (standings.duplicates() == 0) continue;
    std::vector<std::pair<int, std::string>> often;
    for (const auto& [moves, times] : standings.times_played()) {
      if (times > 1) often.emplace_back(-times, moves);
    }
    std::ranges::sort(often);
    if (often.size() > most_repeated) often.resize(most_repeated);
    std::string most;
    for (const auto& [times, moves] : often) {
      constexpr std::size_t shown = 40;
      most += (most.empty() ? "" : "; ") + std::to_string(-times) + " times " +
              moves.substr(0, shown) + (moves.size() > shown ? "..." : "");
    }
    out.rows.push_back({match_name(results, static_cast<int>(i)), standings.games(),
                        standings.distinct(), standings.duplicates(), most});
  }
  return out;
}

double speed_of(const std::vector<PlayedRound>& rounds,
                const std::function<bool(const PlayedRound&)>& counts) {
  std::int64_t end = 0;
  for (const PlayedRound& round : rounds) {
    if (counts(round)) end = std::max(end, round.ended);
  }
  const std::int64_t begin = end - seconds_of_speed;
  std::vector<PlayedRound> times;  // without the games
  std::size_t games = 0;
  for (const PlayedRound& round : rounds) {
    if (round.begun == 0 || round.ended < begin || !counts(round)) continue;
    times.push_back({.games = {}, .begun = std::max(round.begun, begin), .ended = round.ended});
    games += round.games.size();
  }
  const std::int64_t seconds = seconds_of_play(times);
  constexpr std::int64_t least = 5;  // since times are whole seconds
  return seconds < least ? 0 : 60 * static_cast<double>(games) / static_cast<double>(seconds);
}

Cell speed_cell(double games_a_minute) {
  return Cell(games_a_minute).with_words(games_a_minute > 0 ? "" : "-");
}

DataTable referees_table(const LedgerContents& contents) {
  const auto is_silent = [](auto& one) {
    return !one.has_left && one.silence > std::chrono::seconds(longest_silence);
  };
  const std::vector<Quantity<RefereeEntry>> quantities = {
      {{"referee", "referee"}, &RefereeEntry::name},
      {{"host"}, &RefereeEntry::host},
      {{"processor", "processor"}, &RefereeEntry::processor},
      {{"program", "version"}, &RefereeEntry::program},
      {{"has_left", "state"},
       [&](auto& one) {
         return Cell(one.has_left)
             .with_words(one.has_left     ? "has left"
                         : is_silent(one) ? "silent"
                                          : "plays")
             .alarming(is_silent(one));
       }},
      {{"joined"}, [](auto& one) { return Cell(one.joined / 1s); }},
      {{"seen", "last sign of life", Form::time}, [](auto& one) { return Cell(one.seen / 1s); }},
      {{"rounds"}, &RefereeEntry::rounds},
      {{"games", "games"}, &RefereeEntry::games},
      {{"held", "rounds in play"}, &RefereeEntry::held},
      {{"games_a_minute", "games a minute", Form::number, 1},
       [&](auto& one) {
         return speed_cell(speed_of(
             contents.played, [&](const PlayedRound& round) { return round.referee == one.id; }));
       }},
      {{"id"}, &RefereeEntry::id}};
  return table_of("referees", quantities, contents.referees);
}

DataTable players_table(const Results& results) {
  DataTable out{
      .columns = {{"", "player"}, {"", "speaks"}, {"", "place"}, {"", "options, as they are sent"}},
      .caption = "Players"};
  std::set<std::string> seen;
  for (const MatchResults& match : results.matches()) {
    for (const Player& player : match.match().players) {
      if (!seen.insert(player.name).second) continue;
      out.rows.push_back({player.name, language_text(player), location_text(player.location),
                          options_text(player)});
    }
  }
  return out;
}

DataTable engines_table(const Results& results) {
  // Most engines declare the same in every game.
  std::map<std::array<std::string, 3>, std::vector<std::string>> games;
  for (const MatchResults& match : results.matches()) {
    for (const std::size_t i : {0, 1}) {
      const Player& player = match.match().players[i];
      const auto& declared = match.declared()[i];
      if (!declared) continue;
      auto& known = games[{player.name, declared->program, others_text(player, *declared)}];
      const std::string rules = rules_text(match.match());
      if (std::ranges::count(known, rules) == 0) known.push_back(rules);
    }
  }
  DataTable out{.columns = {{"", "player"},
                            {"", "program"},
                            {"", "games"},
                            {"", "its other options", Form::folded}},
                .caption = "Engines, as they said of themselves before the first game"};
  for (const auto& [engine, rules] : games) {
    const auto& [player, program, others] = engine;
    std::string list;
    for (const std::string& game : rules) list += (list.empty() ? "" : ", ") + game;
    out.rows.push_back({player, program, list, others});
  }
  return out;
}

DataTable rules_table(const Results& results) {
  DataTable out{.columns = {{"", "game"},
                            {"", "parameters"},
                            {"", "openings"},
                            {"", "seed"},
                            {"", "adjudication"},
                            {"", "time for a move without a clock"},
                            {"", "margin of clocks"},
                            {"", "matches"}},
                .caption = "Games, by their first match"};
  for (const Tournament& game : tournaments_by_game(results)) {
    const Match& match = results.matches()[game.matches.front()].match();
    out.rows.push_back(
        {match.game, match.parameters.line(), match.openings.summary(), std::to_string(match.seed),
         endings_text(match), seconds_text(match.move_timeout),
         match.has_clock() ? seconds_text(match.time_margin) : "-", game.matches.size()});
  }
  return out;
}

}  // namespace pitboss::clients
