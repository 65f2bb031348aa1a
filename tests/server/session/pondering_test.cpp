#include "server/session/pondering.hpp"

#include <doctest/doctest.h>

#include <filesystem>

#include "engine/leaf/network/networks.hpp"
#include "engine/leaf/network/random_weights.hpp"
#include "server/session/session.hpp"
#include "server/session/tables.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/server/session/named_tables.hpp"

using namespace pitboss;
using namespace pitboss::protocol;
using namespace pitboss::server;
using namespace std::chrono_literals;
using Status = tests::SteppedSession::Status;
using tests::ask;
using tests::with_tables;

TEST_CASE("pondering: behind a move that was searched, if the options say so") {
  auto config = with_tables();
  config.options.seed = 1;
  tests::SteppedSession a(config);
  ask(a, "genmove b");
  CHECK(a.ponder() == nullptr);
  ask(a, "setoption ponder true");
  ask(a, "genmove w");
  CHECK(a.ponder() == nullptr);  // nothing would be kept of it
  ask(a, "setoption reuse_tree true");
  CHECK(a.ponder() == nullptr);  // not behind any command
  ask(a, "reg_genmove b");
  CHECK(a.ponder() == nullptr);
  ask(a, "genmove b");
  const std::string search = ask(a, "last_search");
  ask(a, "undo");
  ask(a, "genmove b");
  const auto pondering = a.ponder();
  REQUIRE(pondering != nullptr);
  CHECK(a.ponder() == nullptr);
  for (int i = 0; i < 20; ++i) CHECK(pondering->run(1ms) == engine::Progress::runnable);
  std::string nothing;
  CHECK(a.handle("last_search", nothing) == Status::waiting);
  CHECK(pondering->run(1ms) == engine::Progress::done);
  pondering->end();
  CHECK(ask(a, "last_search").find("\"simulations\":500,") != std::string::npos);
  ask(a, "genmove w");
  const std::string next = ask(a, "last_search");
  CHECK(next.find("\"reused\":0,") == std::string::npos);
}

TEST_CASE("pondering: one that fails leaves what the last search has found") {
  const clients::ScratchFolder folder;
  const auto game = games::make_game("connect4");
  const auto shape = engine::NetworkShape::paper(4, 6, 7, 7, 2);
  const std::string network = engine::network_bytes(engine::random_network(*game, shape, 1));
  clients::write_text(folder / "net.safetensors", network);
  auto config = with_tables();
  config.options.ponder = config.options.reuse_tree = true;
  config.options.evaluation = engine::EvaluatorKind::network;
  config.options.network = "net";
  config.make_search = searches_with(std::make_shared<engine::Networks>(folder.path()));
  tests::SteppedSession a(config);
  ask(a, "genmove b");
  std::filesystem::remove(folder / "net.safetensors");
  const auto pondering = a.ponder();
  REQUIRE(pondering != nullptr);
  CHECK(pondering->run(1ms) == engine::Progress::done);
  pondering->end();
  CHECK(ask(a, "last_search").find("\"simulations\":500,") != std::string::npos);
  CHECK(ask(a, "genmove w").starts_with("? there is no network 'net'"));
  CHECK(ask(a, "last_search").starts_with("? no search yet"));
  clients::write_text(folder / "net.safetensors", network);
  CHECK(ask(a, "genmove w").starts_with("= "));
}

TEST_CASE("pondering: behind the last point of a move that is told point by point") {
  auto config = with_tables();
  config.game = "breakthrough";
  config.options.ponder = config.options.reuse_tree = true;
  tests::SteppedSession a(config);
  ask(a, "dialect gogui");
  CHECK(ask(a, "genmove b").size() == std::string_view("= a1\n\n").size());
  CHECK(a.ponder() == nullptr);
  ask(a, "genmove b");
  const auto pondering = a.ponder();
  REQUIRE(pondering != nullptr);
  pondering->end();
  CHECK(ask(a, "setoption k 0.5") == "= \n\n");  // nothing is running
}

TEST_CASE("pondering: goes on under new options as long as they ask for it, whoever sets them") {
  for (const char* line : {"setoption ponder false", "setoption reuse_tree false",
                           "kata-set-param ponder false", "kata-set-params {\"ponder\": false}"}) {
    for (const bool is_own : {true, false}) {
      CAPTURE(line);
      CAPTURE(is_own);
      auto config = with_tables();
      config.options.ponder = config.options.reuse_tree = true;
      config.options.tree_mb = 16;
      tests::SteppedSession a(config);
      tests::SteppedSession b(config);
      ask(a, "attach study");
      ask(b, "attach study");
      ask(a, "genmove b");
      const auto pondering = a.ponder();
      REQUIRE(pondering != nullptr);
      int hurried = 0;
      pondering->on_hurry([&] { ++hurried; });
      tests::SteppedSession& other = is_own ? a : b;
      for (const char* kept : {"setoption k 0.5", "setoption simulations 100",
                               "setoption ponder true", "kata-set-params {\"alpha\": 0.5}"}) {
        CAPTURE(kept);
        CHECK(ask(other, kept) == "= in force in the running search\n\n");
        CHECK(hurried == 0);
        CHECK(pondering->run(1ms) == engine::Progress::runnable);
      }
      CHECK(ask(other, line).starts_with("= "));
      CHECK(hurried == 1);
      CHECK(pondering->run(1ms) == engine::Progress::done);
      pondering->end();
      CHECK(ask(other, "genmove w").starts_with("= "));
      CHECK(a.ponder() == nullptr);
    }
  }
}
