#include "clients/engines/engine.hpp"

#include <stdexcept>

#include "clients/engines/gtp_engines.hpp"
#include "clients/engines/uci_engine.hpp"

namespace pitboss::clients {

void Engine::announce(const Match&, std::int64_t) {
  throw std::logic_error("an engine that cannot play both sides was asked to");
}

boost::asio::awaitable<Exchange> Engine::play_both(const Player&, std::int64_t, Seating, int,
                                                   std::chrono::milliseconds) {
  throw std::logic_error("an engine that cannot play both sides was asked to");
  co_return Exchange{};
}

std::unique_ptr<Engine> make_engine(const boost::asio::any_io_executor& executor,
                                    const Player& player) {
  switch (player.dialect) {
    case Dialect::gtp:
      return std::make_unique<PlainGtpEngine>(executor, player);
    case Dialect::uci:
      return std::make_unique<UciEngine>(executor, player);
    case Dialect::pitboss:
      break;
  }
  return std::make_unique<PitbossEngine>(executor, player);
}

}  // namespace pitboss::clients
