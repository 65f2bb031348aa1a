#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

#include "protocol/failure_code.hpp"

namespace pitboss::clients {

/// Thrown when an engine gives no usable answer. `what()` is short and says the same for the same
/// misbehaviour every time: "connection closed", "no answer in 300 s", "garbage: HTTP/1.1 400",
/// "refused: play b d3: illegal move".
class EngineFailure : public std::runtime_error {
 public:
  enum class Kind : std::uint8_t { unreachable, closed, silent, garbage, refused };
  EngineFailure(Kind kind, const std::string& what,
                std::optional<protocol::FailureCode> code = std::nullopt)
      : std::runtime_error(what), kind_(kind), code_(code) {}
  [[nodiscard]] Kind kind() const { return kind_; }
  /// The code of a refusal, from a server that tells codes (GtpClient::ask_for_codes).
  [[nodiscard]] std::optional<protocol::FailureCode> code() const { return code_; }

 private:
  Kind kind_;
  std::optional<protocol::FailureCode> code_;
};

/// The failure of a connection to `address` (HOST:PORT), as a sentence for the user. If no server
/// is there, the sentence tells how to start one.
[[nodiscard]] inline std::string sentence_of(const EngineFailure& failure,
                                             const std::string& address) {
  const std::string what = failure.what();
  if (failure.kind() != EngineFailure::Kind::unreachable) return address + ": " + what;
  if (address.starts_with("tls://")) return "no daemon at " + address + " (" + what + ")";
  return "no daemon at " + address + " (" + what + "); start one: pitbossd --listen " + address;
}

}  // namespace pitboss::clients
