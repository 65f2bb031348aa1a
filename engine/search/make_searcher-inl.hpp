#pragma once

// What makes the search of a game: included by one source for each game, which CMake writes, and
// which instantiates make_searcher for the game.

#include "engine/leaf/model_source.hpp"
#include "engine/search/make_searcher.hpp"
#include "engine/search/searcher_report.hpp"
#include "engine/search/searcher_run.hpp"
#include "engine/search/split_search.hpp"
#include "games/all_games.hpp"
#include "games/boxed_game.hpp"

namespace pitboss::engine {

template <games::Game G>
std::unique_ptr<Search> make_whole_searcher(const G& game, const Models& models,
                                            const std::shared_ptr<MemoryBudget>& budget) {
  auto source = std::make_shared<const ModelSource<G>>(models);
  return std::make_unique<Searcher<G>>(game, std::move(source), budget);
}

template <int Place>
std::unique_ptr<Search> make_searcher(const games::AnyGame& game, const Models& models,
                                      const std::shared_ptr<MemoryBudget>& budget) {
  using G = games::AllGames::At<Place>;
  const auto* const boxed = dynamic_cast<const games::BoxedGame<G>*>(&game);
  if (!boxed) return nullptr;
  const G& start = boxed->game();
  if constexpr (games::HasHalves<G>) {
    return std::make_unique<SplitSearch>([start, models, budget](bool by_halves) {
      return by_halves ? make_half_searcher(start, models, budget)
                       : make_whole_searcher(start, models, budget);
    });
  } else {
    return make_whole_searcher(start, models, budget);
  }
}

}  // namespace pitboss::engine
