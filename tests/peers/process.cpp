#include "tests/peers/process.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <stdexcept>
#include <thread>

namespace pitboss::peers {

Process::Process(std::vector<std::string> command, const std::filesystem::path& out,
                 const std::filesystem::path& err) {
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  pid_ = ::fork();  // NOLINT(cppcoreguidelines-prefer-member-initializer): after the words
  if (pid_ < 0) throw std::runtime_error("cannot fork");
  if (pid_ > 0) return;
  // Only what is safe between fork and exec in a program with threads.
  const int out_file = ::open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  const int err_file = ::open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ::dup2(out_file, STDOUT_FILENO);
  ::dup2(err_file, STDERR_FILENO);
  ::execv(words[0], words.data());
  ::_exit(127);
}

Process::~Process() {
  if (pid_ < 0) return;
  ::kill(pid_, SIGKILL);
  ::waitpid(pid_, nullptr, 0);
}

void Process::send(int signal) const {
  if (pid_ > 0) ::kill(pid_, signal);
}

int Process::wait(std::chrono::milliseconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  int status = 0;
  while (::waitpid(pid_, &status, WNOHANG) == 0) {
    if (std::chrono::steady_clock::now() > deadline) ::kill(pid_, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  pid_ = -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

}  // namespace pitboss::peers
