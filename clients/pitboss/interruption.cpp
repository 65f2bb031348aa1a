#include "clients/pitboss/interruption.hpp"

#include <csignal>

namespace pitboss::clients {

Interruption::Interruption() : signals_(io_, SIGINT, SIGTERM) {
  signals_.async_wait([this](const boost::system::error_code& error, int /*signal*/) {
    if (error) return;
    flag_ = true;
    signals_.clear();
  });
  thread_ = std::thread([this] { io_.run(); });
}

Interruption::~Interruption() {
  io_.stop();
  thread_.join();
}

}  // namespace pitboss::clients
