#include "clients/published/times.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "engine/options/options.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;
using nlohmann::json;

namespace {

/// A search as it was measured.
struct TimedSearch {
  std::string novelty;
  std::int64_t simulations;
  double simulations_per_second;
  MedianEstimate overhead;
};
/// The searches of a game.
struct TimedGame {
  std::string game;
  std::vector<TimedSearch> searches;
};

void expect(bool holds, const std::string& sentence) {
  if (!holds) throw std::runtime_error(sentence);
}

MedianEstimate overhead_in(const json& entry) {
  MedianEstimate out{entry.at("overhead"), std::nullopt, entry.at("rounds")};
  const json& interval = entry.at("overhead_interval");
  expect(out.value > 0, "an overhead is not above 0");
  expect(out.count >= 1, "rounds are fewer than 1");
  expect(interval.is_null() == (out.count < least_for_interval),
         "an interval is there with too few rounds, or missing with enough");
  if (interval.is_null()) return out;
  expect(interval.size() == 2, "an interval is not two numbers");
  out.interval = Interval{interval.at(0), interval.at(1)};
  expect(0 < out.interval->low && out.interval->low <= out.value && out.value <= out.interval->high,
         "an overhead is not in its interval");
  return out;
}

TimedSearch search_in(const json& entry) {
  TimedSearch out{entry.at("novelty"), entry.at("simulations"), entry.at("simulations_per_second"),
                  overhead_in(entry)};
  const auto& choices = engine::option_row("novelty").choices;
  expect(std::ranges::find(choices, out.novelty) != choices.end(),
         "there is no novelty '" + out.novelty + "'");
  expect(out.simulations >= 1 && out.simulations_per_second > 0, "a search has no simulations");
  return out;
}

/// Whether a row is of a search with static values and no optional part but novelty, by one thread.
bool has_novelty_at_most(const json& row) {
  return row.at("evaluation") == "static" && row.at("estimators") == "none" &&
         row.at("bonus") == "none" && !row.at("solver").get<bool>() && row.at("mast") == 0 &&
         row.at("threads") == 1;
}

/// The searches of a game, which is added if it is not yet there.
std::vector<TimedSearch>& searches_of(std::vector<TimedGame>& games, const std::string& game) {
  const auto& names = games::game_names();
  expect(std::ranges::find(names, game) != names.end(), "there is no game '" + game + "'");
  auto found = std::ranges::find(games, game, &TimedGame::game);
  if (found == games.end()) found = games.insert(found, {game, {}});
  return found->searches;
}

/// The search without novelty with those that are compared with it. A record has plain searches of
/// other lengths, too.
GameTimes times_of(const TimedGame& timed) {
  const auto is_plain = [](const TimedSearch& search) { return search.novelty == "none"; };
  const auto novel = std::ranges::find_if_not(timed.searches, is_plain);
  expect(novel != timed.searches.end(), timed.game + " has no search with novelty");
  const auto plain = std::ranges::find_if(timed.searches, [&](const TimedSearch& search) {
    return is_plain(search) && search.simulations == novel->simulations;
  });
  expect(plain != timed.searches.end(), timed.game + " has no search without novelty");
  GameTimes out{
      timed.game, plain->simulations, plain->simulations_per_second, plain->overhead.count, {}};
  for (const TimedSearch& search : timed.searches) {
    if (is_plain(search)) continue;
    expect(search.simulations == out.simulations && search.overhead.count == out.rounds,
           "the searches of " + timed.game + " have other simulations or rounds");
    expect(std::ranges::find(out.measures, search.novelty, &MeasureTime::novelty) ==
               out.measures.end(),
           timed.game + " has two searches with " + search.novelty);
    out.measures.push_back({search.novelty, search.overhead});
  }
  return out;
}

std::vector<GameTimes> times_of(const std::vector<TimedGame>& games) {
  std::vector<GameTimes> out;
  for (const TimedGame& game : games) out.push_back(times_of(game));
  return out;
}

Times parse_times(const std::string& text) {
  const json record = json::parse(text);
  std::vector<TimedGame> static_values;
  for (const json& row : record.at("rows")) {
    if (!has_novelty_at_most(row)) continue;
    searches_of(static_values, row.at("game")).push_back(search_in(row));
  }
  std::vector<TimedGame> networks;
  for (const json& network : record.value("networks", json::array())) {
    std::vector<TimedSearch>& searches = searches_of(networks, network.at("game"));
    expect(searches.empty(), "a network is there twice");
    for (const json& search : network.at("searches")) {
      if (!search.at("cache").get<bool>()) searches.push_back(search_in(search));
    }
  }
  expect(!static_values.empty(), "it has no search with static values");
  return {record.at("command"), record.at("signature"), times_of(static_values),
          times_of(networks)};
}

}  // namespace

std::vector<std::string> measures_of(const std::vector<GameTimes>& games) {
  std::vector<std::string> out;
  for (const auto choice : engine::option_row("novelty").choices) {
    if (std::ranges::any_of(games, [&](const GameTimes& game) {
          return std::ranges::find(game.measures, choice, &MeasureTime::novelty) !=
                 game.measures.end();
        })) {
      out.emplace_back(choice);
    }
  }
  return out;
}

std::optional<Times> read_times(const fs::path& path) {
  if (!fs::exists(path)) return std::nullopt;
  const std::string text = read_text_file(path);
  try {
    return parse_times(text);
  } catch (const std::exception& e) {
    throw UserError(path.string() + ": not the times of searches: " + e.what());
  }
}

}  // namespace pitboss::clients
