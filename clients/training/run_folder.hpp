#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "clients/training/training_settings.hpp"
#include "engine/leaf/network/network_file.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// The folder of a training run: where everything is (docs/training.md). Any number of processes
/// may look at it; one at a time drives it.
class RunFolder {
 public:
  /// An existing run. Throws UserError if the folder holds none, or its settings are wrong.
  [[nodiscard]] static RunFolder open(const std::filesystem::path& folder);
  /// The same, or a new run with these settings: writes them and the first network. Throws
  /// UserError, too, if the run that is there has other settings.
  [[nodiscard]] static RunFolder make(const std::filesystem::path& folder,
                                      const TrainingSettings& settings);

  [[nodiscard]] const TrainingSettings& settings() const { return settings_; }
  [[nodiscard]] std::unique_ptr<games::AnyGame> start() const;
  [[nodiscard]] const std::filesystem::path& path() const { return folder_; }
  [[nodiscard]] std::filesystem::path networks() const { return folder_ / "networks"; }
  [[nodiscard]] std::filesystem::path network(int generation) const;
  [[nodiscard]] std::filesystem::path rows(int generation) const;
  [[nodiscard]] std::filesystem::path rows_file(int generation, int first_game) const;
  [[nodiscard]] std::filesystem::path manifest(int generation) const;
  [[nodiscard]] std::filesystem::path learned(int generation) const;
  [[nodiscard]] std::filesystem::path evaluation(int generation) const;

  /// The last generation that is done: its network is there. 0: only the first network is.
  [[nodiscard]] int last_generation() const;
  /// Writes run.json, by which the learner works, as the settings are now. Throws UserError.
  void write_run_file() const;

 private:
  RunFolder(std::filesystem::path folder, TrainingSettings settings)
      : folder_(std::move(folder)), settings_(std::move(settings)) {}
  void write_first_network() const;
  void check_unchanged() const;
  [[nodiscard]] engine::NetworkFile first_network() const;

  std::filesystem::path folder_;
  TrainingSettings settings_;
};

/// The number of a generation as names have it: "0012".
[[nodiscard]] std::string generation_text(int generation);

/// A lock on a file, which is made. It ends with this object, and with the process, however that
/// ends.
class FileLock {
 public:
  /// Nothing if somebody else has it. Throws UserError.
  [[nodiscard]] static std::optional<FileLock> try_lock(const std::filesystem::path& path);
  FileLock(FileLock&& other) noexcept;
  FileLock(const FileLock&) = delete;
  FileLock& operator=(const FileLock&) = delete;
  FileLock& operator=(FileLock&&) = delete;
  ~FileLock();

 private:
  explicit FileLock(int file) : file_(file) {}
  int file_;
};

/// The lock of who drives the run in this folder. Throws UserError if somebody else does.
[[nodiscard]] FileLock driver_lock(const std::filesystem::path& folder);

}  // namespace pitboss::clients
