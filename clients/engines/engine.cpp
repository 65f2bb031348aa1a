#include "clients/engines/engine.hpp"

#include "clients/engines/gtp_engines.hpp"
#include "clients/engines/uci_engine.hpp"

namespace pitboss::clients {

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
