#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "server/config.hpp"

namespace pitboss::server {

/// The daemon without its command line, so that tests can start it in a thread.
class Server {
 public:
  /// How many of each there are at the moment.
  struct Counts {
    int sockets = 0;    ///< open connections, refused and closing ones included
    int sessions = 0;   ///< sessions that somebody is connected to
    int searching = 0;  ///< commands that take time
    int pondering = 0;  ///< tables at which the opponent's time is used
  };

  /// Listens on all addresses of `config`; serves nobody yet. Throws std::runtime_error with a
  /// sentence: no such game, senseless options, address in use, bad credentials, or an address that
  /// anybody beyond this machine could use although `is_open` is false.
  explicit Server(const Config& config);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// The addresses with their real ports, in the order of the configuration.
  [[nodiscard]] const std::vector<ListenAddress>& listening() const;

  /// The address of the metrics page with its real port; nothing if there is no page.
  [[nodiscard]] std::optional<ListenAddress> metrics() const;

  /// Serves; blocks until `stop` has been called and all clients have gone or `limits.drain` has
  /// passed since. Returns whether all have gone. To be called once.
  bool run();
  /// Accepts no more clients, ends searches, answers, closes. Any thread, any time; does not block.
  void stop();
  /// Reads tokens, certificate and key again, and disconnects clients whose token has changed. If a
  /// file is bad, logs that and keeps all as they are. Any thread, any time; blocks its caller
  /// while it reads, but no client.
  void reload();
  /// Any thread, any time.
  [[nodiscard]] Counts counts() const;

 private:
  class Implementation;
  std::unique_ptr<Implementation> implementation_;
};

}  // namespace pitboss::server
