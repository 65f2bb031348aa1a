#include "clients/results/conclusions.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "clients/experiments/statistics/elo.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/summary.hpp"
#include "clients/results/tournament.hpp"

namespace pitboss::clients {

namespace {

/// A way to break down, and what a user who sees it in every game might look at.
struct Breakdown {
  Failure failure;
  const char* words;
  const char* question;
};
constexpr std::array kinds_of_breakdowns = {
    Breakdown{Failure::illegal_move, "illegal moves",
              "does it play by these rules, and, if it speaks gtp, is its row 1 at the top "
              "(dialect)?"},
    Breakdown{Failure::refused, "refusing commands",
              "does it play this game on this board, and, if it speaks gtp, does it need a setup, "
              "and is its row 1 at the top (dialect)?"},
    Breakdown{Failure::crash, "crashes", "its last words stand with the failures"},
    Breakdown{Failure::timeout, "silence", "does it need more than move_timeout for a move?"},
    Breakdown{Failure::garbage, "garbage", "does it speak this protocol (speaks)?"},
    Breakdown{Failure::unreachable, "being away", "is its server up?"}};

/// "a", "a and b", "a, b and c".
std::string listed(const std::vector<std::string>& words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    out += i == 0 ? "" : i + 1 == words.size() ? " and " : ", ";
    out += words[i];
  }
  return out;
}

/// For two players: the games in which one is stronger, the other is, or no difference was shown.
struct PairOfPlayers {
  std::array<std::string, 2> names;
  std::array<std::vector<std::string>, 2> stronger;
  std::vector<std::string> open;
};

std::string sentence(const PairOfPlayers& pair) {
  std::string out;
  const auto add = [&](const std::string& words) { out += (out.empty() ? "" : "; ") + words; };
  for (const int i : {0, 1}) {
    if (pair.stronger[i].empty()) continue;
    add(pair.names[i] + " is stronger " + (out.empty() ? "than " + pair.names[1 - i] + " " : "") +
        "in " + listed(pair.stronger[i]));
  }
  if (pair.open.empty()) return out + ".";
  const std::string difference =
      out.empty() ? "No difference between " + pair.names[0] + " and " + pair.names[1]
                  : "no difference";
  add(difference + " was shown in " + listed(pair.open));
  return out + ".";
}

/// A remark if the daemon's own kernels replaced the evaluator: the match is not as planned.
std::string remark_on(const Player& player, const Evaluations& evaluations) {
  const auto& [remote, local] = evaluations;
  const bool wants_remote =
      std::ranges::any_of(player.options, [](const engine::Assignment& option) {
        return option.name == "evaluator" && option.value == "remote";
      });
  if (local == 0 || (remote == 0 && !wants_remote)) return "";
  return format(
      " Of the values of %s's network %.2f %% were computed by the daemon, not by the evaluator.",
      player.name.c_str(), 100 * static_cast<double>(local) / static_cast<double>(remote + local));
}

std::string play_time(std::int64_t seconds) {
  constexpr std::int64_t few = 5;  // since times are whole seconds
  if (seconds < few) return "a few seconds";
  if (seconds < 60) return std::to_string(seconds) + " seconds";
  return duration_text(static_cast<double>(seconds)) + (seconds < 3600 ? " minutes" : " hours");
}

/// When rounds began and ended, in order.
using Spans = std::vector<std::pair<std::int64_t, std::int64_t>>;
Spans spans_of(std::span<const PlayedRound> rounds) {
  Spans spans;
  for (const PlayedRound& round : rounds) {
    if (round.begun > 0 && round.ended >= round.begun) spans.emplace_back(round.begun, round.ended);
  }
  std::ranges::sort(spans);
  return spans;
}

}  // namespace

std::string no_result_of(const Breakdowns& breakdowns) {
  if (!breakdowns.decide()) return "";
  const auto& players = breakdowns.players();
  for (const int i : {0, 1}) {
    if (!breakdowns.is_all_of(i)) continue;
    const Breakdown& most = *std::ranges::max_element(
        kinds_of_breakdowns, {},
        [&](const Breakdown& kind) { return breakdowns.count(i, kind.failure); });
    return format("No result: %s lost %d of %d games by %s: %s", players[i].c_str(),
                  breakdowns.count(i, most.failure), breakdowns.games(), most.words, most.question);
  }
  return format(
      "No result: %s broke down in %d games and %s in %d, of %d; without that the other might be "
      "ahead",
      players[0].c_str(), breakdowns.count(0), players[1].c_str(), breakdowns.count(1),
      breakdowns.games());
}

std::vector<std::string> no_results_of(const Results& results) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i < results.matches().size(); ++i) {
    std::string why = no_result_of(results.matches()[i].standings().breakdowns());
    if (why.empty()) continue;
    if (results.matches().size() > 1) why = match_name(results, static_cast<int>(i)) + ": " + why;
    out.push_back(std::move(why));
  }
  return out;
}

int stronger_in(const MatchResults& match) {
  if (match.standings().breakdowns().decide()) return -1;
  const Tally& tally = match.standings().tally(0);
  const Interval interval = score_interval(tally.points(), tally.games());
  return interval.low > 0.5 ? 0 : interval.high < 0.5 ? 1 : -1;
}

std::string conclusion_of(const MatchResults& match) {
  const std::string& first = match.match().players[0].name;
  const std::string& second = match.match().players[1].name;
  const Standings& standings = match.standings();
  if (standings.games() == 0) return first + " and " + second + " have not played yet.";
  if (std::string why = no_result_of(standings.breakdowns()); !why.empty()) {
    return why + (why.ends_with('?') ? "" : ".");
  }
  const Tally& tally = standings.tally(0);
  const Interval interval = score_interval(tally.points(), tally.games());
  std::string out =
      first + " scored " + format("%.2f %% ", 100 * tally.score()) + "against " + second +
      format(" in %d games (%d won, %d drawn, %d lost; ", tally.games(), tally.wins, tally.draws,
             tally.losses) +
      "95 % interval " + percent_text(interval, 2) + ", " + elo_phrase(standings.elo()) + "): ";
  const bool is_decided = match.verdict() != SprtVerdict::undecided;
  if (is_decided) {
    out += "the test " + verdict_text(match.verdict(), *match.sprt()) +
           " after these games (the interval is not adjusted for that).";
  } else if (const int stronger = stronger_in(match); stronger >= 0) {
    out += (stronger == 0 ? first : second) + " is stronger.";
  } else {
    out += "the score's interval contains 50 %, no difference was shown.";
  }
  if (match.sprt() && !is_decided) out += " The test has not decided.";
  if (match.has_unlike_shares()) {
    out += " The players got unlike shares of the processor (" + shares_text(match) +
           "), so that the score is not one of play alone.";
  } else if (match.has_short_shares()) {
    out += " The players got short shares of the processor (" + shares_text(match) +
           "), so that they thought for less than their time.";
  }
  for (const int i : {0, 1}) out += remark_on(match.match().players[i], standings.evaluations(i));
  if (standings.forfeits() > 0) {
    out += format(" Games lost by failures: %d.", standings.forfeits());
  }
  return out;
}

std::vector<std::string> verdicts_of(const Results& results) {
  std::vector<PairOfPlayers> pairs;
  for (std::size_t i = 0; i < results.matches().size(); ++i) {
    const MatchResults& match = results.matches()[i];
    if (match.standings().games() == 0 || match.standings().breakdowns().decide()) continue;
    const std::string& first = match.match().players[0].name;
    const std::string& second = match.match().players[1].name;
    auto pair = std::ranges::find_if(pairs, [&](const PairOfPlayers& known) {
      return known.names == std::array{first, second} || known.names == std::array{second, first};
    });
    if (pair == pairs.end()) {
      pair = pairs.insert(pair, PairOfPlayers{{first, second}, {}, {}});
    }
    const int stronger = stronger_in(match);
    const std::string game = game_name(results, static_cast<int>(i));
    if (stronger < 0) {
      pair->open.push_back(game);
    } else {
      const std::string& name = match.match().players[stronger].name;
      pair->stronger[pair->names[0] == name ? 0 : 1].push_back(game);
    }
  }
  std::vector<std::string> out;
  const Tournament whole = whole_tournament(results);
  if (!pairs.empty() && whole.players.size() > 2)
    out.push_back("Elo: " + ranking_text(whole) + ".");
  for (const PairOfPlayers& pair : pairs) out.push_back(sentence(pair));
  return out;
}

std::int64_t seconds_of_play(std::span<const PlayedRound> rounds) {
  // Rounds overlap, and there may be gaps between runs. One of a second is none: times are whole.
  std::int64_t until = 0;
  std::int64_t played = 0;
  for (const auto& [begun, ended] : spans_of(rounds)) {
    const std::int64_t from = begun - until <= 1 ? until : begun;
    played += std::max<std::int64_t>(0, ended - from);
    until = std::max(until, ended);
  }
  return played;
}

std::string playing_times(std::span<const PlayedRound> rounds) {
  const Spans spans = spans_of(rounds);
  if (spans.empty()) return {};
  const std::int64_t until =
      std::ranges::max_element(spans, {}, &Spans::value_type::second)->second;
  const std::int64_t played = seconds_of_play(rounds);
  const auto minutes = [](std::int64_t when) { return time_text(when).substr(0, 16); };
  const std::string from = minutes(spans.front().first);
  std::string to = minutes(until);
  constexpr std::size_t date = 11;  // characters, with the blank after them
  if (to.substr(0, date) == from.substr(0, date)) to = to.substr(date);
  const std::string when = from.ends_with(to) ? from : from + " to " + to;
  return "Played " + when + " UTC, " + play_time(played) + " of play.";
}

}  // namespace pitboss::clients
