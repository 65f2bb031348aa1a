#include <malloc.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

#include "engine/exact/teeko_solution.hpp"
#include "engine/leaf/remote/evaluator_client.hpp"
#include "environment/folders.hpp"
#include "protocol/version.hpp"
#include "server/command_line.hpp"
#include "server/logging.hpp"
#include "server/page_files.hpp"
#include "server/server.hpp"
#include "server/service_manager.hpp"
#include "server/signals.hpp"

namespace {

/// Makes the C library return the memory of trees and tables to the system as soon as they are
/// released. By default, after the first release, it keeps up to 32 MiB in the worker threads'
/// heaps for each tree that a worker made.
void give_memory_back() {
  mallopt(M_MMAP_THRESHOLD, 1 << 20);  // NOLINT(concurrency-mt-unsafe): there is one thread yet
}

/// The first line of the log.
void log_start(const pitboss::server::Server& daemon, int workers) {
  std::string addresses;
  for (const auto& address : daemon.listening()) {
    addresses += (addresses.empty() ? "" : ", ") + pitboss::server::host_and_port(address) + ' ' +
                 address.game;
  }
  spdlog::info("{} listens on {}; {} {}", pitboss::protocol::version_of("pitbossd"), addresses,
               workers, workers == 1 ? "worker" : "workers");
}

/// The last line of the log of a daemon that has served.
void log_end(bool all_have_gone, int signal) {
  spdlog::info("the end: signal {} told it to stop, and {}", signal,
               all_have_gone ? "all clients have gone" : "the last clients were cut off");
}

}  // namespace

int main(int count, char** arguments) {
  namespace server = pitboss::server;
  give_memory_back();
  bool has_log_file = false;
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
    pitboss::engine::TeekoSolution::find_table_in(pitboss::environment::cache_folder_if_any());
    server::start_log(line.log_level, line.log_file);
    has_log_file = !line.log_file.empty();
    server::ServiceManager manager;
    line.config.page = server::page_files();
    line.config.heartbeat = [&manager](auto now) { manager.live(now); };
    auto& limits = line.config.limits;
    const auto wanted = limits.max_sessions;
    limits.max_sessions = server::affordable_sessions(wanted);

    std::signal(SIGPIPE, SIG_IGN);
    const bool has_files = line.config.credentials.any() || has_log_file;
    // SIGHUP rereads files. If there are none, it ends a daemon whose terminal closes, else does
    // nothing.
    server::Signals signals(has_files || isatty(STDIN_FILENO) == 0);
    server::Server daemon(line.config);
    log_start(daemon, line.config.workers);
    if (limits.max_sessions < wanted) {
      spdlog::warn("the limit of open files (ulimit -n) allows {} sessions, not {}",
                   limits.max_sessions, wanted);
    }
    for (const auto& address : daemon.listening()) {
      std::cout << (address.http ? "page " : "listening ") << server::host_and_port(address) << ' '
                << address.game << std::endl;
    }
    if (const auto metrics = daemon.metrics()) {
      std::cout << "metrics " << server::host_and_port(*metrics) << std::endl;
    }
    manager.tell("READY=1");
    signals.call(
        [&daemon, &manager] {
          manager.tell("STOPPING=1");
          daemon.stop();
        },
        [&daemon, &line, &manager, has_files] {
          manager.tell("RELOADING=1");
          if (!has_files) spdlog::info("there is nothing to read anew");
          server::reopen_log();
          if (line.config.credentials.any()) daemon.reload();
          manager.tell("READY=1");
        });
    const bool all_have_gone = daemon.run();
    log_end(all_have_gone, signals.stopped_by());
    if (!signals.end()) std::_Exit(EXIT_SUCCESS);  // reading a file hangs
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::cerr << "pitbossd: " << error.what() << '\n';
    if (has_log_file) spdlog::critical("the end: {}", error.what());
    return EXIT_FAILURE;
  }
}
