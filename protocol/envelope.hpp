#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

#include "protocol/failure_code.hpp"

/// The JSON envelopes in which lines and answers travel through the frames of a WebSocket
/// (docs/protocol.md, "WebSocket").
namespace pitboss::protocol {

/// A client's frame that is no envelope. The sentence says what would be right.
class BadEnvelope : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The line in a client's frame, `{"id":N,"line":"..."}`, as GTP has it: with the id before the
/// command, without a line feed. A blank line or a comment, which get no answer, stay as they are.
/// Throws BadEnvelope, also if there are other keys.
[[nodiscard]] std::string line_in_envelope(std::string_view frame);

// A server's frames, each with a line feed behind, which no frame has inside. `id` has the digits
// of the line's, or is empty if the frame answers no line. Bytes that are no UTF-8 are replaced.

/// `{"id":N,"ok":true,"text":"..."}`
[[nodiscard]] std::string success_envelope(std::string_view id, std::string_view text);
/// `{"id":N,"ok":false,"code":"...","text":"..."}`; very long sentences are cut.
[[nodiscard]] std::string failure_envelope(std::string_view id, FailureCode code,
                                           std::string_view sentence);
/// `{"id":N,"update":"..."}`
[[nodiscard]] std::string update_envelope(std::string_view id, std::string_view text);

/// An update that many read, each with an id of its own: `{"id":N` goes before this text.
[[nodiscard]] std::string update_without_id(std::string_view text);
[[nodiscard]] std::string with_id(std::string_view id, std::string_view rest);

}  // namespace pitboss::protocol
