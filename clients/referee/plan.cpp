#include "clients/referee/plan.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "clients/experiment/derived_seed.hpp"
#include "clients/user_error.hpp"
#include "engine/options/options.hpp"

namespace pitboss::clients {

namespace {

namespace asio = boost::asio;

std::string rounded(double value, int digits) {
  char text[32];
  std::snprintf(text, sizeof text, "%.*f", digits, value);
  return text;
}

/// Two units at most: "3 d 4 h", "2 h 5 min", "40 s".
std::string duration_text(double seconds) {
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

/// The options that bound a search, for an engine of ours and one that speaks UCI.
struct SearchBounds {
  double movetime_ms = 0;  ///< 0: none
  bool others = false;     ///< something else bounds it too
};

SearchBounds bounds_of(const Player& player) {
  SearchBounds bounds;
  if (player.dialect == Dialect::pitboss) {
    engine::Options options;
    for (const auto& [name, value] : player.options) engine::set_option(options, name, value);
    bounds.movetime_ms = static_cast<double>(options.movetime_ms);
    bounds.others = options.simulations > 0;
  } else if (player.dialect == Dialect::uci) {
    for (const auto& [name, value] : player.options) {
      if (name == "movetime") bounds.movetime_ms = std::strtod(value.c_str(), nullptr);
      if (name == "nodes" || name == "depth") bounds.others = true;
    }
  }
  return bounds;
}

std::optional<MoveCost> stated_cost(const Player& player) {
  const double milliseconds = bounds_of(player).movetime_ms;
  if (!(milliseconds > 0)) return std::nullopt;
  return MoveCost{milliseconds / 1000, false};
}

/// Whether nothing but time bounds a move, so that what is stated needs no measurement.
bool is_timed(const Player& player) {
  const SearchBounds bounds = bounds_of(player);
  return bounds.movetime_ms > 0 && !bounds.others;
}

std::string text_of(const Player& player) {
  std::string out = player.name + ":";
  for (const auto& [name, value] : player.options) out += " " + name + "=" + value;
  for (const std::string& command : player.setup) out += " \"" + command + "\"";
  return out;
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

std::string sprt_text(const SprtPlan& plan) {
  const Interval bounds = sprt_bounds(plan);
  std::ostringstream text;
  text << "a match ends when its log-likelihood ratio leaves (" << rounded(bounds.low, 2) << ", "
       << rounded(bounds.high, 2) << "): " << name_of(plan.model) << " Elo " << plan.elo0
       << " against " << plan.elo1 << ", alpha " << plan.alpha << ", beta " << plan.beta;
  return text.str();
}

/// How many games of a match are played at once: what the file and the players' places allow.
int games_at_once(const ExperimentFile& file, const Match& match) {
  int games = file.concurrency;
  for (const Player& player : match.players) {
    for (const ServerCapacity& server : file.servers) {
      if (server.place == player.place && server.games > 0) games = std::min(games, server.games);
    }
  }
  return games;
}

/// With one game after the other. Each player makes half the moves behind the opening: it has each
/// seat equally often.
std::optional<double> seconds_of(const Match& match,
                                 const std::array<std::optional<MoveCost>, 2>& costs,
                                 double plies) {
  if (!costs[0] || !costs[1]) return std::nullopt;
  const double moves = plies - static_cast<double>(opening_of(match, 0).size());
  return match.games * moves * (costs[0]->seconds + costs[1]->seconds) / 2;
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
    if (experiment.sprt) out_ << "stop rule   " << sprt_text(*experiment.sprt) << "\n";
    if (!file_.folder.empty()) out_ << "records     " << file_.folder.string() << "\n";
    for (const ServerCapacity& server : file_.servers) {
      out_ << "place       " << clients::text_of(server.place);
      if (server.games > 0)
        out_ << ", " << server.games << (server.games == 1 ? " game at once" : " games at once");
      out_ << "\n";
    }
    for (const Player* player : players_of(experiment)) {
      out_ << "player      " << player->name << ", speaks " << name_of(player->dialect) << ", at "
           << clients::text_of(player->place) << "\n";
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
    if (game.adjudication.is_on()) {
      out_ << "  ended by the referee: " << adjudication_text(game.adjudication) << "\n";
    }
    std::vector<std::string> shown;
    for (std::size_t i = from; i < to; ++i) {
      for (const Player& player : file_.experiment.matches[i].players) {
        if (std::ranges::find(shown, player.name) != shown.end()) continue;
        shown.push_back(player.name);
        out_ << "  player    " << text_of(player) << "\n";
      }
    }
    for (std::size_t i = from; i < to; ++i) write_match(i, plies);
  }

  void write_match(std::size_t i, double plies) {
    const Match& match = file_.experiment.matches[i];
    const auto costs = i < costs_.size() ? costs_[i] : MoveCosts::value_type{};
    const auto seconds = seconds_of(match, costs, plies);
    out_ << "  match     " << match.players[0].name << " - " << match.players[1].name << ": "
         << match.games << " games in rounds of " << match.round() << "; a move "
         << cost_text(costs[0]) << " and " << cost_text(costs[1]);
    if (seconds) {
      out_ << "; one game after the other " << duration_text(*seconds);
      const int at_once = games_at_once(file_, match);
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
      out_ << "time        " << duration_text(together_) << " with " << most_at_once_
           << (most_at_once_ == 1 ? " game" : " games") << " at once, " << duration_text(total_)
           << " one after the other\n";
    }
    if (unknown_ > 0) {
      out_ << "time        " << (total_ > 0 ? "and what " : "unknown: ") << unknown_
           << (unknown_ == 1 ? " match" : " matches") << (total_ > 0 ? " may take: " : ", ")
           << "no move was timed\n";
    }
    out_ << "\nAn estimate: games are taken to be as long as those of random moves, moves to cost "
            "all\nthrough a game what they cost at its beginning, and games at once not to slow "
            "each\nother down, for which each needs a processor core of its own where it is "
            "played."
         << (file_.experiment.sprt ? " The stop\nrule may end matches sooner." : "") << "\n";
  }

  const ExperimentFile& file_;
  const MoveCosts& costs_;
  std::ostringstream out_;
  double total_ = 0;     // seconds, one game after the other
  double together_ = 0;  // the same, several at once
  int most_at_once_ = 0;
  int unknown_ = 0;
};

}  // namespace

MoveCosts stated_costs(const Experiment& experiment) {
  MoveCosts costs;
  for (const Match& match : experiment.matches) {
    costs.push_back({stated_cost(match.players[0]), stated_cost(match.players[1])});
  }
  return costs;
}

double mean_plies(const Match& match, int playouts) {
  double plies = 0;
  for (int i = 0; i < playouts; ++i) {
    const auto position = match.initial_position();
    const auto opening = opening_of(match, i);
    for (const std::string& move : opening) position->play(move);
    games::Random random(derived_seed(match.seed, use_playouts, static_cast<std::uint64_t>(i)));
    const int all = static_cast<int>(opening.size()) + position->informed_playout(random);
    plies += match.max_plies > 0 ? std::min(all, match.max_plies) : all;
  }
  return plies / playouts;
}

std::optional<double> estimated_seconds(const Match& match,
                                        const std::array<std::optional<MoveCost>, 2>& costs) {
  return seconds_of(match, costs, mean_plies(match));
}

asio::awaitable<double> measure_move(Engine& engine, const Match& match, int player, int moves) {
  using Clock = std::chrono::steady_clock;
  co_await engine.open();
  co_await engine.examine(match);
  co_await engine.begin(match, engine_seed(match, 0, player));
  const auto position = match.initial_position();
  for (const std::string& move : opening_of(match, 0)) {
    co_await engine.play(position->to_move(), move);
    position->play(move);
  }
  std::chrono::duration<double> spent{};
  int played = 0;
  while (played < moves && !position->result().finished()) {
    const auto start = Clock::now();
    const std::string move = co_await engine.genmove(position->to_move(), match.move_timeout);
    spent += Clock::now() - start;
    ++played;
    if (move == "resign") break;
    try {
      position->play(move);
    } catch (const games::BadGame&) {
      throw GtpFailure(GtpFailure::Kind::garbage, "illegal move: " + move);
    }
  }
  engine.close();
  co_return spent.count() / played;
}

MoveCosts measure_costs(const Experiment& experiment, const EngineMaker& make) {
  MoveCosts costs = stated_costs(experiment);
  const auto measured = [&](std::size_t i, int p) {
    const Match& match = experiment.matches[i];
    const Player& player = match.players[p];
    for (std::size_t j = 0; j < i; ++j) {  // what is known from an earlier match
      const Match& other = experiment.matches[j];
      for (const int q : {0, 1}) {
        if (same_rules(match, other) && other.players[q].name == player.name) return costs[j][q];
      }
    }
    asio::io_context io(1);
    std::exception_ptr failure;
    double seconds = 0;
    const auto engine = make(io.get_executor(), player);
    asio::co_spawn(io, measure_move(*engine, match, p), [&](std::exception_ptr e, double s) {
      failure = std::move(e);
      seconds = s;
    });
    io.run();
    try {
      if (failure) std::rethrow_exception(failure);
    } catch (const GtpFailure& e) {
      throw UserError(clients::text_of(player.place) + " cannot be asked by " + player.name +
                      " for moves of " + match.game + ": " + e.what());
    }
    return std::optional(MoveCost{seconds, true});
  };
  for (std::size_t i = 0; i < costs.size(); ++i) {
    for (const int p : {0, 1}) {
      const Player& player = experiment.matches[i].players[p];
      if (!is_timed(player)) costs[i][p] = measured(i, p);
    }
  }
  return costs;
}

std::string plan_text(const ExperimentFile& file, const MoveCosts& costs) {
  return Writer(file, costs).text();
}

}  // namespace pitboss::clients
