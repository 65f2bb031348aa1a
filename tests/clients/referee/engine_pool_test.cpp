#include "clients/referee/engine_pool.hpp"

#include <doctest/doctest.h>

#include <boost/asio/io_context.hpp>
#include <string>
#include <vector>

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

/// An engine that is open from the start and does nothing.
class IdleEngine final : public Engine {
 public:
  explicit IdleEngine(bool is_alive = true) : is_alive_(is_alive) {}

  asio::awaitable<void> open() override { co_return; }
  [[nodiscard]] bool is_open() const override { return is_open_; }
  [[nodiscard]] bool is_alive() const override { return is_alive_; }
  [[nodiscard]] environment::AwakeClock::time_point opened() const override { return {}; }
  void close() override { is_open_ = false; }
  asio::awaitable<Declaration> examine(const Match&) override { co_return Declaration(); }
  asio::awaitable<void> begin(const Match&, std::int64_t) override { co_return; }
  asio::awaitable<void> play(games::Colour, std::string) override { co_return; }
  asio::awaitable<std::string> genmove(games::Colour, std::chrono::milliseconds) override {
    co_return "";
  }
  [[nodiscard]] std::string excerpt() const override { return ""; }

 private:
  bool is_alive_;
  bool is_open_ = true;
};

Player player_at(const Location& location, const std::string& k = "0.5") {
  Player player;
  player.location = location;
  player.options = {{"k", k}};
  return player;
}

}  // namespace

TEST_CASE("EnginePool: an idle engine is for players with its set-up, whatever their names") {
  asio::io_context io;
  EnginePool pool(io.get_executor());
  Player player = player_at(Address{"host", 5000});
  pool.give_back(player, std::make_unique<IdleEngine>());
  CHECK_FALSE(pool.take(player_at(Address{"host", 5000}, "0.6"))->is_open());
  CHECK_FALSE(pool.take(player_at(Address{"host", 5001}))->is_open());
  player.name = "other";
  CHECK(pool.take(player)->is_open());
  CHECK_FALSE(pool.take(player)->is_open());  // it has been taken
}

TEST_CASE("EnginePool: engines that are closed, or whose other end is gone, are not kept") {
  asio::io_context io;
  EnginePool pool(io.get_executor());
  const Player player = player_at(Address{"host", 5000});
  auto closed = std::make_unique<IdleEngine>();
  closed->close();
  pool.give_back(player, std::move(closed));
  pool.give_back(player, nullptr);
  CHECK_FALSE(pool.take(player)->is_open());
  pool.give_back(player, std::make_unique<IdleEngine>());
  pool.give_back(player, std::make_unique<IdleEngine>(false));
  CHECK(pool.take(player)->is_alive());
}

TEST_CASE("EnginePool: close_at closes all engines at a location, and no others") {
  asio::io_context io;
  const std::vector<Location> locations{Address{"host", 5000},       Address{"host", 50001},
                                        Address{"host", 500},        Address{"other.host", 5000},
                                        Address{"host", 5000, true}, Program{{"engine"}},
                                        Program{{"engine", "-x"}},   Program{{"engines"}}};
  for (const Location& gone : locations) {
    CAPTURE(text_of(gone));
    EnginePool pool(io.get_executor());
    for (const Location& location : locations) {
      for (const char* k : {"0.5", "0.6"}) {
        pool.give_back(player_at(location, k), std::make_unique<IdleEngine>());
      }
    }
    CHECK(pool.close_at(gone));
    CHECK_FALSE(pool.close_at(gone));  // there is none any more
    for (const Location& location : locations) {
      CAPTURE(text_of(location));
      for (const char* k : {"0.5", "0.6"}) {
        CHECK(pool.take(player_at(location, k))->is_open() == (location != gone));
      }
    }
  }
}

}  // namespace pitboss::clients
