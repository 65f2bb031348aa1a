#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

namespace pitboss::clients {

/// Well-formed HTML or SVG (and XML, too). Made of texts and elements only, so that nothing an
/// engine has sent becomes markup.
class Markup {
 public:
  Markup() = default;
  Markup& operator+=(const Markup& other) {
    text_ += other.text_;
    return *this;
  }
  friend Markup operator+(Markup a, const Markup& b) { return std::move(a += b); }
  [[nodiscard]] const std::string& str() const { return text_; }
  [[nodiscard]] bool empty() const { return text_.empty(); }
  friend bool operator==(const Markup&, const Markup&) = default;

 private:
  friend Markup text(std::string_view text);
  friend Markup raw_style(std::string_view css);
  friend Markup raw_script(std::string_view id, std::string_view script);
  friend Markup element(std::string_view name,
                        std::initializer_list<std::pair<std::string_view, std::string>> attributes,
                        const Markup& content);
  explicit Markup(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

/// Escapes text; replaces bytes that are not UTF-8, and control characters but tab and line feed.
[[nodiscard]] Markup text(std::string_view text);
/// <name a="...">content</name>, the attributes' values escaped.
[[nodiscard]] Markup element(
    std::string_view name,
    std::initializer_list<std::pair<std::string_view, std::string>> attributes,
    const Markup& content = {});
[[nodiscard]] inline Markup element(std::string_view name, const Markup& content) {
  return element(name, {}, content);
}
[[nodiscard]] inline Markup element(std::string_view name, std::string_view content) {
  return element(name, {}, text(content));
}
/// A style sheet of our own; it must not contain '<' or '&'.
[[nodiscard]] Markup raw_style(std::string_view css);
/// A script of our own, or JSON for a script, found by its id; it must not contain "</".
[[nodiscard]] Markup raw_script(std::string_view id, std::string_view script);

/// `content` in a frame that may scroll: keys reach it, and readers are told what it has.
[[nodiscard]] inline Markup scrolling(std::string_view frame, const std::string& label,
                                      const Markup& content) {
  return element(frame,
                 {{"class", "wide"}, {"tabindex", "0"}, {"role", "group"}, {"aria-label", label}},
                 content);
}

/// `content` folded away under `summary`.
[[nodiscard]] inline Markup folded(std::string_view summary, const Markup& content) {
  return element("details", element("summary", summary) + content);
}

}  // namespace pitboss::clients
