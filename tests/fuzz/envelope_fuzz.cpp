#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>
#include <string>

#include "protocol/envelope.hpp"
#include "protocol/line.hpp"
#include "tests/fuzz/fuzzing.hpp"

/// A frame of a browser's client; and any bytes as the text of an answer to it. One frame is one
/// line of the protocol, and the other way round.
namespace pitboss::fuzzing {

namespace {

using nlohmann::json;

/// What is read as a line is one line, which makes the same frame again.
void read_frame(std::string_view frame) {
  std::string line;
  try {
    line = protocol::line_in_envelope(frame);
  } catch (const protocol::BadEnvelope& error) {
    require(std::string_view(error.what()).find("expected {\"id\"") != std::string_view::npos,
            "what would be right is said");
    return;
  }
  require(line.find('\n') == std::string::npos, "a frame is one line");
  if (protocol::Line(line).is_blank()) return;
  const auto blank = line.find(' ');
  require(blank != std::string::npos && blank > 0, "an id stands before the command");
  require(std::all_of(line.begin(), line.begin() + static_cast<std::ptrdiff_t>(blank),
                      [](unsigned char c) { return std::isdigit(c) != 0; }),
          "an id is a whole number");
  const json again{{"id", std::stoll(line.substr(0, blank))}, {"line", line.substr(blank + 1)}};
  require(protocol::line_in_envelope(again.dump()) == line, "a line makes its frame again");
}

/// What answers are written in is JSON in one line, whatever they say.
void write_frames(std::string_view text) {
  for (const std::string& frame :
       {protocol::success_envelope("7", text),
        protocol::failure_envelope("", protocol::FailureCode::busy, text),
        protocol::update_envelope("0", text)}) {
    require(frame.find('\n') == frame.size() - 1, "a frame has one line feed, at its end");
    const json object = json::parse(frame, nullptr, false);
    require(object.is_object() && object.contains("id"), "a frame is an object with an id");
    require(object.contains("text") != object.contains("update"), "a frame has one text");
  }
}

}  // namespace

void read_bytes(std::string_view bytes) {
  read_frame(bytes);
  write_frames(bytes);
}

}  // namespace pitboss::fuzzing
