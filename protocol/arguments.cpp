#include "protocol/arguments.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "games/letter_case.hpp"
#include "protocol/error.hpp"

namespace pitboss::protocol {

void Arguments::expect(std::size_t min, std::size_t max, std::string_view usage) const {
  if (words_.size() >= min && words_.size() <= max) return;
  throw CommandError(
      FailureCode::bad_argument,
      "syntax error: expected " + (usage.empty() ? "no arguments" : std::string(usage)));
}

std::int64_t Arguments::whole(std::size_t i, std::int64_t min, std::int64_t max) const {
  const std::string& text = word(i);
  std::int64_t n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error == std::errc{} && end == text.data() + text.size() && n >= min && n <= max) return n;
  throw CommandError(FailureCode::bad_argument, "syntax error: expected a whole number from " +
                                                    std::to_string(min) + " to " +
                                                    std::to_string(max) + ", not '" + text + "'");
}

double Arguments::number(std::size_t i) const {
  const std::string& text = word(i);
  double x = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error == std::errc{} && end == text.data() + text.size() && std::isfinite(x)) return x;
  throw CommandError(FailureCode::bad_argument,
                     "syntax error: expected a number, not '" + text + "'");
}

std::chrono::duration<double> Arguments::seconds(std::size_t i) const {
  constexpr double most = 2147483647;
  const double x = number(i);
  if (x >= 0 && x <= most) return std::chrono::duration<double>(x);
  throw CommandError(FailureCode::bad_argument,
                     "syntax error: expected seconds from 0 to 2147483647, not '" + word(i) + "'");
}

bool Arguments::on_or_off(std::size_t i) const {
  if (word(i) == "on" || word(i) == "off") return word(i) == "on";
  throw CommandError(FailureCode::bad_argument,
                     "syntax error: expected on or off, not '" + word(i) + "'");
}

std::optional<games::Colour> Arguments::colour_if_any(std::size_t i,
                                                      const games::AnyGame& game) const {
  return game.colour_named(games::in_lower_case(word(i)));
}

games::Colour Arguments::colour(std::size_t i, const games::AnyGame& game) const {
  if (const auto colour = colour_if_any(i, game)) return *colour;
  std::string letters;
  for (const auto name : game.colours())
    letters += (letters.empty() ? "" : " or ") + std::string(1, name[0]);
  throw CommandError(FailureCode::bad_argument,
                     "syntax error: expected a colour (" + letters + "), not '" + word(i) + "'");
}

}  // namespace pitboss::protocol
