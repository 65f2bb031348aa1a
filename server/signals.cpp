#include "server/signals.hpp"

#include <pthread.h>
#include <spdlog/spdlog.h>

#include <csignal>
#include <cstdlib>
#include <utility>

namespace pitboss::server {
namespace {

sigset_t caught(bool catches_hangup) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  if (catches_hangup) sigaddset(&set, SIGHUP);
  return set;
}

void watch(const std::stop_token& ended, const sigset_t& set, const std::function<void()>& on_stop,
           const std::function<void()>& on_hangup) {
  for (int stops = 0;;) {
    int signal = 0;
    sigwait(&set, &signal);
    if (ended.stop_requested()) return;
    spdlog::info("signal {}", signal);
    if (signal == SIGHUP) {
      on_hangup();
      continue;
    }
    if (stops++ > 0) std::_Exit(128 + signal);
    on_stop();
  }
}

}  // namespace

Signals::Signals(bool catches_hangup) : catches_hangup_(catches_hangup) {
  const auto set = caught(catches_hangup_);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

Signals::~Signals() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  pthread_kill(thread_.native_handle(), SIGTERM);  // wakes it
}

void Signals::call(std::function<void()> on_stop, std::function<void()> on_hangup) {
  thread_ = std::jthread([set = caught(catches_hangup_), on_stop = std::move(on_stop),
                          on_hangup = std::move(on_hangup)](const std::stop_token& ended) {
    watch(ended, set, on_stop, on_hangup);
  });
}

}  // namespace pitboss::server
