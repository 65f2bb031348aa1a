#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <thread>

#include "clients/experiments/address.hpp"

namespace pitboss::peers {

/// Stands before a server and passes on all that is said, but for the sentences of failures: behind
/// the code, if there is one, each is another one. On a thread of its own; done when destroyed.
class Rewording {
 public:
  explicit Rewording(std::uint16_t server_port);
  ~Rewording();
  Rewording(const Rewording&) = delete;
  Rewording& operator=(const Rewording&) = delete;

  [[nodiscard]] clients::Address address() const { return address_; }
  /// How many failures have another sentence now.
  [[nodiscard]] int reworded() const { return reworded_; }

 private:
  boost::asio::io_context io_{1};
  boost::asio::ip::tcp::acceptor acceptor_;
  clients::Address address_;
  std::atomic<int> reworded_ = 0;
  std::thread thread_;
};

}  // namespace pitboss::peers
