#include "clients/results/tournament.hpp"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace pitboss::clients {

namespace {

int number_of(const std::string& player, const std::vector<std::string>& players) {
  return static_cast<int>(std::ranges::find(players, player) - players.begin());
}

Tournament tournament_of(const Results& results, std::string title, std::vector<int> matches) {
  std::vector<std::string> players;
  for (const int i : matches) {
    for (const Player& player : results.matches()[i].match().players) {
      if (std::ranges::find(players, player.name) == players.end()) players.push_back(player.name);
    }
  }
  Crosstable table(static_cast<int>(players.size()));
  for (const int i : matches) {
    const MatchResults& match = results.matches()[i];
    if (match.standings().breakdowns().decide()) continue;
    const auto& [first, second] = match.match().players;
    table.add(number_of(first.name, players), number_of(second.name, players),
              match.standings().tally(0));
  }
  return {std::move(title), std::move(players), std::move(matches), std::move(table)};
}

}  // namespace

std::vector<int> Tournament::ranking(const Ratings& ratings) const {
  std::vector<int> order(players.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<int>(i);
  const auto key = [&](int i) {
    const Rating& rating = ratings.players[i];
    // Rounded as it is shown, so that no noise orders players that are shown as equal.
    return std::tuple(rating.status != RatingStatus::rated, rating.component,
                      -std::round(10 * rating.elo), -table.total(i).score());
  };
  std::ranges::stable_sort(order, {}, key);
  return order;
}

Tournament whole_tournament(const Results& results) {
  std::vector<int> matches(results.matches().size());
  for (std::size_t i = 0; i < matches.size(); ++i) matches[i] = static_cast<int>(i);
  return tournament_of(results, "all games", std::move(matches));
}

std::vector<Tournament> tournaments_by_game(const Results& results) {
  std::vector<std::vector<int>> groups;
  const auto& matches = results.matches();
  for (std::size_t i = 0; i < matches.size(); ++i) {
    auto found = std::ranges::find_if(groups, [&](const std::vector<int>& group) {
      return same_rules(matches[group.front()].match(), matches[i].match());
    });
    if (found == groups.end()) found = groups.emplace(groups.end());
    found->push_back(static_cast<int>(i));
  }
  std::vector<Tournament> out;
  for (std::vector<int>& group : groups) {
    std::string title = game_name(results, group.front());
    out.push_back(tournament_of(results, std::move(title), std::move(group)));
  }
  return out;
}

std::string game_name(const Results& results, int match) {
  const Match& of = results.matches()[match].match();
  const bool is_ambiguous = std::ranges::any_of(results.matches(), [&](const MatchResults& other) {
    return other.match().game == of.game && !same_rules(other.match(), of);
  });
  return is_ambiguous ? rules_text(of) : of.game;
}

std::string match_name(const Results& results, int match) {
  const Match& of = results.matches()[match].match();
  const std::string players = of.players[0].name + " - " + of.players[1].name;
  const bool is_one_game = std::ranges::all_of(
      results.matches(), [&](const MatchResults& other) { return same_rules(other.match(), of); });
  return is_one_game ? players : game_name(results, match) + " " + players;
}

std::string_view why_unrated(RatingStatus status) {
  switch (status) {
    case RatingStatus::rated:
      return "";
    case RatingStatus::no_games:
      return "no games";
    case RatingStatus::won_all:
      return "won all";
    case RatingStatus::lost_all:
      return "lost all";
    case RatingStatus::separated:
      return "separated";
  }
  return "";
}

}  // namespace pitboss::clients
