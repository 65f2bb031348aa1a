#pragma once

#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "engine/model_folder.hpp"
#include "engine/policy/features/feature_plan.hpp"
#include "engine/policy/features/feature_set.hpp"

namespace pitboss::engine {

/// A set of features in memory, shared by all searches that use it.
struct LoadedFeatures {
  std::string name;
  std::string sha256;  ///< of the file
  FeatureSet set;
};

/// The text of a file of features, at most 1 MiB. Throws BadFeatures with a sentence.
[[nodiscard]] std::string read_features_text(const std::filesystem::path& path);

/// The sets of features in a folder by name, NAME.features. Each is read when a search first needs
/// it, and again when its file has changed. Or a single set without a file. Any thread may call the
/// members.
class FeatureSets {
 public:
  explicit FeatureSets(std::filesystem::path folder);
  /// Has only this set.
  explicit FeatureSets(LoadedFeatures only);

  /// Has only this set, which may be replaced; `plan` is the set, compiled for a game with
  /// `parameters`.
  FeatureSets(LoadedFeatures only, const std::string& parameters,
              std::shared_ptr<const FeaturePlan> plan);
  /// Replaces the only set; running searches keep theirs.
  void replace(LoadedFeatures only, const std::string& parameters,
               std::shared_ptr<const FeaturePlan> plan);

  struct Found {
    std::shared_ptr<const LoadedFeatures> features;
    std::shared_ptr<const FeaturePlan> plan;
  };
  /// The set in the file's current version, compiled for a game with these parameters. May read the
  /// file and compile, which blocks this call and others. Throws BadFeatures with a sentence, also
  /// for a name with a slash.
  [[nodiscard]] Found get(const std::string& name, const FeatureGame& game,
                          const std::string& parameters);
  /// The names of all files in the folder that may be sets, sorted; links to files count. Blocks.
  /// Throws BadFeatures if the folder cannot be read.
  [[nodiscard]] std::vector<std::string> names() const;
  /// Of these the ones that `get` gives for this game.
  [[nodiscard]] std::vector<std::string> names_for(const FeatureGame& game,
                                                   const std::string& parameters);

 private:
  struct Entry {
    FileVersion version;
    std::shared_ptr<const LoadedFeatures> features;
    std::map<std::string, std::shared_ptr<const FeaturePlan>> plans;  ///< by parameters
  };
  [[nodiscard]] Entry& entry(const std::string& name);

  const ModelFolder<BadFeatures> folder_;
  bool has_only_ = false;
  std::mutex mutex_;
  std::map<std::string, Entry> entries_;
};

}  // namespace pitboss::engine
