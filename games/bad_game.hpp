#pragma once

#include <stdexcept>

namespace pitboss::games {

/// A text of the user names no game, no position or no move. The message is a sentence that says
/// what was expected.
class BadGame : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace pitboss::games
