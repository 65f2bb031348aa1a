#include "clients/experiments/match.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include "clients/experiments/derived_seed.hpp"
#include "clients/experiments/user_error.hpp"
#include "engine/options/options.hpp"
#include "games/rules_text.hpp"

namespace pitboss::clients {

using games::Colour;

std::string rules_text(const Match& match) {
  return games::rules_text(match.game, match.parameters);
}

std::vector<std::string> seats_in(const Match& match, int game) {
  const Seating seating = seating_of(match, game);
  std::vector<std::string> names;
  for (int c = 0; c < seating.colours(); ++c) {
    names.push_back(match.players[seating.player_of(static_cast<Colour>(c))].name);
  }
  return names;
}

std::vector<std::string> opening_of(const Match& match, int round) {
  return draw_opening(*match.initial_position(), match.openings, match.seed, round);
}

std::int64_t engine_seed(const Match& match, int game, int player) {
  const Colour colour = seating_of(match, game).first_seat_of(player);
  const auto& row = engine::option_row("seed");
  const auto low = std::max<std::int64_t>(1, static_cast<std::int64_t>(row.min));
  const auto high = static_cast<std::int64_t>(std::min(row.max, 2147483647.0));
  const std::uint64_t seed =
      derived_seed(match.seed, use_engine + games::index(colour), static_cast<std::uint64_t>(game));
  return low + static_cast<std::int64_t>(seed % static_cast<std::uint64_t>(high - low + 1));
}

Sides sides_of(const Match& match) {
  Sides sides{{match.players[0].name, match.players[1].name}, {}};
  for (const std::string_view colour : match.colours) {
    sides.letters += static_cast<char>(std::toupper(static_cast<unsigned char>(colour.front())));
  }
  return sides;
}

void set_game(Match& match, std::string_view text, const std::vector<std::string>& more) {
  std::istringstream words{std::string(text)};
  if (!(words >> match.game)) throw UserError("expected the name of a game");
  std::string rest;
  std::getline(words, rest, '\0');
  try {
    match.parameters = games::parse_parameters(rest);
    for (const std::string& word : more) {
      const games::Parameters parameters = games::parse_parameters(word);
      for (const auto& [key, value] : parameters.values()) match.parameters.set(key, value);
    }
    const auto position = match.initial_position();
    match.game = position->name();
    match.parameters = position->parameters();
    match.colours = position->colours();
  } catch (const games::BadGame& e) {
    throw UserError(e.what());
  }
}

std::string adjudication_text(const Adjudication& rule) {
  std::ostringstream text;
  if (rule.resign_moves > 0) {
    text << "a win after " << rule.resign_moves << " moves at " << rule.resign_value
         << " or less for the loser";
  }
  if (rule.resign_moves > 0 && rule.draw_moves > 0) text << "; ";
  if (rule.draw_moves > 0) {
    text << "a draw after " << rule.draw_moves << " moves within " << rule.draw_margin
         << " of 0.5, from ply " << rule.draw_from_ply;
  }
  if (rule.exact) {
    text << (rule.hears_values() ? "; " : "") << "the exact result, once a solver proves it";
  }
  return text.str();
}

}  // namespace pitboss::clients
