#include "clients/referee/openings.hpp"

#include <charconv>
#include <optional>

#include "clients/user_error.hpp"

namespace pitboss::clients {

namespace {

constexpr int max_turns = 1000;
constexpr int max_attempts = 1000;

/// One try: nothing if the game ended on the way.
std::optional<std::vector<std::string>> try_opening(const games::AnyGame& start, int turns,
                                                    games::Random& random) {
  std::vector<std::string> moves;
  const auto position = start.clone();
  for (int turn = 0; turn < start.players() * turns; ++turn) {
    const games::Colour mover = position->to_move();
    while (position->to_move() == mover) {
      moves.push_back(position->random_move(random));
      position->play(moves.back());
      if (position->result().finished()) return std::nullopt;
    }
  }
  return moves;
}

}  // namespace

std::string Openings::text() const {
  return turns == 0 ? "none" : "random:" + std::to_string(turns);
}

Openings parse_openings(std::string_view text) {
  if (text == "none") return {0};
  constexpr std::string_view prefix = "random:";
  int turns = -1;
  if (text.starts_with(prefix)) {
    const std::string_view digits = text.substr(prefix.size());
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), turns);
    if (error != std::errc{} || end != digits.data() + digits.size()) turns = -1;
  }
  if (turns < 0 || turns > max_turns) {
    throw UserError("openings \"" + std::string(text) +
                    "\" are unknown; \"none\" or \"random:N\", N "
                    "random moves of each side (0 to " +
                    std::to_string(max_turns) + "), is expected");
  }
  return {turns};
}

std::vector<std::string> draw_opening(const games::AnyGame& start, Openings openings,
                                      std::uint64_t seed) {
  games::Random random(seed);
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    if (auto moves = try_opening(start, openings.turns, random)) return *std::move(moves);
  }
  throw UserError("no opening " + openings.text() + " of " + std::string(start.name()) +
                  " was found that leaves a game to play; use a shorter one");
}

}  // namespace pitboss::clients
