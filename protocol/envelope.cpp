#include "protocol/envelope.hpp"

#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "protocol/line.hpp"

namespace pitboss::protocol {

namespace {

constexpr std::string_view form = R"({"id":N,"line":"COMMAND"}, with N from 0 to 2147483647)";

[[noreturn]] void refuse(std::string_view why) {
  throw BadEnvelope(std::string(why) + ": expected " + std::string(form));
}

/// The frame's object. What no envelope has is refused where it begins, since whoever sends the
/// rest may want it to be read for long.
nlohmann::json object_in(std::string_view frame) {
  using Event = nlohmann::json::parse_event_t;
  std::set<std::string> keys;
  std::string key;
  const auto expect_plain = [&](int depth, Event event, const nlohmann::json& read) {
    if (event == Event::key) {
      key = read;
      if ((key != "id" && key != "line") || !keys.insert(key).second) {
        refuse("the frame has more than one id and one line");
      }
    }
    if (event != Event::object_start && event != Event::array_start) return true;
    if (depth > 0) refuse("the frame has no " + key);
    if (event == Event::array_start) refuse("the frame is no JSON object");
    return true;
  };
  nlohmann::json json = nlohmann::json::parse(frame, expect_plain, false);
  if (json.is_discarded()) refuse("the frame is no JSON");
  if (!json.is_object()) refuse("the frame is no JSON object");
  return json;
}

std::string json_string(std::string_view text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string line_in_envelope(std::string_view frame) {
  const nlohmann::json json = object_in(frame);
  const auto id = json.find("id");
  if (id == json.end() || !id->is_number_integer()) refuse("the frame has no id");
  const auto number = id->get<std::int64_t>();
  if (number < 0 || number > max_id) refuse("the id is out of range");
  const auto line = json.find("line");
  if (line == json.end() || !line->is_string()) refuse("the frame has no line");
  const auto& text = line->get_ref<const std::string&>();
  if (text.find('\n') != std::string::npos) refuse("the frame has several lines");
  return Line(text).is_blank() ? text : std::to_string(number) + ' ' + text;
}

std::string success_envelope(std::string_view id, std::string_view text) {
  return with_id(id, R"(,"ok":true,"text":)" + json_string(text) + "}\n");
}

std::string failure_envelope(std::string_view id, FailureCode code, std::string_view sentence) {
  return with_id(id, R"(,"ok":false,"code":")" + std::string(word_of(code)) + R"(","text":)" +
                         json_string(shortened(sentence)) + "}\n");
}

std::string update_envelope(std::string_view id, std::string_view text) {
  return with_id(id, update_without_id(text));
}

std::string update_without_id(std::string_view text) {
  return R"(,"update":)" + json_string(text) + "}\n";
}

std::string with_id(std::string_view id, std::string_view rest) {
  std::string envelope = R"({"id":)";
  envelope += id.empty() ? "null" : id;
  return envelope += rest;
}

}  // namespace pitboss::protocol
