#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "server/config.hpp"

namespace pitboss::server {

/// The daemon without its command line, so that tests can start it in a thread.
class Server {
 public:
  /// How many there are just now.
  struct Counts {
    int sockets = 0;    ///< open connections, refused and closing ones included
    int sessions = 0;   ///< sessions that somebody is connected to
    int searching = 0;  ///< commands that take time
    int pondering = 0;  ///< tables at which the opponent's time is used
  };

  /// Listens on all addresses of `config`; serves nobody yet. Throws std::runtime_error with a
  /// sentence: no such game, senseless options, address in use, credentials that are not in order,
  /// an address beyond this machine that everybody could use though `is_open` does not say so.
  explicit Server(const Config& config);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// The addresses with their real ports, in the order of the configuration.
  [[nodiscard]] const std::vector<ListenAddress>& listening() const;

  /// The address of the metrics page with its real port; nothing if there is no page.
  [[nodiscard]] std::optional<ListenAddress> metrics() const;

  /// Serves; blocks until `stop` has been called and the clients are done with, for
  /// `limits.drain` at the longest. Returns whether all were. Once.
  bool run();
  /// Any thread, any time: accepts no more, ends searches, answers, closes. Does not block.
  void stop();
  /// Any thread, any time: reads tokens, certificate and key anew; those it has stay if one of the
  /// files is not in order, which the log tells. Clients whose token is not as it was are
  /// disconnected. Blocks for the reading alone, and holds no client up.
  void reload();
  /// Any thread, any time.
  [[nodiscard]] Counts counts() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace pitboss::server
