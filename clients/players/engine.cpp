#include "clients/players/engine.hpp"

#include "clients/players/pitboss_engine.hpp"
#include "clients/players/plain_gtp_engine.hpp"
#include "clients/players/uci_engine.hpp"

namespace pitboss::clients {

std::unique_ptr<Engine> make_engine(const boost::asio::any_io_executor& executor,
                                    const Player& player) {
  switch (player.language) {
    case Language::gtp:
      return std::make_unique<PlainGtpEngine>(executor, player);
    case Language::uci:
      return std::make_unique<UciEngine>(executor, player);
    case Language::pitboss:
      break;
  }
  return std::make_unique<PitbossEngine>(executor, player);
}

}  // namespace pitboss::clients
