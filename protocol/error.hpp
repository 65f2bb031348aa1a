#pragma once

#include <stdexcept>
#include <string>

#include "protocol/failure_code.hpp"

namespace pitboss::protocol {

/// A command that failed. The text follows the "?": GTP's standard words, if any, then what was
/// expected.
class CommandError : public std::runtime_error {
 public:
  CommandError(FailureCode code, const std::string& sentence)
      : std::runtime_error(sentence), code_(code) {}
  [[nodiscard]] FailureCode code() const { return code_; }

 private:
  FailureCode code_;
};

}  // namespace pitboss::protocol
