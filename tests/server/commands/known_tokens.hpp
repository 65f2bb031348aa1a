#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "server/session/session_config.hpp"
#include "server/session/tables.hpp"

namespace pitboss::tests {

/// A server with tokens, as sessions see it.
class KnownTokens : public server::ServerControl {
 public:
  explicit KnownTokens(std::map<std::string, protocol::Identity, std::less<>> tokens)
      : tokens_(std::move(tokens)) {}

  [[nodiscard]] std::string stats() const override { return "{}"; }
  [[nodiscard]] int workers() const override { return 1; }
  [[nodiscard]] std::string log_level() const override { return "info"; }
  void set_log_level(const std::string& /*word*/) override {}
  void check_room_for_search(const protocol::Identity& /*client*/) override {}
  [[nodiscard]] std::string sessions() const override {
    return "7 127.0.0.1:53422 alice play idle 12\n8 127.0.0.1:53424 - nobody idle 0";
  }
  bool disconnect(std::int64_t number) override { return number == 7; }
  [[nodiscard]] std::optional<protocol::Identity> client_with(std::string_view token) override {
    const auto found = tokens_.find(token);
    return found == tokens_.end() ? std::nullopt : std::optional(found->second);
  }

  /// Of sessions that have not shown a token, and share the tables.
  [[nodiscard]] server::SessionConfig config() {
    server::SessionConfig config;
    config.options.simulations = 500;
    config.options.seed = 1;
    config.tables = tables_;
    config.server = this;
    config.client.right = protocol::Right::nothing;
    return config;
  }

 private:
  std::map<std::string, protocol::Identity, std::less<>> tokens_;
  std::shared_ptr<server::Tables> tables_ = std::make_shared<server::Tables>(server::TableLimits{});
};

}  // namespace pitboss::tests
