#include "tests/server/late_searches.hpp"

#include <memory>

#include "engine/search/searcher.hpp"
#include "games/boxed_game.hpp"
#include "games/connect4.hpp"
#include "tests/engine/leaf/late_evaluator.hpp"

namespace pitboss::tests {

server::MakeSearch late_searches(std::chrono::microseconds delay, int in_flight) {
  using Game = games::Connect4;
  return [source = std::make_shared<LateSource<Game>>(delay, in_flight)](
             const games::AnyGame& game, const std::shared_ptr<engine::MemorySource>& /*memory*/)
             -> std::unique_ptr<engine::Search> {
    const auto& boxed = dynamic_cast<const games::BoxedGame<Game>&>(game);
    return std::make_unique<engine::Searcher<Game>>(boxed.game(), source);
  };
}

}  // namespace pitboss::tests
