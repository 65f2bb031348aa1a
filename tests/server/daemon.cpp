#include "tests/server/daemon.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

namespace pitboss::tests {

Daemon::Daemon(const std::vector<std::string>& arguments) {
  const std::string program = std::string(PITBOSS_BIN) + "/pitbossd";
  std::vector<char*> argv{const_cast<char*>(program.c_str())};
  for (const auto& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  std::array<int, 2> output{};
  std::array<int, 2> errors{};
  if (pipe2(output.data(), O_CLOEXEC) != 0 || pipe2(errors.data(), O_CLOEXEC) != 0) {
    throw std::runtime_error("no pipe");
  }
  process_ = fork();
  if (process_ < 0) throw std::runtime_error("no process");
  if (process_ == 0) {
    dup2(output[1], STDOUT_FILENO);
    dup2(errors[1], STDERR_FILENO);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  ::close(output[1]);
  ::close(errors[1]);
  output_ = output[0];
  errors_ = errors[0];
}

Daemon::~Daemon() {
  if (process_ > 0) {
    kill(process_, SIGKILL);
    waitpid(process_, nullptr, 0);
  }
  ::close(output_);
  ::close(errors_);
}

std::string Daemon::output_line() {
  std::string line;
  while (true) {
    pollfd state{output_, POLLIN, 0};
    char byte = 0;
    if (::poll(&state, 1, 10'000) <= 0 || ::read(output_, &byte, 1) != 1) {
      throw std::runtime_error("the daemon does not say more than '" + line + "'");
    }
    if (byte == '\n') return line;
    line.push_back(byte);
  }
}

std::uint16_t Daemon::port_of(std::string_view line) {
  const auto blank = line.rfind(' ');
  const auto colon = line.rfind(':', blank);
  return static_cast<std::uint16_t>(std::stoi(std::string(line.substr(colon + 1, blank))));
}

void Daemon::signal(int number) const {
  // The number of a process that has ended means others, or all.
  if (process_ <= 0) throw std::runtime_error("the daemon has ended");
  kill(process_, number);
}

int Daemon::wait(std::chrono::milliseconds limit) {
  if (process_ <= 0) throw std::runtime_error("the daemon has ended");
  const auto end = std::chrono::steady_clock::now() + limit;
  int status = 0;
  while (waitpid(process_, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("the daemon goes on");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  process_ = -1;
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

std::string Daemon::errors() const {
  std::string text;
  std::array<char, 4096> chunk;
  while (true) {
    const auto size = ::read(errors_, chunk.data(), chunk.size());
    if (size <= 0) return text;
    text.append(chunk.data(), static_cast<std::size_t>(size));
  }
}

}  // namespace pitboss::tests
