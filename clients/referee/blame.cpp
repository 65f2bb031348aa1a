#include "clients/referee/blame.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <variant>

namespace pitboss::clients {

namespace asio = boost::asio;

asio::awaitable<bool> Blame::is_own_fault(const Place& place, Clock::time_point opened) {
  const auto* const address = std::get_if<Address>(&place);
  if (address == nullptr) co_return true;

  const std::string name = text_of(place);
  const auto noticed = Clock::now();
  const int witnesses = engines_.witnesses(place, noticed).present;
  asio::steady_timer timer(executor_, patience);
  co_await timer.async_wait(asio::use_awaitable);

  // Whoever was only waiting for the other player's move notices a death late.
  const auto death = last_death_.find(name);
  if (death != last_death_.end() && opened < death->second) co_return false;

  bool lives = engines_.witnesses(place, noticed).alive > 0;
  if (witnesses == 0) lives = co_await answers(*address);
  if (!lives) last_death_[name] = noticed;
  co_return lives;
}

asio::awaitable<bool> Blame::answers(Address address) const {
  GtpClient probe(executor_);
  try {
    co_await probe.connect(std::move(address), connect_timeout);
  } catch (const GtpFailure&) {
    co_return false;
  }
  co_return true;
}

}  // namespace pitboss::clients
