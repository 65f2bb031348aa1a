#include "engine/policy/features/feature_set.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>
#include <memory>
#include <optional>

#include "engine/policy/features/feature_line.hpp"
#include "games/bad_game.hpp"

namespace pitboss::engine {

namespace {

constexpr std::string_view first_line = "pitboss features 1";

/// Reads the lines before the first feature, and then the features.
class FeatureReader {
 public:
  explicit FeatureReader(std::string_view text) : text_(text) {}

  FeatureSet read() {
    if (!next_line() || line_ != first_line) {
      fail(1, "'" + std::string(first_line) + "'", line_);
    }
    read_game();
    while (next_line()) {
      if (is_word("procedure")) {
        if (!set_.procedure.empty()) fail(1, "procedure once", line_);
        set_.procedure = rest_of("procedure");
      } else {
        read_feature();
      }
    }
    return std::move(set_);
  }

 private:
  /// The next line that is neither blank nor a comment.
  bool next_line() {
    while (!text_.empty()) {
      const auto end = std::min(text_.find('\n'), text_.size());
      line_ = text_.substr(0, end);
      text_.remove_prefix(std::min(end + 1, text_.size()));
      ++number_;
      if (line_.ends_with('\r')) line_.remove_suffix(1);
      const auto begin = line_.find_first_not_of(" \t");
      if (begin != std::string_view::npos && line_[begin] != '#') return true;
    }
    line_ = {};
    return false;
  }
  [[nodiscard]] bool is_word(std::string_view word) const {
    return line_.starts_with(word) && (line_.size() == word.size() || line_[word.size()] == ' ');
  }
  [[nodiscard]] std::string rest_of(std::string_view word) const {
    const auto begin = line_.find_first_not_of(' ', word.size());
    return begin == std::string_view::npos ? "" : std::string(line_.substr(begin));
  }
  [[noreturn]] void fail(std::size_t column, const std::string& expected,
                         std::string_view found) const {
    fail_at(number_, column, expected, found);
  }

  void read_game() {
    if (!next_line() || !is_word("game")) fail(1, "'game' and a game's name", line_);
    const std::string words = rest_of("game");
    const auto end = std::min(words.find(' '), words.size());
    try {
      const auto game =
          games::make_game(words.substr(0, end), games::parse_parameters(words.substr(end)));
      game_.emplace(feature_game(*game));
      set_.game = game_->name;
      set_.parameters = game->parameters().line();
    } catch (const games::BadGame& bad) {
      throw BadFeatures("line " + std::to_string(number_) + ": " + bad.what());
    }
  }

  void read_feature() {
    if (set_.features.size() == most_features) {
      throw BadFeatures("line " + std::to_string(number_) + ": a set has at most " +
                        std::to_string(most_features) + " features");
    }
    FeatureLine line = parse_feature_line(line_, number_, *game_);
    const auto columns = static_cast<int>(line.weights.size());
    if (set_.features.empty()) set_.columns = columns;
    if (columns != set_.columns) {
      fail(1, std::to_string(set_.columns) + " weights as in the features before", line_);
    }
    const auto [known, is_new] = lines_.try_emplace(line.feature, number_);
    if (!is_new) {
      throw BadFeatures("line " + std::to_string(number_) + ": this feature is that of line " +
                        std::to_string(known->second) + ", perhaps turned or reflected");
    }
    set_.features.push_back(std::move(line.feature));
    set_.weights.insert(set_.weights.end(), line.weights.begin(), line.weights.end());
  }

  std::string_view text_;
  std::string_view line_;
  std::size_t number_ = 0;
  std::optional<FeatureGame> game_;
  std::map<MoveFeature, std::size_t> lines_;
  FeatureSet set_;
};

std::string weight_text(float number) {
  std::array<char, 32> buffer;
  char* const end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), number).ptr;
  return {buffer.data(), end};
}

}  // namespace

FeatureSet parse_features(std::string_view text) { return FeatureReader(text).read(); }

FeatureGame feature_game(const FeatureSet& set) {
  return feature_game(*games::make_game(set.game, games::parse_parameters(set.parameters)));
}

std::string file_text(const FeatureSet& set) {
  const std::string letters = feature_game(set).letters;
  std::string text = std::string(first_line) + "\ngame " + set.game;
  if (!set.parameters.empty()) text += " " + set.parameters;
  text += "\n";
  if (!set.procedure.empty()) text += "procedure " + set.procedure + "\n";
  auto weight = set.weights.begin();
  for (const MoveFeature& feature : set.features) {
    for (int i = 0; i < set.columns; ++i) text += weight_text(*weight++) + " ";
    text.append(" ").append(text_of(feature, letters)).append("\n");
  }
  return text;
}

}  // namespace pitboss::engine
