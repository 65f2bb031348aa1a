#include "clients/referee/play_game.hpp"

namespace pitboss::clients {

boost::asio::awaitable<GameEnd> play_game(const Match& match, int game, Engines& engines) {
  GameInPlay g(match, game, &engines);
  co_return co_await g.play();
}

}  // namespace pitboss::clients
