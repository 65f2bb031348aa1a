#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <functional>
#include <string_view>

/// How the program that launches workers on other machines holds them: by words on their standard
/// input, one a line. They end when that ends, or when no word has come for `patience`: a worker
/// whose connection has gone for good does not stay behind.
namespace pitboss::clients::attendance {

inline constexpr std::string_view alive = "alive";
inline constexpr std::string_view drain = "drain";  ///< finish the rounds in play, and end
inline constexpr std::string_view drop = "drop";    ///< give them up, and end

inline constexpr std::chrono::seconds interval{5};
/// A link that is cut for a minute is back by then, and TCP, which tries again after ever longer
/// pauses, has found out.
inline constexpr std::chrono::seconds patience{140};

/// Calls `on_word` with each word of standard input, and with nothing when no more can come. Does
/// not end while `io` runs.
boost::asio::awaitable<void> listen(boost::asio::io_context& io,
                                    std::function<void(std::string_view)> on_word);

}  // namespace pitboss::clients::attendance
