#include "clients/tuning/tried_games.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "clients/experiments/openings.hpp"
#include "clients/tuning/tuning_file.hpp"
#include "games/letter_case.hpp"

namespace pitboss::clients {

namespace {

/// The tuned options of a player; empty if it has none of them.
std::string tuned_options(const Player& player, const nlohmann::ordered_json& parameters) {
  std::string out;
  bool has_some = false;
  for (const auto& [name, planned] : parameters.items()) {
    const auto found = std::ranges::find_if(player.options, [&](const auto& option) {
      return games::same_ignoring_case(option.name, name);
    });
    has_some |= found != player.options.end();
    out += (out.empty() ? "" : " ") + name + "=" +
           (found == player.options.end() ? "-" : found->value);
  }
  return has_some ? out : "";
}

}  // namespace

std::vector<TriedGame> tried_games(const Experiment& plan, std::span<const PlayedRound> rounds) {
  if (rounds.empty()) return {};
  const auto configuration = nlohmann::ordered_json::parse(plan.tuning->text);
  const auto& parameters = configuration.at("parameters");
  // All candidates of a race play the same openings; they are numbered as they entered it.
  const bool by_player = configuration.value("method", "") == "race";
  const Match& match = plan.matches[rounds.front().match];  // all have the same openings
  const int last = std::ranges::max(rounds, {}, &PlayedRound::round).round;
  const std::vector<int> proposed = numbers_in_random_order(match.openings, match.seed, last + 1);
  std::vector<const PlayedRound*> order;
  for (const PlayedRound& round : rounds) order.push_back(&round);
  std::ranges::sort(order, {}, [&](const PlayedRound* round) {
    const int opening = proposed[static_cast<std::size_t>(round->round)];
    return by_player ? std::pair(round->match, opening) : std::pair(opening, round->match);
  });
  std::vector<TriedGame> out;
  for (const PlayedRound* const round : order) {
    const Match& of = plan.matches[round->match];
    const std::string options = tuned_options(of.players[0], parameters);
    const std::string against =
        is_of_itself(of) ? tuned_options(of.players[1], parameters) : std::string();
    for (const PlayedGame& game : round->games) {
      out.push_back({options, against, static_cast<double>(game.twelfths) / whole_point});
    }
  }
  return out;
}

std::string value_in(const std::string& options, const std::string& parameter) {
  std::istringstream words(options);
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (games::same_ignoring_case(word.substr(0, equals), parameter)) {
      return word.substr(equals + 1);
    }
  }
  return "-";
}

}  // namespace pitboss::clients
