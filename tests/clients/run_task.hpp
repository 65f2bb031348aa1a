#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <exception>
#include <utility>

namespace pitboss::clients {

/// Runs a coroutine until nothing is left to do, not only until its end: what it leaves behind is
/// run, too. Throws what the coroutine throws.
inline void run(boost::asio::io_context& io, boost::asio::awaitable<void> task) {
  std::exception_ptr failure;
  boost::asio::co_spawn(io, std::move(task), [&](std::exception_ptr e) { failure = e; });
  io.restart();
  io.run();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace pitboss::clients
