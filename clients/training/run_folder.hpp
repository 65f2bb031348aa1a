#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "clients/experiments/file_lock.hpp"
#include "clients/training/training_settings.hpp"
#include "engine/leaf/network/network_file.hpp"
#include "games/any_game.hpp"

namespace pitboss::clients {

/// The folder of a training run and the paths in it (docs/training.md). Any number of processes may
/// read it; only one at a time drives the run.
class RunFolder {
 public:
  /// Whether the folder holds a run.
  [[nodiscard]] static bool is_run(const std::filesystem::path& folder);
  /// An existing run. Throws UserError if the folder holds no run, or wrong settings.
  [[nodiscard]] static RunFolder open(const std::filesystem::path& folder);
  /// An existing run, or else a new one: writes the settings and the first network, which has
  /// random weights or those of the file `first`. Throws UserError, too, if that file has no
  /// network for the settings' game and architecture, or if the existing run has other settings or
  /// began with another network than `first`.
  [[nodiscard]] static RunFolder make(const std::filesystem::path& folder,
                                      const TrainingSettings& settings,
                                      const std::filesystem::path& first = {});

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

  /// The last finished generation, which has a network. 0: only the first network exists.
  [[nodiscard]] int last_generation() const;
  /// Writes run.json for the learner from the current settings. Throws UserError.
  void write_run_file() const;

 private:
  RunFolder(std::filesystem::path folder, TrainingSettings settings)
      : folder_(std::move(folder)), settings_(std::move(settings)) {}
  [[nodiscard]] engine::NetworkFile random_network() const;
  /// The network in the file, which must be one for the settings. Throws UserError.
  [[nodiscard]] engine::NetworkFile foreign_network(const std::filesystem::path& file) const;
  [[nodiscard]] bool fits(const engine::NetworkFile& network) const;
  void check_unchanged() const;

  std::filesystem::path folder_;
  TrainingSettings settings_;
};

/// A generation's number in file names: "0012".
[[nodiscard]] std::string generation_text(int generation);

/// The lock of the process that drives the run in this folder. Throws UserError if another process
/// holds it.
[[nodiscard]] FileLock driver_lock(const std::filesystem::path& folder);
/// Whether somebody has it now. Makes and writes nothing; false where it cannot be read.
[[nodiscard]] bool has_driver(const std::filesystem::path& folder);

}  // namespace pitboss::clients
