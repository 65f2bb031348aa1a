#include "games/records/sgf.hpp"

#include <algorithm>

namespace pitboss::games {

namespace {

bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }
bool is_blank(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/// The text has ended within a game.
struct EndOfText {};

/// The trees of a game that have begun and not ended, and where their nodes belong. Counts the
/// depth instead of recursing, since trees may be nested deeply.
class OpenTrees {
 public:
  explicit OpenTrees(SgfGame& game) : game_(game) {}

  [[nodiscard]] std::size_t depth() const { return depth_; }
  /// Whether the last tree has not begun with a node, as it must.
  [[nodiscard]] bool lack_node() const { return depth_ > 0 && !has_node_; }

  void open() {
    if (depth_ > 0 && is_main_line_) {
      branches_.push_back(game_.nodes.size());
    } else if (depth_ > 0 && depth_ <= branches_.size()) {
      variation_ = &game_.variations.emplace_back(SgfVariation{branches_[depth_ - 1]}).nodes;
    }
    ++depth_;
    has_node_ = false;
  }

  SgfNode& add_node() {
    has_node_ = true;
    if (is_main_line_) return game_.nodes.emplace_back();
    if (variation_ != nullptr) return variation_->emplace_back();
    return other_ = {};
  }

  void close() {
    --depth_;
    is_main_line_ = false;
    variation_ = nullptr;
    if (branches_.size() > depth_) branches_.resize(depth_);
  }

 private:
  SgfGame& game_;
  std::size_t depth_ = 0;
  bool is_main_line_ = true;  ///< until the first tree on the main line has ended
  bool has_node_ = false;
  /// For each tree on the main line, how many nodes of it come before its first tree.
  std::vector<std::size_t> branches_;
  std::vector<SgfNode>* variation_ = nullptr;  ///< which is read; null: none
  SgfNode other_;                              ///< of what is not kept
};

class SgfReader {
 public:
  explicit SgfReader(std::string_view text) : text_(text) {}

  std::vector<SgfGame> games() {
    std::vector<SgfGame> all;
    while (find_game()) all.push_back(game());
    if (all.empty())
      throw BadRecord(
          "the text holds no game of SGF or GGF, which begins with '(;', nor of PSQ, which "
          "begins with 'Piskvorky'");
    return all;
  }

 private:
  /// Goes to the next '(' with a ';' behind it; false if there is none.
  bool find_game() {
    while ((at_ = text_.find('(', at_)) != std::string_view::npos) {
      const auto* const behind = std::ranges::find_if_not(text_.substr(at_ + 1), is_blank);
      if (behind != text_.end() && *behind == ';') return true;
      ++at_;
    }
    return false;
  }

  SgfGame game() {
    SgfGame read;
    try {
      read_tree(read);
    } catch (const EndOfText&) {
      read.cut_in_line = line_at(read_to_);
      std::erase_if(read.variations, [](const SgfVariation& v) { return v.nodes.empty(); });
    }
    // In the text the last to branch comes first.
    std::ranges::stable_sort(read.variations, {}, &SgfVariation::behind);
    return read;
  }

  void read_tree(SgfGame& game) {
    OpenTrees trees(game);
    do {
      const char c = next();
      ++at_;
      if (c == ';') {
        read_node(trees.add_node());
      } else if (c == '(' || c == ')') {
        if (trees.lack_node()) fail("expected ';'");
        c == '(' ? trees.open() : trees.close();
      } else {
        --at_;
        fail("expected ';', '(' or ')'");
      }
      read_to_ = at_;
    } while (trees.depth() > 0);
  }

  [[nodiscard]] int line_at(std::size_t place) const {
    return static_cast<int>(1 + std::ranges::count(text_.substr(0, place), '\n'));
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw BadRecord(what + " in line " + std::to_string(line_at(at_)));
  }

  /// The character there.
  [[nodiscard]] char here() const {
    if (at_ >= text_.size()) throw EndOfText();
    return text_[at_];
  }

  void skip_blanks() {
    while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
  }

  /// The next character that is not blank; does not consume it.
  char next() {
    skip_blanks();
    return here();
  }

  void read_node(SgfNode& node) {
    while (is_letter(next())) node.push_back(property());
  }

  static bool is_letter(char c) { return is_capital(c) || (c >= 'a' && c <= 'z'); }

  /// Skips the small letters between the capitals of older formats.
  SgfProperty property() {
    SgfProperty read;
    for (; is_letter(next()); ++at_) {
      if (is_capital(text_[at_])) read.name += text_[at_];
    }
    if (read.name.empty()) fail("a property's name needs capital letters");
    if (next() != '[') fail("expected '['");
    while (at_ < text_.size() && text_[at_] == '[') {
      read.values.push_back(value());
      read_to_ = at_;
      skip_blanks();
    }
    return read;
  }

  std::string value() {
    std::string read;
    for (++at_; here() != ']'; ++at_) {
      const bool escaped = here() == '\\';
      if (escaped) ++at_;
      const char c = here();
      if (c == '\r' || c == '\n') {
        const char other = c == '\r' ? '\n' : '\r';
        if (at_ + 1 < text_.size() && text_[at_ + 1] == other) ++at_;
        if (!escaped) read += '\n';  // an escaped line end only breaks the line of the file
      } else {
        read += c;
      }
    }
    ++at_;
    return read;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t read_to_ = 0;  ///< behind what was read whole
};

}  // namespace

std::vector<SgfGame> read_sgf(std::string_view text) { return SgfReader(text).games(); }

std::string sgf_value(std::string_view text) {
  std::string value = "[";
  for (const char c : text) {
    if (c == ']' || c == '\\') value += '\\';
    value += c;
  }
  return value += ']';
}

}  // namespace pitboss::games
