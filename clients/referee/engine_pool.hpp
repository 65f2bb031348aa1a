#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clients/players/engine.hpp"

namespace pitboss::clients {

/// Open engines that play no game now, kept for the next game of a player with the same set-up.
/// Nothing here suspends or throws. To be used on the one thread that runs `executor`.
class EnginePool {
 public:
  explicit EnginePool(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

  /// An engine for the player: an idle one that is still alive, or a new one that is not open yet.
  [[nodiscard]] std::unique_ptr<Engine> take(const Player& player) {
    auto& idle = idle_[setup_key(player)];
    std::unique_ptr<Engine> engine;
    while (!engine && !idle.empty()) {
      if (idle.back()->is_alive()) engine = std::move(idle.back());
      idle.pop_back();
    }
    if (!engine) engine = make_engine(executor_, player);
    return engine;
  }
  /// Keeps an engine that is open; destroys any other.
  void give_back(const Player& player, std::unique_ptr<Engine> engine) {
    if (engine && engine->is_open()) idle_[setup_key(player)].push_back(std::move(engine));
  }
  /// Closes the idle engines at a location; false if there was none.
  bool close_at(const Location& location) {
    bool was_there = false;
    for (auto& [key, engines] : idle_) {
      if (!is_at(key, location) || engines.empty()) continue;
      engines.clear();
      was_there = true;
    }
    return was_there;
  }

 private:
  [[nodiscard]] static bool is_at(const std::string& key, const Location& location) {
    return key.starts_with(text_of(location) + '\n');
  }

  boost::asio::any_io_executor executor_;
  /// By set-up: an engine keeps the options that a player has set.
  std::map<std::string, std::vector<std::unique_ptr<Engine>>> idle_;
};

}  // namespace pitboss::clients
