#include "server/logging.hpp"

#include <spdlog/details/file_helper.h>
#include <spdlog/sinks/base_sink.h>
#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>

#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <utility>

namespace pitboss::server {

namespace {

/// Nothing for a word that is no level.
std::optional<spdlog::level::level_enum> level_of(const std::string& word) {
  const auto level = spdlog::level::from_str(word);
  if (level == spdlog::level::off && word != "off") return std::nullopt;
  return level;
}

/// A log file that can be opened again by its name after log rotation has renamed it.
class FileSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  /// Throws spdlog::spdlog_ex if the file cannot be opened.
  explicit FileSink(std::string name) : name_(std::move(name)), file_(opened()) {}

  /// Throws as the constructor does, and then keeps the file that it has.
  void reopen() {
    auto file = opened();
    const std::scoped_lock lock(mutex_);
    file_.swap(file);
  }

 protected:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t text;
    formatter_->format(message, text);
    file_->write(text);
  }
  void flush_() override { file_->flush(); }

 private:
  using File = spdlog::details::file_helper;
  [[nodiscard]] std::unique_ptr<File> opened() const {
    // spdlog would make the folder of a mistyped name.
    const auto folder = std::filesystem::path(name_).parent_path();
    std::error_code error;
    if (!folder.empty() && !std::filesystem::exists(std::filesystem::status(folder, error))) {
      throw spdlog::spdlog_ex(name_ + ": " + error.message());
    }
    auto file = std::make_unique<File>();
    file->open(name_);
    return file;
  }

  const std::string name_;
  std::unique_ptr<File> file_;
};

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
      sink = std::make_shared<FileSink>(file);
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

void reopen_log() {
  const auto file = std::dynamic_pointer_cast<FileSink>(spdlog::default_logger()->sinks().front());
  if (!file) return;
  try {
    file->reopen();
    spdlog::info("the log's file is opened anew");
  } catch (const spdlog::spdlog_ex& error) {
    spdlog::error("cannot open the log's file anew, so the log goes on in the old one: {}",
                  error.what());
  }
}

}  // namespace pitboss::server
