#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "tests/server/client.hpp"

namespace pitboss::tests {

/// A browser's end of a WebSocket for tests, byte by byte, so that it can misbehave. Blocks and
/// fails as Client does.
class WebClient {
 public:
  enum Opcode : std::uint8_t { continuation, text, binary, close = 8, ping, pong };
  struct Frame {
    int opcode = -1;  ///< -1: the server has closed without a frame
    std::string payload{};
  };

  /// `headers` are whole lines. Throws std::runtime_error with the answer if the server opens no
  /// WebSocket.
  explicit WebClient(std::uint16_t port, const std::string& headers = "",
                     const std::string& host = "localhost", Client::Pipe pipe = Client::Pipe::wide);

  /// Sends a frame; `announced` is the length that its header tells, if not the true one.
  void send(std::string_view payload, Opcode opcode = text, bool is_last = true,
            std::uint64_t announced = 0);
  /// The bytes of such a frame.
  [[nodiscard]] static std::string frame_bytes(std::string_view payload, Opcode opcode = text,
                                               bool is_last = true, std::uint64_t announced = 0);
  /// Sends a line with an id.
  void say(int id, std::string_view line);
  Frame frame();
  /// Sends a line and returns the next frame.
  std::string ask(int id, std::string_view line);
  /// Reads up to the close frame: its code and reason, as "1003 frames must be text".
  std::string closing();

  Client client;

 private:
  std::string bytes(std::size_t count);
};

/// The request that opens a WebSocket.
[[nodiscard]] std::string upgrade_request(const std::string& headers = "",
                                          const std::string& host = "localhost");

}  // namespace pitboss::tests
