#include "clients/referee/server_watch.hpp"

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

void ServerWatch::watch(const Location& location) {
  const auto* const address = std::get_if<Address>(&location);
  if (address == nullptr) return;
  const auto [entry, is_new] = watches_.try_emplace(text_of(location), std::make_shared<Watch>());
  if (!is_new) return;
  asio::co_spawn(executor_, keep(executor_, *address, entry->second), asio::detached);
}

asio::awaitable<void> ServerWatch::keep(asio::any_io_executor executor, Address address,
                                        std::shared_ptr<Watch> watch) {
  LineStream stream(executor);
  for (milliseconds delay(20);; delay = std::min(2 * delay, milliseconds(1000))) {
    try {
      co_await stream.connect(address, connect_timeout);
      watch->is_connected = true;
      delay = milliseconds(20);
      for (;;) {
        co_await stream.read_more();
        stream.received().clear();
      }
    } catch (const EngineFailure&) {
      if (watch->is_connected) watch->last_death = AwakeClock::now();
      watch->is_connected = false;
    }
    co_await pause(delay);
  }
}

asio::awaitable<bool> ServerWatch::is_own_fault(Location location, AwakeClock::time_point opened) {
  const auto found = watches_.find(text_of(location));
  if (found == watches_.end()) co_return true;
  const std::shared_ptr<Watch> watch = found->second;
  const auto has_died = [&] { return watch->last_death && opened < *watch->last_death; };
  const auto end = AwakeClock::now() + patience;
  while (!has_died() && AwakeClock::now() < end) co_await pause(milliseconds(10));
  if (has_died()) co_return false;
  const bool is_full = !watch->is_connected;
  co_return co_await is_there(std::get<Address>(location), is_full);
}

asio::awaitable<bool> ServerWatch::answers(Location location) const {
  const auto* const address = std::get_if<Address>(&location);
  if (address == nullptr) co_return true;
  GtpClient client(executor_);
  try {
    co_await client.connect(*address, prompt);
    // One that goes on only now has been stopped, too.
    static_cast<void>(co_await client.ask("protocol_version", prompt));
  } catch (const EngineFailure& failure) {
    co_return failure.kind() != EngineFailure::Kind::silent&& failure.kind() !=
        EngineFailure::Kind::unreachable;
  }
  co_return true;
}

/// Whether the server can be reached. One that has no room for the silent connection has to let
/// this one in.
asio::awaitable<bool> ServerWatch::is_there(Address address, bool is_full) const {
  LineStream probe(executor_);
  try {
    co_await probe.connect(std::move(address), connect_timeout);
  } catch (const EngineFailure& failure) {
    co_return !is_full && failure.kind() != EngineFailure::Kind::unreachable;
  }
  co_return true;
}

}  // namespace pitboss::clients
