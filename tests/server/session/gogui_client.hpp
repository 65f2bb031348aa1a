#pragma once

#include <string>
#include <string_view>

#include "tests/server/session/conversation.hpp"

namespace pitboss::tests {

/// A connection as GoGui begins one.
class GoGui : public Conversation {
 public:
  explicit GoGui(std::string_view game) {
    ask("game " + std::string(game));
    ask("setoption simulations 100");
    ask("setoption seed 1");
    ask("gogui-rules_game_id");
  }
};

}  // namespace pitboss::tests
