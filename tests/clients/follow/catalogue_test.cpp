#include "clients/follow/catalogue.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger/tuning_ledger.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

std::string names_at(const fs::path& folder) {
  std::string out;
  for (const CatalogueEntry& entry : Catalogue(folder).entries()) {
    out += entry.name + " " + std::string(name_of(entry.kind)) + "; ";
  }
  return out;
}

}  // namespace

TEST_CASE("Catalogue: what is in a folder, and below it") {
  const ScratchFolder folder;
  const auto add = [&](const std::string& place, const fs::path& file) {
    fs::create_directories(folder / place);
    write_text(folder / place / file, "");
  };
  CHECK(names_at(folder.path()).empty());
  add("b/one", ledger_path({}));
  add("b/tuned", tuning_path({}));
  add("b/tuned/match", ledger_path({}));  // of the tuning
  add("a", "settings.toml");
  add("a", "run.json");
  add("deep/deeper/deepest", ledger_path({}));
  CHECK(names_at(folder.path()) == "a training; b/one experiment; b/tuned tuning; ");
  CHECK(names_at(folder / "b/one") == "one experiment; ");
  CHECK(names_at(folder / "b/tuned/match/../match/") == "match experiment; ");
  CHECK_THROWS_AS(Catalogue(folder / "none"), UserError);
}

TEST_CASE("Catalogue: what is written to has another version") {
  const ScratchFolder folder;
  write_text(ledger_path(folder.path()), "a");
  Catalogue catalogue(folder.path());
  const std::string before = catalogue.entries().at(0).version;
  CHECK(catalogue.entries().at(0).version == before);
  write_text(ledger_path(folder.path()).string() + "-wal", "b");
  CHECK(catalogue.entries().at(0).version != before);
}

}  // namespace pitboss::clients
