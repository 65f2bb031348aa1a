#include <spdlog/spdlog.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <iostream>

#include "server/command_line.hpp"
#include "server/logging.hpp"
#include "server/server.hpp"
#include "server/stop_signals.hpp"

int main(int count, char** arguments) {
  using namespace pitboss::server;
  try {
    auto line = parse_command_line(count, arguments);
    if (line.version) line.answer = "pitbossd " PITBOSS_VERSION "\n";
    if (!line.answer.empty()) {
      std::cout << line.answer;
      return EXIT_SUCCESS;
    }
    start_log(line.log_level, line.log_file);
    auto& limits = line.config.limits;
    const auto wanted = limits.max_sessions;
    limits.max_sessions = affordable_sessions(wanted);
    if (limits.max_sessions < wanted) {
      spdlog::warn("only {} sessions: the limit of open files is low", limits.max_sessions);
    }

    std::signal(SIGPIPE, SIG_IGN);
    StopSignals signals;
    Server server(line.config);
    for (const auto& address : server.listening()) {
      std::cout << "listening " << host_and_port(address) << ' ' << address.game << std::endl;
    }
    signals.call([&server] { server.stop(); });
    server.run();
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::cerr << "pitbossd: " << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
