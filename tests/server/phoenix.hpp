#pragma once

#include <doctest/doctest.h>

#include <csignal>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "tests/server/daemon.hpp"

namespace pitboss::tests {

/// A daemon that is started again where it was.
class Phoenix {
 public:
  /// `arguments` besides the address.
  explicit Phoenix(std::vector<std::string> arguments = {}) : arguments_(std::move(arguments)) {
    address_ = start("127.0.0.1:0");
  }
  [[nodiscard]] const std::string& address() const { return address_; }
  void kill() {
    daemon_->signal(SIGKILL);
    CHECK(daemon_->wait() == 128 + SIGKILL);
    daemon_.reset();
  }
  void rise() { CHECK(start(address_) == address_); }
  /// With other arguments than before.
  void rise(std::vector<std::string> arguments) {
    arguments_ = std::move(arguments);
    rise();
  }

 private:
  std::string start(const std::string& address) {
    std::vector<std::string> all{"--listen", address};
    all.insert(all.end(), arguments_.begin(), arguments_.end());
    daemon_ = std::make_unique<Daemon>(all);
    return Daemon::address_of(daemon_->output_line());
  }

  std::vector<std::string> arguments_;
  std::unique_ptr<Daemon> daemon_;
  std::string address_;
};

}  // namespace pitboss::tests
