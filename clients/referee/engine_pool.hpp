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
    auto& idle = idle_[key(player)];
    while (!idle.empty()) {
      auto engine = std::move(idle.back());
      idle.pop_back();
      if (engine->is_open()) return engine;
    }
    return make_engine(executor_, player);
  }
  void give_back(const Player& player, std::unique_ptr<Engine> engine) {
    if (engine && engine->is_open()) idle_[key(player)].push_back(std::move(engine));
  }
  /// Closes the idle engines at a place; false if there was none.
  bool close_at(const Place& place) {
    const std::string begin = text_of(place) + '\n';
    return std::erase_if(idle_, [&](const auto& entry) {
             return entry.first.starts_with(begin) && !entry.second.empty();
           }) > 0;
  }

 private:
  /// Whoever has other options may not have them all set back by the next game.
  [[nodiscard]] static std::string key(const Player& player) {
    std::string out = text_of(player.place) + '\n';
    for (const auto& [name, value] : player.options) out += name + '=' + value + '\n';
    for (const std::string& command : player.setup) out += command + '\n';
    return out;
  }

  boost::asio::any_io_executor executor_;
  std::map<std::string, std::vector<std::unique_ptr<Engine>>> idle_;
};

}  // namespace pitboss::clients
