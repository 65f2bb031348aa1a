#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace pitboss::games {

/// A game's declaration of one of its parameters.
struct Parameter {
  std::string_view name;
  std::string_view default_value;
  std::string_view values;  ///< what is allowed, for people: "4-8, even", "gomoku3|free"
  std::string_view help;    ///< one line
};

/// Values of a game's parameters, by name. Complete once they have been checked against the game's
/// declarations.
class Parameters {
 public:
  struct Value {
    std::string name;
    std::string text;
    friend bool operator==(const Value&, const Value&) = default;
  };

  void set(std::string_view name, std::string_view text);
  [[nodiscard]] bool has(std::string_view name) const;
  [[nodiscard]] const std::vector<Value>& values() const { return values_; }
  /// The text of a parameter. Throws BadGame if it has not been set.
  [[nodiscard]] const std::string& text(std::string_view name) const;
  /// The parameter as a whole number in [min, max]. Throws BadGame otherwise.
  [[nodiscard]] int number(std::string_view name, int min, int max) const;
  /// The parameter as the index of one of `choices`. Throws BadGame otherwise.
  [[nodiscard]] int choice(std::string_view name,
                           const std::vector<std::string_view>& choices) const;
  /// "key=value key=value", in order.
  [[nodiscard]] std::string line() const;
  friend bool operator==(const Parameters&, const Parameters&) = default;

 private:
  std::vector<Value> values_;
};

/// Reads "size=9 swap=on". Throws BadGame for a word that is not KEY=VALUE, and for a key given
/// twice.
[[nodiscard]] Parameters parse_parameters(std::string_view text);

}  // namespace pitboss::games
