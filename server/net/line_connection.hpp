#pragma once

#include <boost/asio/awaitable.hpp>

#include "server/net/connection.hpp"

namespace pitboss::server {

/// A connection that carries GTP's lines.
class LineConnection final : public Connection {
 public:
  LineConnection(Shared& shared, Socket socket, std::shared_ptr<ClientAccount> address,
                 tls::Context* context)
      : Connection(shared, std::move(socket), std::move(address), context) {}

  void serve(SessionConfig config, std::uint64_t number) override;
  void refuse(const std::string& why) override;

 private:
  void settle() override;
  [[nodiscard]] bool is_ready() const override { return stream_.is_ready(); }
  [[nodiscard]] SteadyClock::time_point write_deadline() const override {
    return writing_ ? write_deadline_ : SteadyClock::time_point::max();
  }
  void check_busy(SteadyClock::time_point now) override;

  boost::asio::awaitable<void> live();
  void get_ready();
  boost::asio::awaitable<void> write_rest();

  [[nodiscard]] bool wants_to_read() const;
  void read();
  std::size_t send();
  [[nodiscard]] bool has_gone();
  void note_half_close(SteadyClock::time_point now);
  void linger();
  void wake();

  bool reading_ = false;      ///< live waits for input
  bool writing_ = false;      ///< write_rest runs
  bool half_closed_ = false;  ///< the peer has said that it will send no more
  bool hurried_ = false;      ///< its searches have had their time since then
  SteadyClock::time_point write_deadline_;
  SteadyClock::time_point search_deadline_;  ///< half-closed: for the searches
};

}  // namespace pitboss::server
