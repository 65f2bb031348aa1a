#pragma once

#include <boost/asio/io_context.hpp>
#include <cstdint>
#include <string>

#include "clients/players/line_stream.hpp"

namespace pitboss::clients {

/// How a bridge ended.
enum class BridgeEnd : std::uint8_t {
  closed,      ///< by the server, as asked, after all answers
  unasked,     ///< by the server after all answers, although the program may have gone on
  lost,        ///< the connection broke, or the server closed it with a command unanswered
  nobody,      ///< nobody reads standard output any more
  interrupted  ///< SIGINT or SIGTERM
};

struct BridgeResult {
  BridgeEnd end;
  std::string why = {};  ///< of `lost`
  int signal = 0;        ///< of `interrupted`
};

/// Passes bytes between this process's standard streams and a server until one side ends. The end
/// of standard input closes only the sending side of the connection: outstanding answers are still
/// passed on. With `moves_graphics`, blocks of live graphics (gtp_traffic.hpp) go to standard error
/// instead of standard output; a newer block replaces one that was not read in time.
///
/// `received` are bytes that the server has sent already. Runs `io` and blocks. The standard
/// streams do not block meanwhile. Throws boost::system::system_error if one of the streams is not
/// open.
[[nodiscard]] BridgeResult run_bridge(boost::asio::io_context& io, LineStream::Socket socket,
                                      std::string received, bool moves_graphics);

}  // namespace pitboss::clients
