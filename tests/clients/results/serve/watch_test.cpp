#include "clients/results/serve/watch.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <filesystem>
#include <string>
#include <thread>
#include <vector>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"
#include "clients/results/serve/followed_experiment.hpp"
#include "tests/clients/referee/recorded_games.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/server/running_server.hpp"

namespace pitboss::clients {

using tests::eventually;

namespace {

Experiment one_match(int rounds) {
  Experiment experiment;
  experiment.matches = {made_match("connect4", "A", "B", rounds)};
  return experiment;
}

int done(const Watch& watch, const std::string& name) {
  const auto shown = watch.shown(name);
  return shown ? shown->outline.done.value_or(0) : -1;
}

}  // namespace

TEST_CASE("Watch: readers see what is written, while it is written") {
  const ScratchFolder folder;
  const Experiment experiment = one_match(12);
  Ledger ledger(folder / "one", experiment);
  ledger.open_for_writing();
  const Watch watch(folder.path(), {experiment_kind()});
  CHECK(watch.shown("two") == nullptr);
  REQUIRE(watch.shown("one") != nullptr);
  std::atomic<bool> is_over = false;
  std::vector<std::jthread> readers;
  for (int i = 0; i < 2; ++i) {
    readers.emplace_back([&] {
      std::int64_t last = 0;
      while (!is_over) {
        const auto shown = watch.shown("one");
        if (shown->revision < last) is_over = true;  // and 12 is not reached
        last = shown->revision;
        static_cast<void>(shown->games->games_csv());
        static_cast<void>(shown->games->games_to_replay());
        static_cast<void>(shown->games->replayed_game(0, 3));
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
      }
    });
  }
  for (int round = 0; round < 12; ++round) {
    record(ledger, recorded_round(experiment, 0, round));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
  }
  CHECK(eventually([&] { return done(watch, "one") == 24; }));
  CHECK_FALSE(is_over);
  is_over = true;
}

TEST_CASE("Watch: why a wish was not obeyed stays to be read, also while the list cannot be") {
  const ScratchFolder folder;
  const Experiment experiment = one_match(5);
  Ledger ledger(folder / "place/one", experiment);
  ledger.open_for_writing();
  Watch watch(folder / "place", {experiment_kind()});
  CHECK(eventually([&] { return watch.shown("one")->outline.of == 10; }));
  watch.set_paused("one", true);
  CHECK(eventually([&] { return ledger.is_paused(); }));
  CHECK(watch.shown("one")->why.empty());
  std::filesystem::rename(folder / "place", folder / "elsewhere");
  watch.set_paused("one", false);
  CHECK(eventually([&] { return !watch.shown("one")->why.empty(); }));
  CHECK(eventually([&] { return !watch.shown()->why.empty(); }));
  std::filesystem::rename(folder / "elsewhere", folder / "place");
  CHECK(eventually([&] { return watch.shown()->why.empty(); }));
  record(ledger, recorded_round(experiment, 0, 0));
  CHECK(eventually([&] { return done(watch, "one") == 2; }));
  CHECK_FALSE(watch.shown("one")->why.empty());
  watch.set_paused("one", false);
  CHECK(eventually([&] { return watch.shown("one")->why.empty(); }));
  CHECK_FALSE(ledger.is_paused());
}

TEST_CASE("Watch: since when something cannot be read stays the same until it has been read") {
  const ScratchFolder folder;
  Ledger(folder / "place/one", one_match(2)).open_for_writing();
  const std::filesystem::path file = ledger_path(folder / "place/one");
  Watch watch(folder / "place", {experiment_kind()});
  const auto one = [&] { return watch.shown("one"); };
  const auto all = [&] { return watch.shown(); };
  /// Makes a change and waits until its reason is told, which is none where all can be read.
  const auto since = [&](const auto& shown, const auto& is_told, const auto& change) {
    change();
    CHECK(eventually([&] {
      watch.set_paused("nobody", true);  // has it look at once
      return is_told(shown()->why);
    }));
    CHECK((shown()->stale_since == 0) == shown()->why.empty());
    return shown()->stale_since;
  };
  const auto is_empty = [](const std::string& why) { return why.empty(); };
  const auto is_other = [](const std::string& before) {
    return [before](const std::string& why) { return !why.empty() && why != before; };
  };
  const auto wait_beyond = [](std::int64_t time) {
    CHECK(eventually([&] { return now_in_seconds() > time; }));
  };
  CHECK(eventually([&] { return one()->outline.of == 4; }));
  const std::string sound = read_text(file);
  std::int64_t last = 0;
  for (int time = 0; time < 2; ++time) {
    wait_beyond(last);
    const auto damaged = since(one, is_other(""), [&] {
      write_text(file, "this is no ledger, however long one looks at it\n");
    });
    CHECK(damaged > last);
    wait_beyond(damaged);
    CHECK(since(one, is_other(one()->why),
                [&] { write_text(file, sound.substr(0, sound.size() / 2)); }) == damaged);
    CHECK(one()->outline.of == 4);  // what was read last stays
    last = now_in_seconds();
    since(one, is_empty, [&] { write_text(file, sound); });
  }
  for (int time = 0; time < 2; ++time) {
    wait_beyond(last);
    const auto away = since(all, is_other(""), [&] {
      std::filesystem::rename(folder / "place", folder / "elsewhere");
    });
    CHECK(away > last);
    wait_beyond(away);
    watch.set_paused("one", true);  // is refused in the next look, which fails, too
    CHECK(eventually([&] { return !one()->why.empty(); }));
    CHECK(all()->stale_since == away);
    last = now_in_seconds();
    since(all, is_empty, [&] { std::filesystem::rename(folder / "elsewhere", folder / "place"); });
    watch.set_paused("one", false);
    CHECK(eventually([&] { return one()->why.empty(); }));
  }
}

TEST_CASE("Watch: what grows, what is damaged, what is made anew and what goes away") {
  const ScratchFolder folder;
  const Experiment small = one_match(2);
  const Experiment larger = one_match(5);
  {
    Ledger ledger(folder / "one", small);
    ledger.open_for_writing();
    for (const int round : {0, 1}) record(ledger, recorded_round(small, 0, round));
  }
  std::filesystem::create_directory(folder / "bad");
  write_text(ledger_path(folder / "bad"), "this is no ledger, however long one looks at it\n");
  const Watch watch(folder.path(), {experiment_kind()});
  const auto state = [&](const std::string& name) {
    const auto shown = watch.shown(name);
    return shown ? shown->outline.state : "gone";
  };
  CHECK(eventually([&] { return state("one") == "finished"; }));
  CHECK(eventually([&] { return state("bad") == "unreadable"; }));
  CHECK(watch.shown("bad")->why.find("ledger.sqlite") != std::string::npos);
  {
    Ledger ledger(folder / "one", larger);
    ledger.open_for_writing();
  }
  CHECK(eventually([&] { return watch.shown("one")->outline.of == 10; }));
  CHECK(state("one") == "stopped");
  std::filesystem::remove_all(folder / "one");
  {
    Ledger ledger(folder / "one", larger);
    ledger.open_for_writing();
    record(ledger, recorded_round(larger, 0, 4));
  }
  CHECK(eventually([&] { return done(watch, "one") == 2; }));
  std::filesystem::remove_all(folder / "bad");
  CHECK(eventually([&] { return watch.shown("bad") == nullptr; }));
}

}  // namespace pitboss::clients
