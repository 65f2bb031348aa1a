#include "server/logging.hpp"

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <memory>
#include <optional>
#include <stdexcept>

namespace pitboss::server {

namespace {

/// Nothing for a word that is no level.
std::optional<spdlog::level::level_enum> level_of(const std::string& word) {
  const auto level = spdlog::level::from_str(word);
  if (level == spdlog::level::off && word != "off") return std::nullopt;
  return level;
}

}  // namespace

std::string log_level() {
  const auto name = spdlog::level::to_string_view(spdlog::get_level());
  return {name.data(), name.size()};
}

bool set_log_level(const std::string& word) {
  const auto level = level_of(word);
  if (level) spdlog::set_level(*level);
  return level.has_value();
}

void start_log(const std::string& level, const std::string& file) {
  const auto threshold = level_of(level);
  if (!threshold) throw std::runtime_error("--log-level: " + std::string(log_levels));
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
  logger->set_level(*threshold);
  logger->flush_on(spdlog::level::info);
  logger->set_pattern("%Y-%m-%d %H:%M:%S.%e %l %v");
  spdlog::set_default_logger(std::move(logger));
}

}  // namespace pitboss::server
