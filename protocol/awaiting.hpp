#pragma once

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <exception>

namespace pitboss::protocol {

/// How a coroutine waits for what may fail: `co_await` gives the error code first, and throws none.
inline constexpr auto awaiting = boost::asio::as_tuple(boost::asio::use_awaitable);

/// What `co_spawn` calls at a coroutine's end: lets what it throws leave io_context::run.
inline void rethrow(const std::exception_ptr& error) {
  if (error) std::rethrow_exception(error);
}

}  // namespace pitboss::protocol
