#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "clients/engines/engine.hpp"

namespace pitboss::clients {

/// The engines that nobody uses now, kept open for the next game of a player who is set up alike.
class EnginePool {
 public:
  explicit EnginePool(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

  /// An engine for the player: an idle one, or one that has to be opened.
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
  void give_back(const Player& player, std::unique_ptr<Engine> engine) {
    if (engine && engine->is_open()) idle_[setup_key(player)].push_back(std::move(engine));
  }
  /// Closes the idle engines at a place; false if there was none.
  bool close_at(const Place& place) {
    bool was_there = false;
    for (auto& [key, engines] : idle_) {
      if (!is_at(key, place) || engines.empty()) continue;
      engines.clear();
      was_there = true;
    }
    return was_there;
  }

 private:
  [[nodiscard]] static bool is_at(const std::string& key, const Place& place) {
    return key.starts_with(text_of(place) + '\n');
  }

  boost::asio::any_io_executor executor_;
  /// By set-up: whoever has other options may not have them all set back by the next game.
  std::map<std::string, std::vector<std::unique_ptr<Engine>>> idle_;
};

}  // namespace pitboss::clients
