#include "engine/search/search.hpp"

#include <algorithm>
#include <utility>

#include "engine/search/exact_search.hpp"
#include "engine/search/slots.hpp"
#include "games/all_games.hpp"

namespace pitboss::engine {

Limits limits_of(const Options& options, std::optional<std::chrono::milliseconds> clock) {
  Limits limits;
  limits.clock = clock;
  const std::int64_t simulations = simulation_bound(options, clock.has_value());
  if (simulations > 0) limits.simulations = simulations;
  if (options.movetime_ms > 0) limits.time = std::chrono::milliseconds(options.movetime_ms);
  if (options.cputime_ms > 0) limits.processor_time = std::chrono::milliseconds(options.cputime_ms);
  if (!limits.is_bounded()) {
    throw BadOption("a search needs a bound: set simulations, movetime or cputime above 0");
  }
  return limits;
}

/// A search for `game` if its type is the one at `Place` in AllGames; else null
/// (search/make_searcher.hpp, of which each place is compiled by itself).
template <int Place>
[[nodiscard]] std::unique_ptr<Search> make_searcher(const games::AnyGame& game,
                                                    const Models& models,
                                                    const std::shared_ptr<MemorySource>& memory);

std::unique_ptr<Search> make_search(const games::AnyGame& game, const Models& models,
                                    const std::shared_ptr<MemorySource>& memory) {
  std::unique_ptr<Search> search;
  const auto try_all = [&]<int... Places>(std::integer_sequence<int, Places...>) {
    static_cast<void>(((search = make_searcher<Places>(game, models, memory)) || ...));
  };
  try_all(std::make_integer_sequence<int, games::AllGames::count>{});
  if (std::ranges::count(solved_games(), game.name()) == 0) return search;
  return std::make_unique<ExactSearch>(std::move(search), memory);
}

void check_options(const games::AnyGame& game, const Options& options) {
  games::with_game(game.name(), [&]<class G>(std::type_identity<G>) {
    check_options(abilities_of<G>(), options);
  });
}

}  // namespace pitboss::engine
