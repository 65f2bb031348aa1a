#include "engine/policy/features/feature_line.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <utility>

#include "engine/policy/features/feature_set.hpp"

namespace pitboss::engine {

namespace {

constexpr std::string_view blanks = " \t";

class LineReader {
 public:
  LineReader(std::string_view line, std::size_t number, const FeatureGame& game)
      : line_(line), number_(number), game_(game) {}

  FeatureLine read() {
    FeatureLine result;
    result.weights = read_weights();
    MoveFeature feature;
    if (take_word("to")) feature.to = read_walk();
    if (take_word("from")) feature.from = read_walk();
    if (!feature.to && !feature.from) fail("'to' or 'from' and a walk");
    while (!at_end()) {
      if (!take(";")) fail("';' and an element, or the end of the line");
      if (feature.elements.size() == most_elements) {
        fail("no more than " + std::to_string(most_elements) + " elements");
      }
      feature.elements.push_back(read_element());
    }
    auto form = canonical(feature, game_.rotations());
    if (!form) {
      throw BadFeatures("line " + std::to_string(number_) +
                        ": two elements contradict each other, so that nothing can match");
    }
    result.feature = *std::move(form);
    return result;
  }

 private:
  [[noreturn]] void fail(const std::string& expected) const {
    fail_at(number_, at_ + 1, expected, line_.substr(std::min(at_, line_.size())));
  }
  void skip_blanks() { at_ = std::min(line_.find_first_not_of(blanks, at_), line_.size()); }
  [[nodiscard]] bool at_end() {
    skip_blanks();
    return at_ == line_.size();
  }
  /// Consumes a sign, if it is next; tells whether it was.
  bool take(std::string_view sign) {
    skip_blanks();
    if (!line_.substr(at_).starts_with(sign)) return false;
    at_ += sign.size();
    return true;
  }
  /// The next letters and digits, which are not consumed.
  [[nodiscard]] std::string_view word() {
    skip_blanks();
    const auto is_letter = [](char c) {
      return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9');
    };
    std::size_t end = at_;
    while (end < line_.size() && is_letter(line_[end])) ++end;
    return line_.substr(at_, end - at_);
  }
  bool take_word(std::string_view wanted) {
    if (word() != wanted) return false;
    at_ += wanted.size();
    return true;
  }
  /// Consumes a whole number, if one is next.
  std::optional<int> take_number() {
    skip_blanks();
    int value = 0;
    const char* const begin = line_.data() + at_;
    const auto [end, error] = std::from_chars(begin, line_.data() + line_.size(), value);
    if (error != std::errc{} || value < -1000 || value > 1000) return std::nullopt;
    at_ += static_cast<std::size_t>(end - begin);
    return value;
  }

  std::vector<float> read_weights() {
    const auto seats = static_cast<std::size_t>(game_.players);
    std::vector<float> weights;
    while (!at_end() && word() != "to" && word() != "from") {
      if (weights.size() == seats) fail("'to' or 'from' and a walk");
      weights.push_back(read_weight());
    }
    if (weights.size() != 1 && weights.size() != seats) {
      fail("a weight, or one for each of the " + std::to_string(seats) + " colours");
    }
    return weights;
  }
  float read_weight() {
    const std::size_t begin = at_;
    static_cast<void>(take("+"));
    float weight = 0;
    const char* const first = line_.data() + at_;
    const auto [end, error] = std::from_chars(first, line_.data() + line_.size(), weight);
    const auto size = static_cast<std::size_t>(end - first);
    const bool ends = at_ + size == line_.size() || blanks.find(line_[at_ + size]) != blanks.npos;
    if (error != std::errc{} || !ends || !(std::abs(weight) <= largest_weight)) {
      at_ = begin;
      fail("a number from -1000000 to 1000000");
    }
    at_ += size;
    return weight;
  }

  Walk read_walk() {
    if (!take("{")) fail("a walk such as {} or {0, 1/4}");
    Walk walk;
    if (take("}")) return walk;
    do {
      if (walk.turns.size() == longest_walk) {
        fail("a walk of no more than " + std::to_string(longest_walk) + " steps");
      }
      walk.turns.push_back(static_cast<std::int8_t>(read_turn()));
    } while (take(","));
    if (!take("}")) fail("',' and a turn, or '}'");
    return walk;
  }
  int read_turn() {
    skip_blanks();
    const std::size_t begin = at_;
    const auto above = take_number();
    const auto below = above && take("/") ? take_number() : std::optional<int>(1);
    const bool is_fraction = above && below && *below > 0;
    const int parts = is_fraction ? *above * full_turn : 0;
    if (!is_fraction || parts % *below != 0 ||
        parts / *below % (full_turn / game_.rotations()) != 0) {
      at_ = begin;
      const std::string n = std::to_string(game_.rotations());
      fail("a turn, a multiple of 1/" + n + " such as 0 or -1/" + n);
    }
    return normal_turn(parts / *below);
  }

  Element read_element() {
    Element element;
    element.negated = take_word("not");
    constexpr std::array<std::pair<std::string_view, Content>, 6> names{
        {{"off", Content::off},
         {"empty", Content::empty},
         {"friend", Content::friendly},
         {"enemy", Content::enemy},
         {"piece", Content::piece},
         {"arity", Content::arity}}};
    const auto* const found =
        std::ranges::find(names, word(), [](auto& pair) { return pair.first; });
    if (found == names.end()) fail("off, empty, friend, enemy, piece or arity");
    at_ += found->first.size();
    element.content = found->second;
    if (element.content == Content::arity) element.argument = read_arity();
    if (element.content == Content::piece) {
      element.argument = read_kind();
      if (element.argument < game_.men) element.content = Content::man;
    }
    element.walk = read_walk();
    return element;
  }
  std::uint8_t read_arity() {
    skip_blanks();
    const std::size_t begin = at_;
    const auto& arities = game_.graph.arities();
    const auto number = take_number();
    if (!number || std::ranges::find(arities, *number) == arities.end()) {
      at_ = begin;
      std::string all;
      for (const int arity : arities) all += (all.empty() ? "" : " or ") + std::to_string(arity);
      fail("how many neighbours a point has on this board, " + all);
    }
    return static_cast<std::uint8_t>(*number);
  }
  std::uint8_t read_kind() {
    const std::string_view letter = word();
    const auto kind = letter.size() == 1 ? game_.letters.find(letter) : std::string::npos;
    if (kind == std::string::npos) fail("the letter of a piece, one of " + game_.letters);
    ++at_;
    return static_cast<std::uint8_t>(kind);
  }

  std::string_view line_;
  std::size_t number_;
  const FeatureGame& game_;
  std::size_t at_ = 0;
};

}  // namespace

FeatureLine parse_feature_line(std::string_view line, std::size_t number, const FeatureGame& game) {
  return LineReader(line, number, game).read();
}

void fail_at(std::size_t line, std::size_t column, const std::string& expected,
             std::string_view found) {
  constexpr std::size_t longest = 24;
  std::string shown(found.substr(0, longest));
  std::ranges::replace_if(
      shown, [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
  if (found.size() > longest) shown += "...";
  throw BadFeatures("line " + std::to_string(line) + ", column " + std::to_string(column) +
                    ": expected " + expected + ", not " +
                    (shown.empty() ? "the end of the line" : "'" + shown + "'"));
}

}  // namespace pitboss::engine
