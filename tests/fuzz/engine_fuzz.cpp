#include <boost/asio/as_tuple.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <exception>
#include <memory>
#include <string>

#include "clients/players/engine.hpp"
#include "clients/players/engine_failure.hpp"
#include "tests/fuzz/fuzzing.hpp"

/// The first line is the language and the game that an engine is to play, "uci othello"; the rest
/// is all that the engine says, whatever it is asked.
namespace pitboss::fuzzing {

namespace {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using asio::ip::tcp;
using clients::EngineFailure;

constexpr auto as_result = asio::as_tuple(asio::use_awaitable);

asio::awaitable<void> play(clients::Engine& engine, const clients::Match& match) {
  try {
    co_await engine.open();
    const auto declaration = co_await engine.examine(match);
    require(declaration.is_sound(), "what an engine says of itself is bounded and printable");
    co_await engine.begin(match, 1);
    const auto position = match.initial_position();
    while (!position->result().finished()) {
      const std::string move = co_await engine.genmove(position->to_move(), 10s);
      static_cast<void>(co_await engine.figures());
      static_cast<void>(engine.evaluations());
      position->play(move);
      if (position->result().finished()) break;
      const std::string reply = position->legal_moves().front();
      co_await engine.play(position->to_move(), reply);
      position->play(reply);
    }
  } catch (const EngineFailure& failure) {
    require(failure.what()[0] != '\0', "what went wrong is said");
  } catch (const games::BadGame&) {
    // The referee's business: an illegal move.
  }
  require(engine.excerpt().size() <= 4096 + 64, "an excerpt is short");
  engine.close();
}

asio::awaitable<void> speak(tcp::acceptor& acceptor, tcp::socket& socket, std::string_view words) {
  auto [error, accepted] = co_await acceptor.async_accept(as_result);
  if (error) co_return;
  socket = std::move(accepted);
  // Reset at its end, so that thousands of them leave nothing behind.
  socket.set_option(tcp::socket::linger(true, 0), error);
  co_await asio::async_write(socket, asio::buffer(words), as_result);
  socket.shutdown(tcp::socket::shutdown_send, error);
}

}  // namespace

void read_bytes(std::string_view bytes) {
  const std::size_t end = std::min(bytes.find('\n'), bytes.size());
  const std::string_view first = bytes.substr(0, end);
  const std::size_t blank = std::min(first.find(' '), first.size());
  const auto language = clients::language_named(first.substr(0, blank));
  if (!language) return;
  clients::Match match;
  try {
    clients::set_game(match, first.substr(std::min(blank + 1, first.size())));
  } catch (const std::runtime_error&) {
    return;
  }
  asio::io_context io;
  tcp::acceptor acceptor(io, tcp::endpoint(asio::ip::address_v4::loopback(), 0));
  clients::Player player;
  player.name = "P";
  player.language = *language;
  if (*language == clients::Language::uci) player.options = {{"nodes", "1"}};
  player.location = clients::Address{"127.0.0.1", acceptor.local_endpoint().port()};
  const auto engine = clients::make_engine(io.get_executor(), player);
  tcp::socket socket(io);
  asio::co_spawn(io, speak(acceptor, socket, bytes.substr(std::min(end + 1, bytes.size()))),
                 asio::detached);
  asio::co_spawn(io, play(*engine, match), [&](std::exception_ptr failure) {
    boost::system::error_code ignored;
    acceptor.close(ignored);
    socket.close(ignored);
    if (failure) std::rethrow_exception(failure);
  });
  io.run();
}

}  // namespace pitboss::fuzzing
