#include "server/logging.hpp"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <stdexcept>

namespace pitboss::server {

void start_log(const std::string& level, const std::string& file) {
  const auto threshold = spdlog::level::from_str(level);
  if (threshold == spdlog::level::off && level != "off") {
    throw std::runtime_error("--log-level is trace, debug, info, warning, error, critical or off");
  }
  spdlog::sink_ptr sink;
  if (file.empty()) {
    sink = std::make_shared<spdlog::sinks::stderr_sink_mt>();
  } else {
    try {
      sink = std::make_shared<spdlog::sinks::basic_file_sink_mt>(file);
    } catch (const spdlog::spdlog_ex& error) {
      throw std::runtime_error("cannot write the log: " + std::string(error.what()));
    }
  }
  auto logger = std::make_shared<spdlog::logger>("pitbossd", std::move(sink));
  logger->set_level(threshold);
  logger->flush_on(spdlog::level::info);
  logger->set_pattern("%Y-%m-%d %H:%M:%S.%e %l %v");
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace pitboss::server
