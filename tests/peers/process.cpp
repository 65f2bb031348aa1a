#include "tests/peers/process.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace pitboss::peers {

using namespace std::chrono_literals;

Process::Process(std::vector<std::string> command) {
  std::vector<char*> words;
  for (std::string& word : command) words.push_back(word.data());
  words.push_back(nullptr);
  std::array<std::array<int, 2>, 3> pipes{};
  for (auto& pipe : pipes) {
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  }
  process_ = ::fork();  // NOLINT(cppcoreguidelines-prefer-member-initializer): after the words
  if (process_ < 0) throw std::runtime_error("no process");
  if (process_ == 0) {
    // Only what is safe between fork and exec in a program with threads.
    ::dup2(pipes[0][0], STDIN_FILENO);
    ::dup2(pipes[1][1], STDOUT_FILENO);
    ::dup2(pipes[2][1], STDERR_FILENO);
    ::execv(words[0], words.data());
    ::_exit(127);
  }
  for (const std::size_t i : {0, 1, 2}) {
    const bool is_input = i == 0;
    ::close(pipes[i][is_input ? 0 : 1]);
    streams_[i].descriptor = pipes[i][is_input ? 1 : 0];
  }
}

Process::~Process() {
  if (process_ > 0) {
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
  }
  for (Stream& stream : streams_) close(stream);
}

void Process::write(std::string_view text) {
  // A program that has ended must not end the test.
  static const auto ignored = std::signal(SIGPIPE, SIG_IGN);
  static_cast<void>(ignored);
  while (!text.empty()) {
    pollfd state{streams_[0].descriptor, POLLOUT, 0};
    const bool ready = ::poll(&state, 1, static_cast<int>(tests::longest_wait.count())) > 0;
    const auto size =
        ready ? ::write(state.fd, text.data(), std::min<std::size_t>(text.size(), 4096)) : -1;
    if (size < 0) throw std::runtime_error("the program does not read");
    text.remove_prefix(static_cast<std::size_t>(size));
  }
}

void Process::end_input() { close(streams_[0]); }
void Process::close_output() { close(streams_[1]); }

std::string Process::output_line(Milliseconds limit) { return line_of(streams_[1], limit); }
std::string Process::error_line(Milliseconds limit) { return line_of(streams_[2], limit); }

std::string Process::line_of(Stream& stream, Milliseconds limit) {
  const auto end = Clock::now() + limit;
  std::size_t feed = std::string::npos;
  while ((feed = stream.text.find('\n')) == std::string::npos) {
    if (stream.descriptor < 0 || Clock::now() > end) {
      throw std::runtime_error("the program does not say more than '" + stream.text + "'");
    }
    read_some(end);
  }
  std::string line = stream.text.substr(0, feed);
  stream.text.erase(0, feed + 1);
  return line;
}

// Reads what there is, or waits until there is something; both outputs, so that neither blocks the
// program.
void Process::read_some(Clock::time_point end) {
  std::array<pollfd, 2> states{pollfd{streams_[1].descriptor, POLLIN, 0},
                               pollfd{streams_[2].descriptor, POLLIN, 0}};
  const auto left = std::chrono::duration_cast<Milliseconds>(end - Clock::now());
  ::poll(states.data(), states.size(), static_cast<int>(std::max<Milliseconds>(left, 0ms).count()));
  for (const std::size_t i : {0, 1}) {
    if (states[i].revents == 0) continue;
    Stream& stream = streams_[i + 1];
    std::array<char, 65536> chunk;
    const auto size = ::read(stream.descriptor, chunk.data(), chunk.size());
    if (size <= 0) {
      close(stream);
    } else {
      stream.text.append(chunk.data(), static_cast<std::size_t>(size));
    }
  }
}

void Process::close(Stream& stream) {
  if (stream.descriptor >= 0) ::close(stream.descriptor);
  stream.descriptor = -1;
}

void Process::signal(int number) const {
  // The number of a process that has ended means others, or all.
  if (process_ <= 0) throw std::runtime_error("the program has ended");
  ::kill(process_, number);
}

int Process::wait(Milliseconds limit) {
  if (process_ <= 0) throw std::runtime_error("the program has ended");
  const auto end = Clock::now() + limit;
  int status = 0;
  while (::waitpid(process_, &status, WNOHANG) == 0) {
    if (Clock::now() > end) throw std::runtime_error("the program goes on");
    read_some(Clock::now() + 2ms);
  }
  process_ = -1;
  // What it wrote last. A process of its own that holds the streams does not make this wait.
  while (streams_[1].descriptor >= 0 || streams_[2].descriptor >= 0) {
    const auto before = streams_[1].text.size() + streams_[2].text.size();
    read_some(Clock::now());
    const bool open = streams_[1].descriptor >= 0 || streams_[2].descriptor >= 0;
    if (open && streams_[1].text.size() + streams_[2].text.size() == before) break;
  }
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

ProgramEnd ended(const std::vector<std::string>& command) {
  Process process(command);
  const int code = process.wait();
  return {code, process.output(), process.errors()};
}

std::vector<pid_t> descendants(pid_t process) {
  std::vector<pid_t> out;
  const std::string number = std::to_string(process);
  std::ifstream children("/proc/" + number + "/task/" + number + "/children");
  for (pid_t child = 0; children >> child;) {
    out.push_back(child);
    const std::vector<pid_t> more = descendants(child);
    out.insert(out.end(), more.begin(), more.end());
  }
  return out;
}

std::vector<std::string> command_line(pid_t process) {
  std::vector<std::string> words;
  std::ifstream file("/proc/" + std::to_string(process) + "/cmdline");
  // Unlike a stream's iterator, getline does not throw where the process ends while it is read.
  for (std::string word; std::getline(file, word, '\0');) words.push_back(word);
  return words;
}

}  // namespace pitboss::peers
