#pragma once

#include <stdexcept>

namespace pitboss::protocol {

/// A command that failed. The text is what stands behind the "?": GTP's standard words where it
/// has some, then what was expected.
class CommandError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

}  // namespace pitboss::protocol
