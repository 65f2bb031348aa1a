#pragma once

#include <stdexcept>
#include <string>

namespace pitboss::clients {

/// Thrown for a mistake that the user can correct: a wrong argument, an unreachable server, a
/// folder that cannot be written. The text is a sentence for the user. The programs show it and
/// exit with code 2 if nothing has happened yet, else with 1.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws UserError with the sentence unless the condition holds.
inline void require(bool holds, const std::string& sentence) {
  if (!holds) throw UserError(sentence);
}

}  // namespace pitboss::clients
