#include "games/parameters.hpp"

#include <algorithm>
#include <charconv>
#include <sstream>

#include "games/bad_game.hpp"

namespace pitboss::games {

void Parameters::set(std::string_view name, std::string_view text) {
  const auto known = std::ranges::find(values_, name, &Value::name);
  if (known != values_.end()) {
    known->text = text;
    return;
  }
  constexpr std::size_t most = 64;  // names are compared one by one, which is slow for many
  if (values_.size() >= most) throw BadGame("too many parameters");
  values_.push_back({std::string(name), std::string(text)});
}

bool Parameters::has(std::string_view name) const {
  return std::ranges::find(values_, name, &Value::name) != values_.end();
}

const std::string& Parameters::text(std::string_view name) const {
  const auto known = std::ranges::find(values_, name, &Value::name);
  if (known == values_.end()) throw BadGame("parameter " + std::string(name) + " is missing");
  return known->text;
}

int Parameters::number(std::string_view name, int min, int max) const {
  const std::string& value = text(name);
  int n = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), n);
  if (error != std::errc{} || end != value.data() + value.size() || n < min || n > max) {
    throw BadGame(std::string(name) + " must be a whole number from " + std::to_string(min) +
                  " to " + std::to_string(max) + ", not '" + value + "'");
  }
  return n;
}

int Parameters::choice(std::string_view name, const std::vector<std::string_view>& choices) const {
  const std::string& value = text(name);
  const auto found = std::ranges::find(choices, value);
  if (found != choices.end()) return static_cast<int>(found - choices.begin());
  std::string message = std::string(name) + " must be one of";
  for (const auto c : choices) message += " " + std::string(c);
  throw BadGame(message + ", not '" + value + "'");
}

std::string Parameters::line() const {
  std::string line;
  for (const Value& v : values_) {
    if (!line.empty()) line += ' ';
    line += v.name + "=" + v.text;
  }
  return line;
}

Parameters parse_parameters(std::string_view text) {
  Parameters parameters;
  std::istringstream words{std::string(text)};
  for (std::string word; words >> word;) {
    const std::size_t equals = word.find('=');
    if (equals == 0 || equals == std::string::npos) {
      throw BadGame("parameter '" + word + "' is not of the form key=value");
    }
    const std::string key = word.substr(0, equals);
    if (parameters.has(key)) throw BadGame("parameter " + key + " is given twice");
    parameters.set(key, word.substr(equals + 1));
  }
  return parameters;
}

}  // namespace pitboss::games
