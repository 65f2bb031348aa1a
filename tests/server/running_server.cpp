#include "tests/server/running_server.hpp"

#include <spdlog/spdlog.h>

#include "server/page_files.hpp"

namespace pitboss::tests {

namespace {

/// Before there are threads: spdlog makes its logger when it is first wanted.
const server::Config& without_log(const server::Config& config) {
  spdlog::set_level(spdlog::level::off);
  return config;
}

}  // namespace

RunningServer::RunningServer(const server::Config& config)
    : server_(without_log(config)), thread_([this] { all_done_ = server_.run(); }) {}

RunningServer::~RunningServer() {
  stop();
  join();
}

server::Config RunningServer::small() {
  server::Config config;
  config.listen.push_back({"127.0.0.1", 0, "connect4"});
  config.workers = 2;
  config.options.seed = 1;
  config.page = server::page_files();
  return config;
}

bool RunningServer::join() {
  if (thread_.joinable()) thread_.join();
  return all_done_;
}

}  // namespace pitboss::tests
