#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tests/peers/process.hpp"

namespace pitboss::tests {

/// The real daemon as a process of its own.
class Daemon : public peers::Process {
 public:
  explicit Daemon(const std::vector<std::string>& arguments = {"--listen", "127.0.0.1:0"});

  /// "HOST:PORT" in "listening HOST:PORT GAME".
  [[nodiscard]] static std::string address_of(std::string_view line);
  [[nodiscard]] static std::uint16_t port_of(std::string_view line);
};

}  // namespace pitboss::tests
