#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

namespace pitboss::clients {

/// Thrown when an engine gives no usable answer. `what()` is short and says the same for the same
/// misbehaviour every time: "connection closed", "no answer in 300 s", "garbage: HTTP/1.1 400",
/// "refused: play b d3: illegal move".
class EngineFailure : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t { unreachable, closed, silent, garbage, refused };
  EngineFailure(Kind kind, const std::string& what) : std::runtime_error(what), kind_(kind) {}
  [[nodiscard]] Kind kind() const { return kind_; }

 private:
  Kind kind_;
};

}  // namespace pitboss::clients
