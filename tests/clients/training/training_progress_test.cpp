#include "clients/training/training_progress.hpp"

#include <doctest/doctest.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>

#include "tests/clients/training/tiny_run.hpp"

namespace pitboss::clients {

namespace {

/// What is written while `use` has a progress of a run in which so many generations are done; the
/// clock shows that some time has passed.
template <class Use>
std::string written(const RunFolder& run, Use use,
                    std::chrono::milliseconds a_while = std::chrono::hours(1)) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> out(std::tmpfile(), std::fclose);
  REQUIRE(out);
  {
    TrainingProgress progress(run, out.get(), a_while);
    const auto begun = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() < begun + std::chrono::milliseconds(1)) {
    }
    use(progress);
  }
  std::rewind(out.get());
  std::string text;
  for (int c = std::fgetc(out.get()); c != EOF; c = std::fgetc(out.get())) {
    text += static_cast<char>(c);
  }
  return text;
}

/// The time left that is told when a generation is done; empty if none is.
std::string told_after(const RunFolder& run, int generation) {
  const std::string text =
      written(run, [&](TrainingProgress& progress) { progress.generation(generation); });
  CHECK(text.starts_with("generation " + std::to_string(generation) + " of 4"));
  CHECK(text.ends_with("\n"));
  constexpr std::string_view before = ", about ";
  const auto begin = text.find(before);
  if (begin == std::string::npos) return "";
  const std::string told = text.substr(begin + before.size());
  CHECK(told.ends_with(" left\n"));
  return told.substr(0, told.find(' '));
}

}  // namespace

TEST_CASE("the time left is reckoned from the generations that were made since the start") {
  const ScratchFolder folder;
  TrainingSettings settings = tiny();
  settings.generations = 4;
  // Ten million games, one with few simulations, then two with many.
  settings.self_play.early_generations = 1;
  settings.self_play.early_games = 10'000'000;
  settings.self_play.games = 1;
  settings.self_play.stages = {{0, 1, 1}, {0.5, 50'000, 50'000}};
  const RunFolder run = RunFolder::make(folder / "run", settings);
  CHECK(told_after(run, 1) == "0:00");  // nearly all is done
  const auto finish = [&](int generation) {
    std::filesystem::copy_file(run.network(0), run.network(generation));
  };
  finish(1);
  // A run that goes on has made the short one alone: a hundred thousand times as long is to come.
  CHECK(told_after(run, 2) != "0:00");
  finish(2);
  CHECK_FALSE(told_after(run, 3).empty());
  CHECK(told_after(run, 4).empty());
}

TEST_CASE("what changes all the time is written now and then, sentences always") {
  const ScratchFolder folder;
  const RunFolder run = RunFolder::make(folder / "run", tiny());
  const std::string text = written(run, [](TrainingProgress& progress) {
    progress.self_play(1, {});
    progress.note("one");
    progress.learning(1, 0.5);
    progress.evaluation(1, 2, 4);
    progress.note("two");
  });
  CHECK(text == "one\ntwo\n");
  // Where nothing was written for long, as here always.
  const std::string often = written(
      run,
      [](TrainingProgress& progress) {
        progress.self_play(1, {.games = 1, .of = 12});
        progress.self_play(1, {.games = 3, .of = 12});
        progress.learning(1, 0.5);
        progress.learning(1, 1);
        progress.evaluation(2, 2, 4);
      },
      std::chrono::milliseconds(0));
  CHECK(often ==
        "generation 1 of 2: self-play, 1 games of 12 here\n"
        "generation 1 of 2: self-play, 3 games of 12 here, about 0:00 left\n"
        "generation 1 of 2: learning, 50 %\n"
        "generation 1 of 2: learning, 100 %\n"
        "generation 2 of 2: evaluation, 2 games of 4\n");
}

}  // namespace pitboss::clients
