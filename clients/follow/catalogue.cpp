#include "clients/follow/catalogue.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/training/run_folder.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

constexpr int deepest = 2;

void expect_folder(const fs::path& folder) {
  std::error_code error;
  require(fs::is_directory(folder, error), "there is no folder " + folder.string());
}

/// What is in the folder last by name, as that of the last generation; the folder itself if there
/// is nothing.
fs::path last_in(const fs::path& folder) {
  std::error_code error;
  fs::path last = folder;
  fs::directory_iterator one(folder, error);
  for (; !error && one != fs::directory_iterator(); one.increment(error)) {
    last = std::max(last, one->path());
  }
  return last;
}

std::string version_of_training(const fs::path& folder) {
  std::string out = has_driver(folder) ? "driven " : "";
  for (const char* part : {"settings.toml", "networks", "generations", "learner", "times"}) {
    out += version_of_file(folder / part);
  }
  return out + version_of_file(last_in(folder / "evaluations"));
}

/// What is in the folder itself.
std::optional<CatalogueEntry> entry_at(const fs::path& folder, const std::string& name) {
  using enum FollowedKind;
  std::error_code error;
  if (fs::exists(ledger_path(folder), error)) {
    return CatalogueEntry{name, experiment, folder, version_of_file(ledger_path(folder))};
  }
  if (fs::exists(tuning_path(folder), error)) {
    return CatalogueEntry{
        name, tuning, folder,
        version_of_file(tuning_path(folder)) + version_of_file(folder / "summary.json")};
  }
  if (RunFolder::is_run(folder) && fs::exists(folder / "run.json", error)) {
    return CatalogueEntry{name, training, folder, version_of_training(folder)};
  }
  return std::nullopt;
}

/// Folders below the place that cannot be read are left out, but not where this process has too
/// many files open: they can be read later.
void add_below(const fs::path& folder, const std::string& prefix, int depth,
               std::vector<CatalogueEntry>& out) {
  std::error_code error;
  std::error_code ignored;
  fs::directory_iterator one(folder, error);
  for (; !error && one != fs::directory_iterator(); one.increment(error)) {
    if (!one->is_directory(ignored)) continue;
    const std::string name = prefix + one->path().filename().string();
    if (auto entry = entry_at(one->path(), name)) {
      out.push_back(std::move(*entry));
    } else if (depth < deepest) {
      add_below(one->path(), name + "/", depth + 1, out);
    }
  }
  const bool is_ours =
      error == std::errc::too_many_files_open || error == std::errc::too_many_files_open_in_system;
  require(!error || (depth > 1 && !is_ours),
          "cannot read " + folder.string() + ": " + error.message());
}

}  // namespace

std::string_view name_of(FollowedKind kind) {
  switch (kind) {
    case FollowedKind::experiment:
      return "experiment";
    case FollowedKind::tuning:
      return "tuning";
    case FollowedKind::training:
      break;
  }
  return "training";
}

Catalogue::Catalogue(const LedgerPlace& place) : place_(place) {
  if (const auto* database = std::get_if<DatabasePlace>(&place)) {
    shelf_ = std::make_unique<LedgerShelf>(*database);
    return;
  }
  const auto& folder = std::get<fs::path>(place);
  expect_folder(folder);
  place_ = fs::absolute(folder);  // whose name tells more than "."
}

std::vector<CatalogueEntry> Catalogue::entries() {
  std::vector<CatalogueEntry> out;
  if (shelf_) {
    auto ledgers = shelf_->ledgers();
    const auto& asked = std::get<DatabasePlace>(place_);
    require(!ledgers.empty() || !asked.is_named(), "there is no ledger " + asked.address());
    for (auto& [place, version] : ledgers) {
      std::string name = place.name();
      out.push_back({std::move(name), FollowedKind::experiment, std::move(place), version});
    }
    return out;
  }
  const auto& folder = std::get<fs::path>(place_);
  if (auto entry = entry_at(folder, name_of({}, place_))) return {std::move(*entry)};
  add_below(folder, "", 1, out);
  expect_folder(folder);  // or what was moved away meanwhile would be taken for gone
  std::ranges::sort(out, {}, &CatalogueEntry::name);
  return out;
}

}  // namespace pitboss::clients
