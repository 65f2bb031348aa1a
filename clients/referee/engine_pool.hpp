#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <cstddef>
#include <limits>
#include <list>
#include <memory>
#include <string>
#include <utility>

#include "clients/players/engine.hpp"

namespace pitboss::clients {

/// Open engines that play no game now, kept for the next game of a player with the same set-up.
/// Nothing here suspends or throws. To be used on the one thread that runs `executor`.
class EnginePool {
 public:
  /// Of more than `most_idle` engines the one that has been idle longest is closed.
  explicit EnginePool(boost::asio::any_io_executor executor,
                      std::size_t most_idle = std::numeric_limits<std::size_t>::max())
      : executor_(std::move(executor)), most_idle_(most_idle) {}

  /// An engine for the player: an idle one that is still alive, or a new one that is not open yet.
  [[nodiscard]] std::unique_ptr<Engine> take(const Player& player) {
    const std::string key = setup_key(player);
    std::unique_ptr<Engine> engine;
    for (auto idle = idle_.end(); !engine && idle != idle_.begin();) {
      --idle;
      if (idle->setup != key) continue;
      if (idle->engine->is_alive()) engine = std::move(idle->engine);
      idle = idle_.erase(idle);
    }
    if (!engine) engine = make_engine(executor_, player);
    return engine;
  }
  /// Keeps an engine that is open; destroys any other.
  void give_back(const Player& player, std::unique_ptr<Engine> engine) {
    if (!engine || !engine->is_open()) return;
    idle_.push_back({setup_key(player), std::move(engine)});
    if (idle_.size() > most_idle_) idle_.pop_front();
  }
  /// Closes the idle engines at a location; false if there was none.
  bool close_at(const Location& location) {
    return std::erase_if(idle_, [&](const Idle& idle) { return is_at(idle.setup, location); }) > 0;
  }

 private:
  [[nodiscard]] static bool is_at(const std::string& key, const Location& location) {
    return key.starts_with(text_of(location) + '\n');
  }

  boost::asio::any_io_executor executor_;
  std::size_t most_idle_;
  struct Idle {
    std::string setup;  ///< an engine keeps the options that a player has set
    std::unique_ptr<Engine> engine;
  };
  std::list<Idle> idle_;  // those that have been idle longest first
};

}  // namespace pitboss::clients
