#include "engine/policy/features/feature_sets.hpp"

#include <system_error>
#include <utility>

#include "engine/sha256.hpp"
#include "games/text_file.hpp"

namespace pitboss::engine {

namespace fs = std::filesystem;

namespace {

const ModelKind feature_files{".features", "features", "there are no features"};
constexpr std::uintmax_t largest_feature_file = std::uintmax_t{1} << 20;

}  // namespace

std::string read_features_text(const fs::path& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  // A pipe might never end.
  if (fs::exists(status) && !fs::is_regular_file(status)) {
    throw BadFeatures("cannot read " + path.string() + ": it is not a regular file");
  }
  try {
    return games::read_text_file(path, largest_feature_file);
  } catch (const games::UnreadableFile& unreadable) {
    throw BadFeatures(unreadable.what());
  }
}

FeatureSets::FeatureSets(fs::path folder) : folder_(feature_files, std::move(folder)) {}

FeatureSets::FeatureSets(LoadedFeatures only) : folder_(feature_files, {}), has_only_(true) {
  const std::string name = only.name;
  entries_[name].features = std::make_shared<const LoadedFeatures>(std::move(only));
}

FeatureSets::FeatureSets(LoadedFeatures only, const std::string& parameters,
                         std::shared_ptr<const FeaturePlan> plan)
    : FeatureSets(std::move(only)) {
  entries_.begin()->second.plans[parameters] = std::move(plan);
}

void FeatureSets::replace(LoadedFeatures only, const std::string& parameters,
                          std::shared_ptr<const FeaturePlan> plan) {
  const std::scoped_lock lock(mutex_);
  entries_.clear();
  Entry& entry = entries_[only.name];
  entry.features = std::make_shared<const LoadedFeatures>(std::move(only));
  entry.plans[parameters] = std::move(plan);
}

FeatureSets::Found FeatureSets::get(const std::string& name, const FeatureGame& game,
                                    const std::string& parameters) {
  const std::scoped_lock lock(mutex_);
  Entry& found = entry(name);
  auto& plan = found.plans[parameters];
  try {
    if (!plan) plan = std::make_shared<const FeaturePlan>(found.features->set, game);
  } catch (const BadFeatures& bad) {
    throw BadFeatures("features " + name + ": " + bad.what());
  }
  return {found.features, plan};
}

/// Reads the file, unless the known version is up to date.
FeatureSets::Entry& FeatureSets::entry(const std::string& name) {
  const auto known = entries_.find(name);
  if (has_only_ && known != entries_.end()) return known->second;
  const auto version = has_only_ ? std::nullopt : folder_.version(name);
  if (!version) folder_.refuse(name, names());
  if (known != entries_.end() && known->second.version == *version) return known->second;
  const std::string text = read_features_text(folder_.path(name));
  try {
    LoadedFeatures features{name, sha256(text), parse_features(text)};
    return entries_[name] = {
               *version, std::make_shared<const LoadedFeatures>(std::move(features)), {}};
  } catch (const BadFeatures& bad) {
    throw BadFeatures("features " + name + ": " + bad.what());
  }
}

std::vector<std::string> FeatureSets::names() const {
  return has_only_ ? std::vector{entries_.begin()->first} : folder_.names();
}

std::vector<std::string> FeatureSets::names_for(const FeatureGame& game,
                                                const std::string& parameters) {
  std::vector<std::string> all = names();
  std::erase_if(all, [&](const std::string& name) {
    try {
      static_cast<void>(get(name, game, parameters));
      return false;
    } catch (const BadFeatures&) {
      return true;
    }
  });
  return all;
}

}  // namespace pitboss::engine
