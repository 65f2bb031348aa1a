#include <malloc.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

#include "engine/leaf/remote/evaluator_client.hpp"
#include "protocol/version.hpp"
#include "server/command_line.hpp"
#include "server/logging.hpp"
#include "server/server.hpp"
#include "server/signals.hpp"

namespace {

/// Makes the C library return the memory of trees and tables to the system as soon as they are
/// released. By default, after the first release, it keeps up to 32 MiB in the worker threads'
/// heaps for each tree that a worker made.
void give_memory_back() {
  mallopt(M_MMAP_THRESHOLD, 1 << 20);  // NOLINT(concurrency-mt-unsafe): there is one thread yet
}

}  // namespace

int main(int count, char** arguments) {
  namespace server = pitboss::server;
  give_memory_back();
  try {
    auto line = server::parse_command_line(count, arguments);
    if (line.version) {
      line.answer = pitboss::protocol::version_of("pitbossd") +
                    (pitboss::engine::has_evaluator_client() ? ", with" : ", without") +
                    " remote evaluators\n";
    }
    if (!line.answer.empty()) {
      std::cout << line.answer;
      return EXIT_SUCCESS;
    }
    server::start_log(line.log_level, line.log_file);
    auto& limits = line.config.limits;
    const auto wanted = limits.max_sessions;
    limits.max_sessions = server::affordable_sessions(wanted);
    if (limits.max_sessions < wanted) {
      spdlog::warn("the limit of open files (ulimit -n) allows {} sessions, not {}",
                   limits.max_sessions, wanted);
    }

    std::signal(SIGPIPE, SIG_IGN);
    const bool has_files = line.config.credentials.any() || !line.log_file.empty();
    // SIGHUP rereads files. If there are none, it ends a daemon whose terminal closes, else does
    // nothing.
    server::Signals signals(has_files || isatty(STDIN_FILENO) == 0);
    server::Server daemon(line.config);
    for (const auto& address : daemon.listening()) {
      std::cout << "listening " << server::host_and_port(address) << ' ' << address.game
                << std::endl;
    }
    if (const auto metrics = daemon.metrics()) {
      std::cout << "metrics " << server::host_and_port(*metrics) << std::endl;
    }
    signals.call([&daemon] { daemon.stop(); },
                 [&daemon, &line, has_files] {
                   if (!has_files) spdlog::info("there is nothing to read anew");
                   server::reopen_log();
                   if (line.config.credentials.any()) daemon.reload();
                 });
    daemon.run();
    if (!signals.end()) std::_Exit(EXIT_SUCCESS);  // reading a file hangs
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::cerr << "pitbossd: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
