#include "clients/results/dry_run.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <sstream>

#include "clients/experiments/match_configuration.hpp"
#include "clients/experiments/statistics/match_size.hpp"
#include "clients/experiments/time_control.hpp"
#include "clients/results/summary.hpp"

namespace pitboss::clients {

namespace {

/// "connect4", "gomoku size=7": the game, with the parameters that are not its own choice.
std::string rules_name(const Match& match) {
  Match usual;
  set_game(usual, match.game);
  std::string out = match.game;
  for (const games::Parameters::Value& value : match.parameters.values()) {
    if (std::ranges::find(usual.parameters.values(), value) != usual.parameters.values().end()) {
      continue;
    }
    out += " " + value.name + "=" + value.text;
  }
  return out;
}

std::string rounded(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

std::string cost_text(const std::optional<MoveCost>& cost) {
  if (!cost) return "unknown";
  return (cost->is_measured ? "" : "at most ") + rounded(cost->seconds, 4) + " s";
}

std::string openings_text(const Match& match) {
  const auto distinct = distinct_openings(match.openings, *match.initial_position());
  std::string text = match.openings.summary() + ", ";
  if (!distinct) return text + "more than " + std::to_string(most_counted) + " distinct";
  text += std::to_string(*distinct) + " distinct";
  const double rounds = static_cast<double>(match.games) / match.round();
  const double times = rounds / static_cast<double>(*distinct);
  if (times > 1) text += ": each is played in about " + rounded(times, 1) + " rounds";
  return text;
}

/// For rounds that scatter, which a test of normalized Elo needs no number for.
std::string test_length_text(const SprtPlan& plan) {
  if (plan.model != EloModel::normalized) return "";
  const auto games = [&](double elo) {  // of any deviation
    return rounded(expected_length(plan, 0.5 + elo / (2 * elo_scale), 1).games, 0);
  };
  return "; about " + games(plan.elo0) + " games if it is the first, " +
         games((plan.elo0 + plan.elo1) / 2) + " half-way, " + games(plan.elo1) + " if the second";
}

std::string stop_rule_text(const SprtPlan& plan) {
  const Interval bounds = sprt_bounds(plan);
  return "a match ends when its log-likelihood ratio leaves (" + rounded(bounds.low, 2) + ", " +
         rounded(bounds.high, 2) + "): " + sprt_text(plan) + test_length_text(plan);
}

/// Writes a plan part by part.
class Writer {
 public:
  Writer(const ExperimentFile& file, const MoveCosts& costs) : file_(file), costs_(costs) {}

  std::string text() {
    write_head();
    const auto& matches = file_.experiment.matches;
    for (std::size_t from = 0; from < matches.size();) {
      std::size_t to = from + 1;
      while (to < matches.size() && same_rules(matches[from], matches[to])) ++to;
      write_game(from, to);
      from = to;
    }
    write_time();
    return out_.str();
  }

 private:
  void write_head() {
    const Experiment& experiment = file_.experiment;
    const auto& matches = experiment.matches;
    if (!experiment.name.empty()) out_ << "experiment  " << experiment.name << "\n";
    if (!matches.empty()) out_ << "seed        " << matches.front().seed << "\n";
    out_ << "games       " << experiment.games() << (experiment.sprt ? " at most" : "") << " in "
         << matches.size() << (matches.size() == 1 ? " match" : " matches") << "\n";
    if (experiment.sprt) out_ << "stop rule   " << stop_rule_text(*experiment.sprt) << "\n";
    if (!file_.folder.empty()) out_ << "records     " << file_.folder.string() << "\n";
    for (const ServerCapacity& server : file_.servers) {
      out_ << "place       " << text_of(server.location);
      if (server.games > 0)
        out_ << ", " << server.games << (server.games == 1 ? " game at once" : " games at once");
      out_ << "\n";
    }
    for (const Player* player : players_of(experiment)) {
      out_ << "player      " << player->name << ", speaks " << language_text(*player) << ", at "
           << text_of(player->location) << "\n";
    }
  }

  void write_game(std::size_t from, std::size_t to) {
    const Match& game = file_.experiment.matches[from];
    const double plies = mean_plies(game);
    out_ << "\n"
         << rules_text(game) << "\n"
         << "  openings  " << openings_text(game) << "\n"
         << "  length    about " << rounded(plies, 1) << " plies";
    if (game.max_plies > 0) out_ << ", a draw after " << game.max_plies;
    out_ << "\n";
    if (game.has_clock()) {
      out_ << "  clocks    a move may exceed its player's by "
           << rounded(std::chrono::duration<double>(game.time_margin).count(), 3) << " s\n";
    }
    if (game.adjudication.is_on()) {
      out_ << "  ended by the referee: " << adjudication_text(game.adjudication) << "\n";
    }
    std::vector<std::string> shown;
    for (std::size_t i = from; i < to; ++i) {
      for (const Player& player : file_.experiment.matches[i].players) {
        if (std::ranges::find(shown, player.name) != shown.end()) continue;
        shown.push_back(player.name);
        out_ << "  player    " << player.name << ": " << player_text(player) << "\n";
      }
    }
    for (std::size_t i = from; i < to; ++i) write_match(i, plies);
  }

  void write_match(std::size_t i, double plies) {
    const Match& match = file_.experiment.matches[i];
    const auto costs = i < costs_.size() ? costs_[i] : MoveCosts::value_type{};
    const auto seconds = estimated_seconds(match, costs, plies);
    for (const auto& cost : costs) is_timed_ = is_timed_ || (cost && !cost->is_measured);
    out_ << "  match     " << match.players[0].name << " - " << match.players[1].name << ": "
         << match.games << " games in rounds of " << match.round() << "; a move "
         << cost_text(costs[0]) << " and " << cost_text(costs[1]);
    if (seconds) {
      out_ << "; one game after the other " << estimate_text(*seconds);
      const int at_once = games_at_once(file_, match, costs);
      total_ += *seconds;
      together_ += *seconds / at_once;
      most_at_once_ = std::max(most_at_once_, at_once);
    } else {
      ++unknown_;
    }
    out_ << "\n";
  }

  void write_time() {
    out_ << "\n";
    if (total_ > 0) {
      out_ << "time        " << estimate_text(together_) << " with " << most_at_once_
           << (most_at_once_ == 1 ? " game" : " games") << " at once, " << estimate_text(total_)
           << " one after the other\n";
    }
    if (unknown_ > 0) {
      out_ << "time        " << (total_ > 0 ? "and what " : "unknown: ") << unknown_
           << (unknown_ == 1 ? " match" : " matches") << (total_ > 0 ? " may take: " : ", ")
           << "no move was timed\n";
    }
    out_ << "\nAn estimate: games are taken to be as long as those of random moves, moves to cost "
            "all\nthrough a game what they cost at its beginning, and the machines to be idle. "
            "Games at once\ncount up to what the players' places search at once, as far as they "
            "tell."
         << (file_.experiment.sprt ? " The stop\nrule may end matches sooner." : "") << "\n";
    if (is_timed_) {
      out_ << "Where time bounds moves, a server plays no more games at once than it has workers, "
              "and "
              "this\nmachine's programs no more than it has processors: the match then takes "
              "longer.\n";
    }
  }

  const ExperimentFile& file_;
  const MoveCosts& costs_;
  std::ostringstream out_;
  double total_ = 0;     // seconds with one game at a time
  double together_ = 0;  // seconds with several games at once
  int most_at_once_ = 0;
  int unknown_ = 0;
  bool is_timed_ = false;
};

}  // namespace

std::string plan_json(const Experiment& experiment) {
  std::string out;
  for (const Match& match : experiment.matches) {
    out += nlohmann::ordered_json{{"configuration",
                                   nlohmann::ordered_json::parse(configuration(match))},
                                  {"games", match.games},
                                  {"rules", rules_name(match)}}
               .dump() +
           "\n";
  }
  return out;
}

std::string load_text(double load, int processors) {
  if (load < processors / 4.0) return {};
  return "load        this machine has a load of " + rounded(load, 1) + " on " +
         std::to_string(processors) + (processors == 1 ? " processor" : " processors") +
         ", and the time is that of an idle one: it will take longer\n";
}

int games_at_once(const ExperimentFile& file, const Match& match,
                  const std::array<std::optional<MoveCost>, 2>& costs) {
  int games = file.concurrency;
  for (const Player& player : match.players) {
    for (const ServerCapacity& server : file.servers) {
      if (server.location == player.location && server.games > 0)
        games = std::min(games, server.games);
    }
  }
  for (const auto& cost : costs) {
    if (cost && cost->at_once) games = std::min(games, *cost->at_once);
  }
  return games;
}

std::string estimate_text(double seconds) {
  const auto s = static_cast<std::int64_t>(std::llround(std::min(seconds, 1e15)));
  if (s < 1) return "less than a second";
  struct Unit {
    std::int64_t seconds;
    const char* name;
  };
  constexpr std::array<Unit, 4> units{{{86400, " d"}, {3600, " h"}, {60, " min"}, {1, " s"}}};
  for (std::size_t i = 0; i < units.size(); ++i) {
    if (s < units[i].seconds) continue;
    std::string text = std::to_string(s / units[i].seconds) + units[i].name;
    const std::int64_t rest =
        i + 1 < units.size() ? s % units[i].seconds / units[i + 1].seconds : 0;
    if (rest > 0) text += " " + std::to_string(rest) + units[i + 1].name;
    return text;
  }
  return {};
}

std::string plan_text(const ExperimentFile& file, const MoveCosts& costs) {
  return Writer(file, costs).text();
}

}  // namespace pitboss::clients
