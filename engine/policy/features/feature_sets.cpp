#include "engine/policy/features/feature_sets.hpp"

#include <algorithm>
#include <string_view>
#include <system_error>

#include "engine/sha256.hpp"
#include "games/suggestion.hpp"
#include "games/text_file.hpp"

namespace pitboss::engine {

namespace fs = std::filesystem;

namespace {

constexpr const char* feature_extension = ".features";
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

FeatureSets::FeatureSets(LoadedFeatures only) : has_only_(true) {
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
  const fs::path path = folder_ / (name + feature_extension);
  std::error_code error;
  const bool is_name = !name.empty() && name.find('/') == std::string::npos;
  const auto known = entries_.find(name);
  if (has_only_ && known != entries_.end()) return known->second;
  if (has_only_ || !is_name || !fs::exists(path, error)) {
    const std::vector<std::string> all = names();
    const std::vector<std::string_view> known_names(all.begin(), all.end());
    throw BadFeatures("there are no features '" + name + "'" +
                      (all.empty() ? " nor any others in the server's folder of features"
                                   : games::suggestion(name, known_names)));
  }
  Version version{fs::last_write_time(path, error)};
  if (!error) version.size = fs::file_size(path, error);
  if (known != entries_.end() && known->second.version == version) return known->second;
  const std::string text = read_features_text(path);
  try {
    LoadedFeatures features{name, sha256(text), parse_features(text)};
    return entries_[name] = {
               version, std::make_shared<const LoadedFeatures>(std::move(features)), {}};
  } catch (const BadFeatures& bad) {
    throw BadFeatures("features " + name + ": " + bad.what());
  }
}

std::vector<std::string> FeatureSets::names() const {
  std::vector<std::string> names;
  if (has_only_) return {entries_.begin()->first};
  std::error_code error;
  for (const auto& file : fs::directory_iterator(folder_, error)) {
    std::error_code ignored;  // for a link that leads nowhere
    if (file.path().extension() == feature_extension && file.is_regular_file(ignored)) {
      names.push_back(file.path().stem().string());
    }
  }
  if (error) {
    throw BadFeatures("cannot read the folder of features " + folder_.string() + ": " +
                      error.message());
  }
  std::ranges::sort(names);
  return names;
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
