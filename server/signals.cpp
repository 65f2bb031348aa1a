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

}  // namespace

Signals::Signals(bool catches_hangup) : catches_hangup_(catches_hangup) {
  const auto set = caught(catches_hangup_);
  pthread_sigmask(SIG_BLOCK, &set, nullptr);
}

Signals::~Signals() {
  if (!signals_.joinable()) return;
  signals_.request_stop();
  pthread_kill(signals_.native_handle(), SIGTERM);  // wakes it
}

void Signals::call(std::function<void()> on_stop, std::function<void()> on_hangup) {
  on_stop_ = std::move(on_stop);
  on_hangup_ = std::move(on_hangup);
  hangups_ = std::jthread([this](const std::stop_token& ended) { hang_up(ended); });
  signals_ = std::jthread([this](const std::stop_token& ended) { watch(ended); });
}

bool Signals::end() {
  const std::scoped_lock lock(mutex_);
  is_over_ = true;
  return !is_busy_;
}

void Signals::watch(const std::stop_token& ended) {
  const auto set = caught(catches_hangup_);
  while (true) {
    int signal = 0;
    sigwait(&set, &signal);
    if (ended.stop_requested()) return;
    spdlog::info("signal {}", signal);
    if (signal != SIGHUP) {
      stop(signal);
      continue;
    }
    const std::scoped_lock lock(mutex_);
    has_hung_up_ = true;
    hung_up_.notify_one();
  }
}

void Signals::stop(int signal) {
  if (stopped_by_ != 0) {
    spdlog::info("the end, at once: signal {} came when one had already been told", signal);
    std::_Exit(128 + signal);
  }
  stopped_by_ = signal;
  const std::scoped_lock lock(mutex_);
  if (!is_over_) on_stop_();
}

void Signals::hang_up(const std::stop_token& ended) {
  std::unique_lock lock(mutex_);
  while (hung_up_.wait(lock, ended, [this] { return has_hung_up_; }) && !is_over_) {
    has_hung_up_ = false;
    is_busy_ = true;
    lock.unlock();
    on_hangup_();
    lock.lock();
    is_busy_ = false;
  }
}

}  // namespace pitboss::server
