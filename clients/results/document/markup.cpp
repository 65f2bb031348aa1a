#include "clients/results/document/markup.hpp"

#include <nlohmann/json.hpp>

namespace pitboss::clients {

namespace {

/// Replaces bytes that are not UTF-8 by U+FFFD.
std::string utf8(std::string_view text) {
  using nlohmann::json;
  return json::parse(json(text).dump(-1, ' ', false, json::error_handler_t::replace))
      .get<std::string>();
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : utf8(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        // XML allows no control characters but tab and line ends.
        const bool is_control = (c >= '\0' && c < ' ' && c != '\t' && c != '\n') || c == '\x7f';
        out += is_control ? '?' : c;
    }
  }
  return out;
}

}  // namespace

Markup text(std::string_view text) { return Markup(escaped(text)); }

Markup element(std::string_view name,
               std::initializer_list<std::pair<std::string_view, std::string>> attributes,
               const Markup& content) {
  std::string out = "<" + std::string(name);
  for (const auto& [key, value] : attributes) {
    out += " " + std::string(key) + "=\"" + escaped(value) + "\"";
  }
  // HTML elements without content have no end tag.
  if (name == "meta") return Markup(out + "/>");
  return Markup(out + ">" + content.str() + "</" + std::string(name) + ">");
}

Markup raw_style(std::string_view css) { return Markup("<style>" + std::string(css) + "</style>"); }

Markup raw_script(std::string_view id, std::string_view script) {
  const std::string kind =
      id.empty() ? "" : R"( type="application/json" id=")" + std::string(id) + "\"";
  return Markup("<script" + kind + ">" + std::string(script) + "</script>\n");
}

}  // namespace pitboss::clients
