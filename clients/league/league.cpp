#include "clients/league/league.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "clients/experiments/derived_seed.hpp"
#include "clients/experiments/match_configuration.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/results/conclusions.hpp"
#include "games/random.hpp"
#include "games/suggestion.hpp"

namespace pitboss::clients {

namespace {

using nlohmann::json;

/// Of a match, by which its games are determined.
json configuration_of(const Match& match) { return json::parse(configuration(match)); }

/// The first setting in which two of these differ: "options k is 0.5, and was 0.3"; empty if they
/// do not.
std::string difference(const json& before, const json& now) {
  if (before == now) return {};
  const json there = before.flatten();
  const json here = now.flatten();
  std::set<std::string> keys;
  for (const json* one : {&there, &here}) {
    for (const auto& [key, value] : one->items()) keys.insert(key);
  }
  for (const std::string& key : keys) {
    const auto text = [&](const json& in) {
      return !in.contains(key) || in[key].is_null() ? std::string("not set") : in[key].dump();
    };
    if (text(there) == text(here)) continue;
    std::string label = key.substr(1);  // of "/options/k"
    std::ranges::replace(label, '/', ' ');
    return label + " is " + text(here) + ", and was " + text(there);
  }
  return {};
}

const Player* player_called(const std::string& name, const LeagueFile::Game& game) {
  const auto found = std::ranges::find(game.players, name, &Player::name);
  return found == game.players.end() ? nullptr : &*found;
}

/// As the ledger knows a player.
json identity_of(const LeagueFile::Game& game, const Player& player) {
  Match match = game.match;
  match.players = {player, player};
  return configuration_of(match)["players"][0];
}

void add_players(LeagueFile::Game& to, const LeagueFile::Game& from) {
  for (const Player& player : from.players) {
    const Player* const known = player_called(player.name, to);
    if (known == nullptr) {
      to.players.push_back(player);
      continue;
    }
    const std::string how = difference(identity_of(to, *known), identity_of(from, player));
    require(how.empty(), "two players are called \"" + player.name + "\", and differ at " +
                             to.match.game + ": " + how + "; give one another name");
  }
}

double elo_of(const Setting& anchor) {
  constexpr double most = 100'000;
  return anchor.number(-most, most);
}

void read_anchors(const Setting& league, LeaguePlan& plan) {
  league.expect_keys({"anchors"});
  const Setting* const anchors = league.find("anchors");
  if (anchors == nullptr) return;
  for (const Setting& anchor : anchors->table()) {
    static_cast<void>(elo_of(anchor));  // throws
    plan.anchors.push_back(anchor);
  }
}

/// How a match on record, and one that the plan would make of its players, differ beside these.
std::string difference_in_rules(const Match& recorded, const LeagueFile::Game& game) {
  json there = configuration_of(recorded);
  json here = configuration_of(league_match(game, recorded.players[0], recorded.players[1]));
  const bool has_same_seed = there["seed"] == here["seed"];
  for (json* one : {&there, &here}) {
    for (const char* const key : {"players", "seed"}) one->erase(key);
  }
  const std::string how = difference(there, here);
  // Both seeds are derived, so that their numbers would tell nobody anything.
  return how.empty() && !has_same_seed ? "the seed is another one" : how;
}

/// A number that looks independent for each two names.
std::uint64_t number_of(const std::string& one, const std::string& other) {
  std::uint64_t out = 0;
  for (const char c : one + "\n" + other) {
    out = games::mix(out + static_cast<unsigned char>(c));
  }
  return out;
}

}  // namespace

LeaguePlan league_plan(const std::vector<LeagueFile>& files) {
  const LeagueFile& first = files.front();
  LeaguePlan plan{first.file, first.games, {}};
  for (const LeagueFile& file : files) {
    if (&file == &first) continue;
    for (LeagueFile::Game& game : plan.games) {
      for (const LeagueFile::Game& other : file.games) {
        if (same_rules(game.match, other.match)) add_players(game, other);
      }
    }
    const auto is_known = [&](const ServerCapacity& server) {
      return std::ranges::count(plan.run.servers, server.location, &ServerCapacity::location) > 0;
    };
    for (const ServerCapacity& server : file.file.servers) {
      if (!is_known(server)) plan.run.servers.push_back(server);
    }
    const auto plays = [&](const LeagueFile::Game& other) {
      return std::ranges::any_of(plan.games, [&](const LeagueFile::Game& game) {
        return same_rules(game.match, other.match);
      });
    };
    require(std::ranges::any_of(file.games, plays), file.file.experiment.name +
                                                        " has players of other games than " +
                                                        first.file.experiment.name);
  }
  if (first.league) read_anchors(*first.league, plan);
  return plan;
}

Match league_match(const LeagueFile::Game& game, const Player& one, const Player& other) {
  Match match = game.match;
  match.players = {one, other};
  if (other.name < one.name) std::swap(match.players[0], match.players[1]);
  const std::uint64_t names = number_of(match.players[0].name, match.players[1].name);
  match.seed = static_cast<std::int64_t>(derived_seed(game.match.seed, use_league, names) >> 1);
  match.games = 0;
  return match;
}

Experiment league_experiment(const LeaguePlan& plan, const Experiment& recorded,
                             const std::string& place) {
  require(!recorded.sprt && !recorded.tuning, place + " holds no league, but an experiment with " +
                                                  (recorded.sprt ? "a stopping rule" : "a tuner"));
  Experiment out = recorded;
  out.name = plan.run.experiment.name;
  std::set<std::string> names;
  for (const LeagueFile::Game& game : plan.games) {
    for (const Player& player : game.players) names.insert(player.name);
  }
  for (Match& match : out.matches) {
    for (const Player& player : match.players) names.insert(player.name);
    const auto game = std::ranges::find_if(
        plan.games, [&](const LeagueFile::Game& one) { return same_rules(one.match, match); });
    if (game == plan.games.end()) continue;
    std::array<const Player*, 2> planned{};
    for (const std::size_t i : {0, 1}) {
      planned[i] = player_called(match.players[i].name, *game);
      if (planned[i] == nullptr) continue;
      const std::string how =
          difference(configuration_of(match)["players"][i], identity_of(*game, *planned[i]));
      require(how.empty(), match.players[i].name + " is another player at " + match.game +
                               " than the one in the league of " + place + ": " + how +
                               "; give it another name");
    }
    const std::string how = difference_in_rules(match, *game);
    require(how.empty(), place + " holds no league of this file: at " + match.game + " " + how +
                             "; choose another place for the league");
    if (planned[0] == nullptr || planned[1] == nullptr) continue;
    match.players = {*planned[0], *planned[1]};
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  for (const Setting& anchor : plan.anchors) {
    if (names.contains(anchor.key())) continue;
    anchor.refuse("there is no such player" + games::suggestion(anchor.key(), known));
  }
  return out;
}

int LeagueGame::number_of(const std::string& player) const {
  const auto found = std::ranges::find(players, player);
  return found == players.end() ? -1 : static_cast<int>(found - players.begin());
}

int LeagueGame::active() const { return static_cast<int>(std::ranges::count(plays, true)); }

std::vector<LeagueGame> league_games(const LeaguePlan& plan, const Experiment& experiment) {
  std::vector<LeagueGame> out;
  std::vector<const Match*> examples;
  const auto add = [&](const Match& match) -> LeagueGame& {
    for (std::size_t i = 0; i < examples.size(); ++i) {
      if (same_rules(*examples[i], match)) return out[i];
    }
    examples.push_back(&match);
    LeagueGame& game = out.emplace_back();
    game.colours = static_cast<int>(match.colours.size());
    return game;
  };
  const auto add_player = [&](LeagueGame& game, const std::string& name, bool plays) {
    if (game.number_of(name) >= 0) return;
    game.players.push_back(name);
    game.plays.push_back(plays);
    const auto anchor = std::ranges::find(plan.anchors, name, &Setting::key);
    game.anchors.push_back(anchor == plan.anchors.end() ? std::nullopt
                                                        : std::optional(elo_of(*anchor)));
  };
  for (const LeagueFile::Game& planned : plan.games) {
    LeagueGame& game = add(planned.match);
    game.planned = &planned;
    for (const Player& player : planned.players) add_player(game, player.name, true);
  }
  for (std::size_t m = 0; m < experiment.matches.size(); ++m) {
    LeagueGame& game = add(experiment.matches[m]);
    game.matches.push_back(static_cast<int>(m));
    for (const Player& player : experiment.matches[m].players) {
      add_player(game, player.name, false);
    }
  }
  for (std::size_t i = 0; i < out.size(); ++i) {
    const auto is_alike = [&](const Match* other) { return other->game == examples[i]->game; };
    out[i].title = std::ranges::count_if(examples, is_alike) > 1 ? rules_text(*examples[i])
                                                                 : examples[i]->game;
    const auto is_anchor = [](const auto& anchor) { return anchor.has_value(); };
    if (std::ranges::none_of(out[i].anchors, is_anchor) && !out[i].anchors.empty()) {
      out[i].anchors.front() = 0;
    }
  }
  return out;
}

void drop_retired(Experiment& experiment, const std::vector<LeagueGame>& games,
                  const LedgerContents& contents) {
  for (const LeagueGame& game : games) {
    for (const int m : game.matches) {
      Match& match = experiment.matches[m];
      const auto plays = [&](const Player& player) {
        return game.plays[game.number_of(player.name)];
      };
      if (std::ranges::all_of(match.players, plays)) continue;
      match.is_retired = true;
      match.games = 0;
    }
  }
  for (const PlayedRound& round : contents.played) {
    Match& match = experiment.matches[round.match];
    match.games = std::max(match.games, (round.round + 1) * match.round());
  }
}

std::vector<const PlayedRound*> rounds_of(const LeagueGame& game, const LedgerContents& contents) {
  std::vector<const PlayedRound*> out;
  for (const PlayedRound& round : contents.played) {
    if (std::ranges::count(game.matches, round.match) > 0) out.push_back(&round);
  }
  return out;
}

LeagueGames results_of(const LeagueGame& game, const Results& results,
                       std::span<const PlayedRound* const> rounds) {
  LeagueGames out{.anchors = game.anchors, .rounds = {}, .has_seats = game.colours == 2};
  // By match, and the player's twelfths where it moved first and second.
  std::map<std::array<int, 3>, std::size_t> places;
  for (const PlayedRound* const round : rounds) {
    const MatchResults& match = results.matches()[round->match];
    if (match.standings().breakdowns().decide()) continue;
    const auto& players = match.match().players;
    RoundTally tally{game.number_of(players[0].name), game.number_of(players[1].name), {}, {}};
    std::array<int, 3> key{round->match, 0, 0};
    for (const PlayedGame& played : round->games) {
      const bool is_second = out.has_seats && played.seats.front() != players[0].name;
      key[is_second ? 2 : 1] += played.twelfths;
      Outcomes& outcomes = is_second ? tally.second : tally.first;
      const double points = static_cast<double>(played.twelfths) / whole_point;
      if (!out.has_seats) {
        outcomes.wins += points;
        outcomes.losses += 1 - points;
      } else {
        ++(points == 1 ? outcomes.wins : points == 0 ? outcomes.losses : outcomes.draws);
      }
    }
    const auto [place, is_new] = places.try_emplace(key, out.rounds.size());
    if (is_new) {
      out.rounds.push_back(tally);
    } else {
      ++out.rounds[place->second].rounds;
    }
  }
  return out;
}

std::string broken_player(const std::vector<LeagueGame>& games, const Results& results) {
  for (const LeagueGame& game : games) {
    for (const int m : game.matches) {
      const MatchResults& match = results.matches()[m];
      const auto plays = [&](const Player& player) {
        return game.plays[game.number_of(player.name)];
      };
      if (!match.is_given_up() || !std::ranges::all_of(match.match().players, plays)) continue;
      const Breakdowns& breakdowns = match.standings().breakdowns();
      const int who = breakdowns.is_all_of(0) ? 0 : 1;
      return breakdowns.players()[who] + " cannot go on at " + game.title +
             ": mend its engine and give it another name, or take it out of the file. " +
             no_result_of(breakdowns);
    }
  }
  return {};
}

double widest_error(const std::vector<LeagueGame>& games,
                    const std::vector<LeagueRatings>& ratings) {
  double out = 0;
  for (std::size_t g = 0; g < games.size(); ++g) {
    for (std::size_t i = 0; i < games[g].players.size(); ++i) {
      if (games[g].plays[i]) out = std::max(out, ratings[g].error(static_cast<int>(i)));
    }
  }
  return out;
}

void plan_next_rounds(Experiment& experiment, const std::vector<LeagueGame>& games,
                      const std::vector<LeagueRatings>& ratings, const LedgerContents& contents,
                      double within) {
  std::vector<LeaguePool> pools;
  int players = 0;
  for (std::size_t g = 0; g < games.size(); ++g) {
    std::vector<bool> counts = games[g].plays;
    for (std::size_t i = 0; i < counts.size(); ++i) {
      counts[i] = counts[i] && ratings[g].error(static_cast<int>(i)) > within;
    }
    pools.push_back({.ratings = ratings[g],
                     .plays = games[g].plays,
                     .counts = std::move(counts),
                     .games_a_round = round_size(games[g].colours)});
    players += games[g].active();
  }
  const int rounds = std::max({1, players / 2, static_cast<int>(contents.played.size()) / 10});
  for (const NextRound& next : next_rounds(pools, rounds)) {
    const LeagueFile::Game& game = *games[next.pool].planned;
    const auto& names = games[next.pool].players;
    const Match match = league_match(game, *player_called(names[next.player], game),
                                     *player_called(names[next.opponent], game));
    const auto is_it = [&](const Match& other) {
      return same_rules(other, match) && other.players[0].name == match.players[0].name &&
             other.players[1].name == match.players[1].name;
    };
    auto found = std::ranges::find_if(experiment.matches, is_it);
    if (found == experiment.matches.end()) {
      found = experiment.matches.insert(experiment.matches.end(), match);
    }
    found->games += found->round();
  }
}

Experiment next_part(Experiment experiment, const LedgerContents& contents, std::int64_t games) {
  std::vector<int> counts(experiment.matches.size());
  std::vector<int> ends(experiment.matches.size());
  for (const PlayedRound& round : contents.played) {
    ++counts[round.match];
    ends[round.match] = std::max(ends[round.match], round.round + 1);
  }
  for (std::size_t m = 0; m < ends.size(); ++m) {
    if (experiment.matches[m].is_retired) continue;
    games -= std::int64_t{ends[m] - counts[m]} * experiment.matches[m].round();
  }
  for (std::size_t m = 0; m < ends.size(); ++m) {
    Match& match = experiment.matches[m];
    if (match.is_retired) continue;
    const int on_record = ends[m] * match.round();
    const std::int64_t rounds =
        (std::max<std::int64_t>(games, 0) + match.round() - 1) / match.round();
    const std::int64_t last =
        std::min<std::int64_t>(match.games, on_record + rounds * match.round());
    match.games = static_cast<int>(last);
    games -= match.games - on_record;
  }
  return experiment;
}

}  // namespace pitboss::clients
