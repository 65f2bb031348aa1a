#pragma once

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "games/suggestion.hpp"

namespace pitboss::engine {

/// Distinguishes a file from its earlier versions.
struct FileVersion {
  std::filesystem::file_time_type time;
  std::uintmax_t size = 0;
  bool operator==(const FileVersion&) const = default;
};

/// The files of networks, or of features.
struct ModelKind {
  std::string extension;
  std::string many;
  std::string there_is_no;  ///< how a sentence about a name without a file begins
};

/// The files of one kind in a folder, by name without the extension. Each member blocks; Bad is
/// thrown with a sentence.
template <class Bad>
class ModelFolder {
 public:
  ModelFolder(ModelKind kind, std::filesystem::path folder)
      : kind_(std::move(kind)), folder_(std::move(folder)) {}

  [[nodiscard]] std::filesystem::path path(const std::string& name) const {
    return folder_ / (name + kind_.extension);
  }
  /// Null if there is no such file, or the name has a slash.
  [[nodiscard]] std::optional<FileVersion> version(const std::string& name) const {
    std::error_code error;
    if (name.empty() || name.find('/') != std::string::npos) return std::nullopt;
    if (!std::filesystem::exists(path(name), error)) return std::nullopt;
    FileVersion version{std::filesystem::last_write_time(path(name), error)};
    if (!error) version.size = std::filesystem::file_size(path(name), error);
    return version;
  }
  /// Of all files that may be of the kind, sorted; links to files count. Throws if the folder
  /// cannot be read.
  [[nodiscard]] std::vector<std::string> names() const {
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& file : std::filesystem::directory_iterator(folder_, error)) {
      std::error_code ignored;  // for a link that leads nowhere
      if (file.path().extension() == kind_.extension && file.is_regular_file(ignored)) {
        names.push_back(file.path().stem().string());
      }
    }
    if (error) {
      throw Bad("cannot read the folder of " + kind_.many + " " + folder_.string() + ": " +
                error.message());
    }
    std::ranges::sort(names);
    return names;
  }
  /// Throws: nothing has this name, but `all` are known.
  [[noreturn]] void refuse(const std::string& name, const std::vector<std::string>& all) const {
    const std::vector<std::string_view> known(all.begin(), all.end());
    throw Bad(kind_.there_is_no + " '" + name + "'" +
              (all.empty() ? ", and the server's folder of " + kind_.many + " is empty"
                           : games::suggestion(name, known)));
  }

 private:
  ModelKind kind_;
  std::filesystem::path folder_;
};

}  // namespace pitboss::engine
