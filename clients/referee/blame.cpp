#include "clients/referee/blame.hpp"

#include <algorithm>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <utility>
#include <variant>

namespace pitboss::clients {

namespace asio = boost::asio;
using std::chrono::milliseconds;

namespace {

asio::awaitable<void> pause(milliseconds duration) {
  asio::steady_timer timer(co_await asio::this_coro::executor, duration);
  co_await timer.async_wait(asio::use_awaitable);
}

}  // namespace

void Blame::watch(const Place& place) {
  const auto* const address = std::get_if<Address>(&place);
  if (address == nullptr) return;
  const auto [entry, is_new] = watches_.try_emplace(text_of(place), std::make_shared<Watch>());
  if (!is_new) return;
  asio::co_spawn(executor_, keep(executor_, *address, entry->second), asio::detached);
}

asio::awaitable<void> Blame::keep(asio::any_io_executor executor, Address address,
                                  std::shared_ptr<Watch> watch) {
  Wire wire(executor);
  for (milliseconds delay(20);; delay = std::min(2 * delay, milliseconds(1000))) {
    try {
      co_await wire.connect(address, connect_timeout);
      watch->is_connected = true;
      delay = milliseconds(20);
      for (;;) {
        co_await wire.read_more();
        wire.received().clear();
      }
    } catch (const GtpFailure&) {
      if (watch->is_connected) watch->last_death = Clock::now();
      watch->is_connected = false;
    }
    co_await pause(delay);
  }
}

asio::awaitable<bool> Blame::is_own_fault(Place place, Clock::time_point opened) {
  const auto found = watches_.find(text_of(place));
  if (found == watches_.end()) co_return true;
  const std::shared_ptr<Watch> watch = found->second;
  const auto has_died = [&] { return watch->last_death && opened < *watch->last_death; };
  const auto end = Clock::now() + patience;
  while (!has_died() && Clock::now() < end) co_await pause(milliseconds(10));
  if (has_died()) co_return false;
  if (watch->is_connected) co_return true;
  co_return co_await answers(std::get<Address>(place));
}

asio::awaitable<bool> Blame::answers(Address address) const {
  Wire probe(executor_);
  try {
    co_await probe.connect(std::move(address), connect_timeout);
  } catch (const GtpFailure&) {
    co_return false;
  }
  co_return true;
}

}  // namespace pitboss::clients
