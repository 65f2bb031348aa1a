#include <doctest/doctest.h>

#include <string>

#include "clients/training/self_play.hpp"
#include "engine/leaf/remote/evaluator_client.hpp"
#include "tests/clients/error_of.hpp"
#include "tests/clients/training/tiny_run.hpp"
#include "tests/peers/evaluator_process.hpp"

namespace pitboss::clients {

namespace {

const std::atomic<bool> never = false;

Resources resources_at(const std::string& url, bool falls_back = true) {
  engine::EvaluatorSettings settings;
  settings.urls = {url};
  settings.falls_back = falls_back;
  settings.deadline = std::chrono::seconds(30);
  return {4, engine::make_evaluator_client(settings)};
}

}  // namespace

TEST_CASE("self-play: another machine evaluates the network for all games at once") {
  const ScratchFolder folder;
  const RunFolder run = RunFolder::make(folder / "run", tiny());
  const peers::EvaluatorProcess server(run.networks());
  Played all;
  CHECK(play_generation(run, 1, resources_at(server.url()), never,
                        [&](const Played& played) { all = played; }));
  CHECK(all.games == 12);
  CHECK(all.evaluations > 0);
  CHECK(all.remote == all.evaluations);
}

TEST_CASE("self-play: games go on when the evaluator has died, unless they may not") {
  const ScratchFolder folder;
  const RunFolder run = RunFolder::make(folder / "run", tiny());
  const peers::EvaluatorProcess server(run.networks(), "dies");
  Played all;
  CHECK(play_generation(run, 1, resources_at(server.url()), never,
                        [&](const Played& played) { all = played; }));
  CHECK(all.games == 12);
  CHECK(all.remote < all.evaluations);
  const RunFolder other = RunFolder::make(folder / "other", tiny());
  const std::string error = error_of([&] {
    play_generation(other, 1, resources_at(server.url(), false), never, [](const Played&) {});
  });
  CHECK(error != "");
}

}  // namespace pitboss::clients
