#include "clients/results/serve/catalogue.hpp"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "clients/experiments/user_error.hpp"
#include "clients/results/serve/followed_experiment.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

constexpr int deepest = 2;

void expect_folder(const fs::path& folder) {
  std::error_code error;
  require(fs::is_directory(folder, error), "there is no folder " + folder.string());
}

}  // namespace

Catalogue::Catalogue(const LedgerPlace& place, std::vector<RunKind> kinds)
    : place_(place), kinds_(std::move(kinds)) {
  if (const auto* database = std::get_if<DatabasePlace>(&place)) {
    shelf_ = std::make_unique<LedgerShelf>(*database);
    return;
  }
  const auto& folder = std::get<fs::path>(place);
  expect_folder(folder);
  place_ = fs::absolute(folder);  // whose name tells more than "."
}

std::optional<CatalogueEntry> Catalogue::entry_at(const fs::path& folder,
                                                  const std::string& name) const {
  for (const RunKind& kind : kinds_) {
    if (auto version = kind.version(folder)) {
      return CatalogueEntry{name, kind, folder, std::move(*version)};
    }
  }
  return std::nullopt;
}

/// Folders below the place that cannot be read are left out, but not where this process has too
/// many files open: they can be read later.
void Catalogue::add_below(const fs::path& folder, const std::string& prefix, int depth,
                          std::vector<CatalogueEntry>& out) const {
  std::error_code error;
  std::error_code ignored;
  fs::directory_iterator one(folder, error);
  for (; !error && one != fs::directory_iterator(); one.increment(error)) {
    if (!one->is_directory(ignored)) continue;
    const std::string name = prefix + one->path().filename().string();
    if (auto entry = entry_at(one->path(), name)) {
      out.push_back(std::move(*entry));
      add_below(one->path(), name + "/", deepest, out);
    } else if (depth < deepest) {
      add_below(one->path(), name + "/", depth + 1, out);
    }
  }
  const bool is_ours =
      error == std::errc::too_many_files_open || error == std::errc::too_many_files_open_in_system;
  require(!error || (depth > 1 && !is_ours),
          "cannot read " + folder.string() + ": " + error.message());
}

std::vector<CatalogueEntry> Catalogue::entries() {
  std::vector<CatalogueEntry> out;
  if (shelf_) {
    auto ledgers = shelf_->ledgers();
    const auto& asked = std::get<DatabasePlace>(place_);
    require(!ledgers.empty() || !asked.is_named(), "there is no ledger " + asked.address());
    for (auto& [place, version] : ledgers) {
      std::string name = place.name();
      out.push_back({std::move(name), experiment_kind(), std::move(place), version});
    }
    return out;
  }
  const auto& folder = std::get<fs::path>(place_);
  if (auto entry = entry_at(folder, name_of({}, place_))) {
    out.push_back(std::move(*entry));
    add_below(folder, out.front().name + "/", deepest, out);
  } else {
    add_below(folder, "", 1, out);
    expect_folder(folder);  // or what was moved away meanwhile would be taken for gone
  }
  std::ranges::sort(out, {}, &CatalogueEntry::name);
  return out;
}

}  // namespace pitboss::clients
