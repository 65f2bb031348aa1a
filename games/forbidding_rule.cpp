#include "games/forbidding_rule.hpp"

#include <ranges>

#include "games/bad_game.hpp"

namespace pitboss::games {

namespace {

bool can_play(std::string_view name, const Parameters& parameters,
              std::span<const std::string> moves, std::string_view move) {
  try {
    const auto game = make_game(name, parameters);
    for (const std::string& one : moves) game->play(one);
    game->play(move);
    return true;
  } catch (const BadGame&) {
    return false;
  }
}

}  // namespace

std::string forbidding_rule(const AnyGame& position, std::span<const std::string> moves,
                            std::string_view move) {
  for (const Parameter& parameter : game_parameters(position.name())) {
    if (parameter.name == "size" || parameter.values.find('|') == std::string_view::npos) continue;
    const std::string& chosen = position.parameters().text(parameter.name);
    for (const auto choice : std::views::split(parameter.values, '|')) {
      const std::string_view other(choice.begin(), choice.end());
      if (other == chosen) continue;
      Parameters parameters = position.parameters();
      parameters.set(parameter.name, other);
      if (can_play(position.name(), parameters, moves, move)) {
        return std::string(parameter.name) + "=" + chosen;
      }
    }
  }
  return {};
}

}  // namespace pitboss::games
