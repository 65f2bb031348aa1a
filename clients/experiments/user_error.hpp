#pragma once

#include <stdexcept>
#include <string>

namespace pitboss::clients {

/// Thrown for what the user can put right: a wrong argument, a server that is not there, a folder
/// that cannot be written. The text is a sentence for the user; the programs show it and exit with
/// 2 before anything has happened, with 1 later.
class UserError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Throws UserError with the sentence unless the condition holds.
inline void require(bool holds, const std::string& sentence) {
  if (!holds) throw UserError(sentence);
}

}  // namespace pitboss::clients
