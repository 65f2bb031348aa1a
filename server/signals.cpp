#include "server/stop_signals.hpp"

#include <pthread.h>
#include <spdlog/spdlog.h>

#include <csignal>
#include <cstdlib>
#include <utility>

namespace pitboss::server {
namespace {

sigset_t stop_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  return set;
}

void watch(const std::stop_token& ended, const std::function<void()>& on_stop) {
  const auto set = stop_signals();
  for (int seen = 0;; ++seen) {
    int signal = 0;
    sigwait(&set, &signal);
    if (ended.stop_requested()) return;
    if (seen > 0) std::_Exit(128 + signal);
    spdlog::info("signal {}", signal);
    on_stop();
  }
}

}  // namespace

StopSignals::StopSignals() {
  const auto set = stop_signals();
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

StopSignals::~StopSignals() {
  if (!thread_.joinable()) return;
  thread_.request_stop();
  pthread_kill(thread_.native_handle(), SIGTERM);  // wakes it
}

void StopSignals::call(std::function<void()> on_stop) {
  thread_ = std::jthread(
      [on_stop = std::move(on_stop)](const std::stop_token& ended) { watch(ended, on_stop); });
}

}  // namespace pitboss::server
