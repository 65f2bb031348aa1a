#include <algorithm>
#include <variant>
#include <vector>

#include "clients/experiments/shell_words.hpp"
#include "clients/experiments/statistics/elo.hpp"
#include "clients/experiments/statistics/ratings.hpp"
#include "clients/experiments/time_control.hpp"
#include "clients/report/formatting.hpp"
#include "clients/report/summary.hpp"
#include "clients/report/tournament.hpp"

namespace pitboss::clients {

namespace {

std::string row(const char* key, const std::string& value) {
  return format("%-10s %s\n", key, value.c_str());
}

int width_of(const std::vector<std::string>& names, std::size_t least) {
  for (const std::string& name : names) least = std::max(least, name.size());
  return static_cast<int>(least);
}

/// A line for each player, with the points of its seats of each colour.
std::string scores_table(const Match& match, const Standings& standings) {
  const int width = width_of({match.players[0].name, match.players[1].name}, 6);
  std::string out = format("%-*s %6s %6s %6s %7s  %-15s", width, "player", "wins", "draws",
                           "losses", "score %", "95 % interval");
  for (const std::string_view colour : match.colours) {
    out += format(" %8s", (std::string(colour) + " %").c_str());
  }
  for (const int i : {0, 1}) {
    const Tally& tally = standings.tally(i);
    const Interval interval = score_interval(tally.points(), tally.games());
    out +=
        format("\n%-*s %6d %6d %6d %7.2f  %-15s", width, match.players[i].name.c_str(), tally.wins,
               tally.draws, tally.losses, 100 * tally.score(), percent_text(interval, 2).c_str());
    for (std::size_t c = 0; c < match.colours.size(); ++c) {
      out += format(" %8.2f", 100 * standings.tally(i, static_cast<games::Colour>(c)).score());
    }
  }
  return out + "\n";
}

std::string failures_rows(const Match& match, const Standings& standings, const std::string& at) {
  std::string out;
  for (const int i : {0, 1}) {
    for (const auto& [reason, count] : standings.failures(i)) {
      out += row("failures",
                 at + match.players[i].name + ": " + reason + ", " + std::to_string(count));
    }
  }
  return out;
}

/// The mark of a match whose players got unlike shares of the processor.
std::string unlike_text(const MatchResults& results) {
  return results.has_unlike_shares() ? ": UNLIKE SHARES, so that the score is not one of play alone"
                                     : "";
}

/// How much stronger the first player is.
std::string strength_rows(const MatchResults& results) {
  const Scores& scores = results.standings().scores();
  const EloEstimate normalized = normalized_elo_estimate(scores);
  std::string out = row("Elo", elo_text(elo_estimate(scores)) + ", normalized " +
                                   (normalized.elo ? elo_text(normalized) : "-"));
  out += row("LOS", format("%.1f %%", 100 * superiority(scores)));
  if (scores.games_per_round() == 2) {
    std::string pairs;
    for (const ScoreClass& c : scores.classes()) {
      pairs += (pairs.empty() ? "" : " ") + std::to_string(c.rounds);
    }
    out += row("pairs", pairs + " (won 0, 1/2, 1, 3/2, 2 points)");
  }
  if (results.sprt()) {
    std::string text = llr_text(results);
    if (results.games_beyond() > 0) {
      text += format(", %d games after the decision not counted", results.games_beyond());
    }
    out += row("SPRT", text);
  }
  return out;
}

/// What the players' searches did, and whether that was a fair match.
std::string search_rows(const MatchResults& results) {
  std::string out;
  const std::string simulations = simulations_text(results);
  if (simulations != "- / -") out += row("search", simulations + " simulations a move (medians)");
  const std::string shares = shares_text(results);
  if (!shares.empty()) out += row("processor", shares + unlike_text(results));
  return out;
}

std::string match_table(const MatchResults& results) {
  const Match& match = results.match();
  const Standings& standings = results.standings();
  std::string out = row("game", rules_text(match));
  for (const Player& player : match.players) {
    out += row(player.name.c_str(), player_text(player));
  }
  out += row("openings", match.openings.summary() + ", seed " + std::to_string(match.seed));
  out += row("games", std::to_string(standings.games()) + " of " + std::to_string(match.games) +
                          ", " + std::to_string(standings.distinct()) + " distinct");
  out +=
      "\n" + scores_table(match, standings) + "\n" + strength_rows(results) + search_rows(results);
  out += standings.forfeits() == 0 ? row("failures", "none") : failures_rows(match, standings, "");
  return out;
}

std::string ratings_table(const Tournament& tournament) {
  const Ratings ratings = rate(tournament.table);
  const int width = width_of(tournament.players, 6);
  std::string out = format("%-*s %8s  %-19s %6s %7s\n", width, "player", "Elo", "95 % interval",
                           "games", "score %");
  int component = -1;
  for (const int i : tournament.ranking(ratings)) {
    const Rating& rating = ratings.players[i];
    const bool is_rated = rating.status == RatingStatus::rated;
    if (is_rated && component >= 0 && rating.component != component) {
      out +=
          "(not to be compared with those above: they have no games, or only wins, between "
          "them)\n";
    }
    if (is_rated) component = rating.component;
    const std::string elo = is_rated ? format("%+.1f", rating.elo) : "-";
    std::string interval(why_unrated(rating.status));
    if (is_rated && rating.error) {
      interval = format("[%+.1f, %+.1f]", rating.elo - *rating.error, rating.elo + *rating.error);
    }
    const Tally total = tournament.table.total(i);
    out += format("%-*s %8s  %-19s %6d %7.2f\n", width, tournament.players[i].c_str(), elo.c_str(),
                  interval.c_str(), total.games(), 100 * total.score());
  }
  return out;
}

/// Score and games of each player against each other, the strongest first.
std::string crosstable(const Tournament& tournament) {
  const int width = width_of(tournament.players, 6);
  const int cell = std::max(width, 13);
  const std::vector<int> order = tournament.ranking(rate(tournament.table));
  std::string out = format("%-*s", width, "score %");
  for (const int j : order) out += format("  %*s", cell, tournament.players[j].c_str());
  for (const int i : order) {
    out += format("\n%-*s", width, tournament.players[i].c_str());
    for (const int j : order) {
      const Tally& tally = tournament.table(i, j);
      const std::string text =
          tally.games() == 0 ? "-" : format("%.1f (%d)", 100 * tally.score(), tally.games());
      out += format("  %*s", cell, text.c_str());
    }
  }
  return out + "\n";
}

/// A line for each match.
std::string matches_table(const Results& results) {
  std::vector<std::string> names;
  const auto& matches = results.matches();
  for (std::size_t i = 0; i < matches.size(); ++i) {
    names.push_back(match_name(results, static_cast<int>(i)));
  }
  const int width = width_of(names, 5);
  std::string out = format("%-*s %11s %11s %7s  %-15s  %-26s %6s %17s\n", width, "match", "games",
                           "W-D-L", "score %", "95 % interval", "Elo", "LOS %", "simulations");
  for (std::size_t i = 0; i < matches.size(); ++i) {
    const Standings& standings = matches[i].standings();
    const Tally& tally = standings.tally(0);
    out += format("%-*s %11s %11s %7.2f  %-15s  %-26s %6.1f %17s", width, names[i].c_str(),
                  format("%d/%d", standings.games(), matches[i].match().games).c_str(),
                  format("%d-%d-%d", tally.wins, tally.draws, tally.losses).c_str(),
                  100 * tally.score(),
                  percent_text(score_interval(tally.points(), tally.games()), 2).c_str(),
                  elo_text(elo_estimate(standings.scores())).c_str(),
                  100 * superiority(standings.scores()), simulations_text(matches[i]).c_str());
    if (matches[i].sprt()) out += "  " + llr_text(matches[i]);
    out += "\n";
  }
  return out;
}

std::string experiment_table(const Results& results) {
  int distinct = 0;
  int planned = 0;
  for (const MatchResults& match : results.matches()) {
    distinct += match.standings().distinct();
    planned += match.match().games;
  }
  const Tournament whole = whole_tournament(results);
  std::string out;
  if (!results.experiment().name.empty()) out += row("experiment", results.experiment().name);
  out += row("games", format("%d of %d in %d matches, %d distinct", results.games(), planned,
                             static_cast<int>(results.matches().size()), distinct));
  if (whole.players.size() > 2) out += row("ranking", ranking_text(whole));
  for (const Player* player : players_of(results.experiment())) {
    if (std::holds_alternative<Program>(player->location)) {
      out += row(player->name.c_str(), player_text(*player));
    }
  }
  out += "\n" + matches_table(results) + "\n";
  if (whole.players.size() > 2) out += ratings_table(whole) + "\n" + crosstable(whole) + "\n";
  for (std::size_t i = 0; i < results.matches().size(); ++i) {
    const MatchResults& match = results.matches()[i];
    if (!match.has_unlike_shares()) continue;
    out += row("processor", match_name(results, static_cast<int>(i)) + ": " + shares_text(match) +
                                unlike_text(match));
  }
  if (results.forfeits() == 0) return out + row("failures", "none");
  for (std::size_t i = 0; i < results.matches().size(); ++i) {
    const MatchResults& match = results.matches()[i];
    out += failures_rows(match.match(), match.standings(),
                         match_name(results, static_cast<int>(i)) + ": ");
  }
  return out;
}

}  // namespace

std::string summary_table(const Results& results) {
  return results.matches().size() == 1 ? match_table(results.matches().front())
                                       : experiment_table(results);
}

std::string score_text(const Tally& tally) {
  return format("%d-%d-%d, %.1f %% ", tally.wins, tally.draws, tally.losses, 100 * tally.score()) +
         percent_text(score_interval(tally.points(), tally.games()));
}

std::string simulations_text(const MatchResults& match) {
  std::string out;
  for (const int i : {0, 1}) {
    const auto simulations = match.standings().simulations(i);
    out += (i == 0 ? "" : " / ") + (simulations ? std::to_string(*simulations) : "-");
  }
  return out;
}

std::string shares_text(const MatchResults& match) {
  std::string out;
  for (const int i : {0, 1}) {
    const auto share = match.processor_share(i);
    if (!share) continue;
    out += (out.empty() ? "" : ", ") +
           format("%s %.0f %%", match.match().players[i].name.c_str(), 100 * *share);
  }
  return out;
}

std::string ranking_text(const Tournament& tournament) {
  const Ratings ratings = rate(tournament.table);
  std::string out;
  int component = -1;
  for (const int i : tournament.ranking(ratings)) {
    const Rating& rating = ratings.players[i];
    const bool is_rated = rating.status == RatingStatus::rated;
    // Numbers of two components have nothing in common.
    const bool is_next = is_rated && rating.component == component;
    if (!out.empty()) out += is_next ? ", " : "; ";
    out += tournament.players[i] + " ";
    out += is_rated ? signed_text(rating.elo) : std::string(why_unrated(rating.status));
    component = is_rated ? rating.component : -1;
  }
  return out;
}

std::string llr_text(const MatchResults& match) {
  if (!match.sprt()) return "";
  const Interval bounds = sprt_bounds(*match.sprt());
  std::string out = format("LLR %+.2f [%+.2f, %+.2f]", *match.llr(), bounds.low, bounds.high);
  if (match.verdict() == SprtVerdict::undecided) return out;
  return out + ": " + verdict_text(match);
}

std::string verdict_text(const MatchResults& match) {
  const SprtPlan& plan = *match.sprt();
  const bool is_high = match.verdict() == SprtVerdict::accept_elo1;
  const auto text = [](double elo) { return elo == 0 ? std::string("0") : format("%+g", elo); };
  return "accepted " + text(is_high ? plan.elo1 : plan.elo0) +
         (plan.model == EloModel::normalized ? " normalized Elo, not " : " Elo, not ") +
         text(is_high ? plan.elo0 : plan.elo1);
}

std::string options_text(const Player& player) {
  std::vector<std::string> words;
  for (const auto& [name, value] : player.options) words.push_back(name + "=" + value);
  std::string out = shell_text(words);
  for (const std::string& command : player.setup) out += (out.empty() ? "" : "; ") + command;
  if (player.clock) out += (out.empty() ? "tc=" : " tc=") + text_of(*player.clock);
  if (!out.empty()) return out;
  return player.language == Language::pitboss ? "server's defaults" : "its defaults";
}

std::string language_text(const Player& player) {
  std::string out(name_of(player.language));
  if (player.dialect != protocol::Dialect::plain) {
    out += ", dialect " + std::string(protocol::dialect_name(player.dialect));
  }
  return out;
}

std::string player_text(const Player& player) {
  const bool is_program = std::holds_alternative<Program>(player.location);
  std::string out = is_program ? text_of(player.location) + ", " : "";
  if (is_program || player.language != Language::pitboss) {
    out += "speaks " + language_text(player) + "; ";
  }
  return out + options_text(player);
}

}  // namespace pitboss::clients
