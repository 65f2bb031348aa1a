#include <spdlog/spdlog.h>

#include <csignal>
#include <exception>
#include <iostream>
#include <string>

#include "server/server.hpp"
#include "server/signals.hpp"
#include "tests/peers/late_search.hpp"

/// A daemon whose searches wait for each leaf: `pitboss_late_daemon MILLISECONDS`. It says where it
/// listens as pitbossd does.
int main(int count, char** arguments) {
  using namespace pitboss;
  if (count != 2) return EXIT_FAILURE;
  try {
    std::signal(SIGPIPE, SIG_IGN);
    spdlog::set_level(spdlog::level::warn);
    server::Signals signals;
    peers::LateEvaluator evaluator{std::chrono::milliseconds(std::stoi(arguments[1]))};
    server::Config config;
    config.listen.push_back({"127.0.0.1", 0, "connect4"});
    config.workers = 2;
    config.make_search = [&evaluator](const games::AnyGame& /*game*/,
                                      const std::shared_ptr<engine::MemorySource>& /*memory*/) {
      return std::make_unique<peers::LateSearch>(evaluator);
    };
    server::Server daemon(config);
    const auto& address = daemon.listening().front();
    std::cout << "listening " << server::host_and_port(address) << ' ' << address.game << std::endl;
    signals.call([&daemon] { daemon.stop(); });
    daemon.run();
    return EXIT_SUCCESS;
  } catch (const std::exception& error) {
    std::cerr << error.what() << '\n';
    return EXIT_FAILURE;
  }
}
