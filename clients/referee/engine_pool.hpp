#pragma once

#include <boost/asio/any_io_executor.hpp>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clients/engines/engine.hpp"

namespace pitboss::clients {

/// The engines of a run: those that are lent to tables, and those that nobody uses now, kept open
/// for the next game of a player who is set up alike.
class EnginePool {
 public:
  using Time = std::chrono::steady_clock::time_point;

  explicit EnginePool(boost::asio::any_io_executor executor) : executor_(std::move(executor)) {}

  /// An engine for the player, which must be given back: an idle one, or one that has to be opened.
  [[nodiscard]] std::unique_ptr<Engine> take(const Player& player) {
    auto& idle = idle_[setup_key(player)];
    std::unique_ptr<Engine> engine;
    while (!engine && !idle.empty()) {
      if (idle.back()->is_alive()) engine = std::move(idle.back());
      idle.pop_back();
    }
    if (!engine) engine = make_engine(executor_, player);
    lent_.insert({text_of(player.place), engine.get()});
    return engine;
  }
  void give_back(const Player& player, std::unique_ptr<Engine> engine) {
    if (!engine) return;
    lent_.erase({text_of(player.place), engine.get()});
    if (engine->is_open()) idle_[setup_key(player)].push_back(std::move(engine));
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

  /// Of the engines at a place that were opened before a time.
  struct Witnesses {
    int present = 0;  ///< open, as far as we have noticed
    int alive = 0;    ///< and the other end has not closed the connection
  };
  [[nodiscard]] Witnesses witnesses(const Place& place, Time before) const {
    Witnesses out;
    const auto ask = [&](const Engine& engine) {
      if (!engine.is_open() || engine.opened() >= before) return;
      ++out.present;
      out.alive += engine.is_alive() ? 1 : 0;
    };
    for (const auto& [name, engine] : lent_) {
      if (name == text_of(place)) ask(*engine);
    }
    for (const auto& [key, engines] : idle_) {
      if (!is_at(key, place)) continue;
      for (const auto& engine : engines) ask(*engine);
    }
    return out;
  }

 private:
  [[nodiscard]] static bool is_at(const std::string& key, const Place& place) {
    return key.starts_with(text_of(place) + '\n');
  }

  boost::asio::any_io_executor executor_;
  /// By set-up: whoever has other options may not have them all set back by the next game.
  std::map<std::string, std::vector<std::unique_ptr<Engine>>> idle_;
  std::set<std::pair<std::string, const Engine*>> lent_;  // with their places
};

}  // namespace pitboss::clients
