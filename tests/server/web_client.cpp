#include "tests/server/web_client.hpp"

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace pitboss::tests {

namespace {

constexpr unsigned top_bit = 0x80;
constexpr std::size_t two_bytes = 126;
constexpr std::size_t eight_bytes = 127;

}  // namespace

std::string upgrade_request(const std::string& headers, const std::string& host) {
  return "GET /gtp HTTP/1.1\r\nHost: " + host +
         "\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
         "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n" +
         headers + "\r\n";
}

WebClient::WebClient(std::uint16_t port, const std::string& headers, const std::string& host,
                     Client::Pipe pipe)
    : client(port, "127.0.0.1", "", pipe) {
  client.write(upgrade_request(headers, host));
  const std::string status = client.line();
  if (!status.starts_with("HTTP/1.1 101 ")) throw std::runtime_error(status);
  while (client.line() != "\r") {
  }
}

void WebClient::send(std::string_view payload, Opcode opcode, bool is_last,
                     std::uint64_t announced) {
  client.write(frame_bytes(payload, opcode, is_last, announced));
}

std::string WebClient::frame_bytes(std::string_view payload, Opcode opcode, bool is_last,
                                   std::uint64_t announced) {
  const std::uint64_t size = announced > 0 ? announced : payload.size();
  std::string frame(1, static_cast<char>((is_last ? top_bit : 0) | opcode));
  const auto add_size = [&](int count) {
    for (int i = count - 1; i >= 0; --i) frame += static_cast<char>(size >> (8 * i));
  };
  if (size < two_bytes) {
    frame += static_cast<char>(top_bit | size);
  } else if (size < (1U << 16)) {
    frame += static_cast<char>(top_bit | two_bytes);
    add_size(2);
  } else {
    frame += static_cast<char>(top_bit | eight_bytes);
    add_size(8);
  }
  constexpr std::string_view mask = "\x11\x22\x33\x44";
  frame += mask;
  for (std::size_t i = 0; i < payload.size(); ++i) {
    frame += static_cast<char>(payload[i] ^ mask[i % mask.size()]);
  }
  return frame;
}

void WebClient::say(int id, std::string_view line) {
  send(nlohmann::json{{"id", id}, {"line", line}}.dump());
}

std::string WebClient::bytes(std::size_t count) { return client.bytes(count); }

WebClient::Frame WebClient::frame() {
  const std::string head = bytes(2);
  if (head.size() < 2) return {};
  std::size_t size = static_cast<unsigned char>(head[1]);
  const std::size_t more = size == two_bytes ? 2 : size == eight_bytes ? 8 : 0;
  if (more > 0) {
    size = 0;
    for (const char c : bytes(more)) size = size << 8 | static_cast<unsigned char>(c);
  }
  return {static_cast<unsigned char>(head[0]) & 0xf, bytes(size)};
}

std::string WebClient::ask(int id, std::string_view line) {
  say(id, line);
  return frame().payload;
}

std::string WebClient::closing() {
  while (true) {
    const Frame next = frame();
    if (next.opcode < 0) return "no close frame";
    if (next.opcode != close) continue;
    if (next.payload.size() < 2) return "none";
    const int code = static_cast<unsigned char>(next.payload[0]) << 8 |
                     static_cast<unsigned char>(next.payload[1]);
    const std::string reason = next.payload.substr(2);
    return std::to_string(code) + (reason.empty() ? "" : " " + reason);
  }
}

}  // namespace pitboss::tests
