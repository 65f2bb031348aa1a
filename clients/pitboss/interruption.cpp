#include "clients/pitboss/interruption.hpp"

#include <csignal>

namespace pitboss::clients {

namespace {

// A signal handler can only reach a global variable.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
std::atomic<bool> interrupted = false;

extern "C" void note_signal(int signal) {
  interrupted = true;
  std::signal(signal, SIG_DFL);
}

}  // namespace

Interruption::Interruption() {
  interrupted = false;
  listen();
}

Interruption::~Interruption() {
  std::signal(SIGINT, SIG_DFL);
  std::signal(SIGTERM, SIG_DFL);
}

void Interruption::listen() {
  std::signal(SIGINT, note_signal);
  std::signal(SIGTERM, note_signal);
}

const std::atomic<bool>& Interruption::flag() const { return interrupted; }

void Interruption::set() { interrupted = true; }

}  // namespace pitboss::clients
