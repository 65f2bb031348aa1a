#include "clients/pitboss/search_signature.hpp"

#include <array>
#include <cstdint>
#include <cstdio>
#include <ranges>

#include "clients/pitboss/search_timing.hpp"
#include "engine/search/search.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

using engine::Options;

std::string search_signature(const std::vector<std::string>& names) {
  constexpr std::int64_t simulations = 2000;
  std::uint64_t hash = 0;
  const auto add = [&](const engine::MoveReport& move) {
    for (const char c : move.move) hash = games::mix(hash + static_cast<unsigned char>(c));
    hash = games::mix(hash + static_cast<std::uint64_t>(move.visits));
  };
  for (const std::string& name : names) {
    const auto start = games::make_game(name);
    for (Options options : variants(*start, {.simulations = simulations})) {
      // First with the options of the novelty authors' program, then with those of their paper.
      for (const bool as_paper : {false, true}) {
        engine::set_option(options, "selection", as_paper ? "ucb1" : "ucb1-tuned");
        engine::set_option(options, "final_move", as_paper ? "value" : "visits");
        options.virtual_samples = !as_paper;
        // Searches again a few plies later: some games begin with a forced move.
        const auto game = start->clone();
        for (int search = 0; search < 2; ++search) {
          const engine::Report report = searched(*engine::make_search(*game), *game, options);
          for (const engine::MoveReport& move : report.moves) add(move);
          for (const std::string& move : report.pv | std::views::take(3)) game->play(move);
        }
      }
    }
  }
  std::array<char, 17> text{};
  std::snprintf(text.data(), text.size(), "%016llx", static_cast<unsigned long long>(hash));
  return text.data();
}

}  // namespace pitboss::clients
