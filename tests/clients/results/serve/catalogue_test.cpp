#include "clients/results/serve/catalogue.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/results/serve/followed_experiment.hpp"
#include "clients/training/run_folder.hpp"
#include "clients/training/training_document.hpp"
#include "clients/tuning/tuning_document.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

std::vector<RunKind> kinds() { return {experiment_kind(), tuning_kind(), training_kind()}; }

std::string names_at(const fs::path& folder) {
  std::string out;
  for (const CatalogueEntry& entry : Catalogue(folder, kinds()).entries()) {
    out += entry.name + " " + entry.kind.name + "; ";
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
  add("b/tuned/match", ledger_path({}));  // the tuning's fresh match
  add("a", "settings.toml");
  add("a", "run.json");
  add("deep/deeper/deepest", ledger_path({}));
  CHECK(names_at(folder.path()) ==
        "a training; b/one experiment; b/tuned tuning; "
        "b/tuned/match experiment; ");
  CHECK(names_at(folder / "b/tuned") == "tuned tuning; tuned/match experiment; ");
  CHECK(names_at(folder / "b/one") == "one experiment; ");
  CHECK(names_at(folder / "b/tuned/match/../match/") == "match experiment; ");
  CHECK_THROWS_AS(Catalogue(folder / "none", kinds()), UserError);
}

TEST_CASE("Catalogue: what cannot be read hides nothing else") {
  const ScratchFolder folder;
  fs::create_directories(folder / "place/good");
  fs::create_directories(folder / "place/odd");
  write_text(ledger_path(folder / "place/good"), "a");
  fs::create_symlink("settings.toml", folder / "place/odd/settings.toml");  // leads to itself
  CHECK(names_at(folder / "place") == "good experiment; ");
  Catalogue catalogue(folder / "place", kinds());
  fs::remove_all(folder / "place");
  CHECK_THROWS_AS(static_cast<void>(catalogue.entries()), UserError);
}

TEST_CASE("Catalogue: a place that is moved away while it is read is not an empty one") {
  const ScratchFolder folder;
  constexpr std::size_t all = 100;
  for (std::size_t i = 0; i < all; ++i) {
    const fs::path one = folder / "place" / std::to_string(i);
    fs::create_directories(one);
    write_text(ledger_path(one), "a");
  }
  Catalogue catalogue(folder / "place", kinds());
  std::atomic<int> reads = 0;
  std::jthread mover([&](const std::stop_token& stop) {
    const auto pass = [&] {  // a whole reading
      for (const int end = reads + 2; reads < end && !stop.stop_requested();) {
        std::this_thread::yield();
      }
    };
    while (!stop.stop_requested()) {
      fs::rename(folder / "place", folder / "elsewhere");
      pass();
      fs::rename(folder / "elsewhere", folder / "place");
      pass();
    }
  });
  int whole = 0;
  int refused = 0;
  while (whole < 100 || refused < 100) {
    try {
      const std::size_t found = catalogue.entries().size();
      CHECK(found == all);
      ++whole;
    } catch (const UserError&) {
      ++refused;
    }
    ++reads;
  }
}

TEST_CASE("Catalogue: without a descriptor for a folder below, nothing is taken for gone") {
  const ScratchFolder folder;
  fs::create_directories(folder / "below/one");
  write_text(ledger_path(folder / "below/one"), "a");
  Catalogue catalogue(folder.path(), kinds());
  rlimit before{};
  REQUIRE(::getrlimit(RLIMIT_NOFILE, &before) == 0);
  const int next = ::dup(STDERR_FILENO);
  ::close(next);
  const rlimit one_more{static_cast<rlim_t>(next) + 1, before.rlim_max};
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &one_more) == 0);
  std::string error;
  try {
    static_cast<void>(catalogue.entries());
  } catch (const UserError& e) {
    error = e.what();
  }
  REQUIRE(::setrlimit(RLIMIT_NOFILE, &before) == 0);
  CHECK(error == "cannot read " + (folder / "below").string() + ": Too many open files");
  CHECK(catalogue.entries().size() == 1);
}

TEST_CASE("Catalogue: a training's version tells its last evaluation, its times and its driver") {
  const ScratchFolder folder;
  for (const char* name : {"settings.toml", "run.json"}) write_text(folder / name, "");
  fs::create_directories(folder / "evaluations/0001");
  fs::create_directories(folder / "times");
  Catalogue catalogue(folder.path(), kinds());
  const auto version = [&] { return catalogue.entries().at(0).version; };
  const auto touch = [](const fs::path& path) {
    fs::last_write_time(path, fs::last_write_time(path) + std::chrono::seconds(1));
  };
  std::string last = version();
  for (const char* changed : {"evaluations/0001", "times"}) {
    CAPTURE(changed);
    touch(folder / changed);
    CHECK(version() != last);
    last = version();
  }
  {
    const FileLock driver = driver_lock(folder.path());
    CHECK(has_driver(folder.path()));
    CHECK(version() != last);
  }
  CHECK_FALSE(has_driver(folder.path()));
  CHECK(version() == last);
}

TEST_CASE("Catalogue: what is written to has another version") {
  const ScratchFolder folder;
  write_text(ledger_path(folder.path()), "a");
  Catalogue catalogue(folder.path(), kinds());
  const std::string before = catalogue.entries().at(0).version;
  CHECK(catalogue.entries().at(0).version == before);
  write_text(ledger_path(folder.path()).string() + "-wal", "b");
  CHECK(catalogue.entries().at(0).version != before);
}

}  // namespace pitboss::clients
