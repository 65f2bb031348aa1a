#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>

namespace pitboss::protocol {

/// Completion token for operations that may fail: `co_await` yields the error code first and does
/// not throw it.
inline constexpr auto awaiting = boost::asio::as_tuple(boost::asio::use_awaitable);

/// Completion handler for `co_spawn`: an exception of the coroutine leaves io_context::run.
inline void rethrow(const std::exception_ptr& error) {
  if (error) std::rethrow_exception(error);
}

}  // namespace pitboss::protocol
