#include "environment/variable.hpp"

#include <charconv>
#include <cstdlib>

namespace pitboss::environment {

std::string variable(const char* name) {
  const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe): nobody sets any
  return value == nullptr ? "" : value;
}

int count_in_variable(const char* name) {
  const std::string text = variable(name);
  int number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  return error == std::errc{} && end == last && number > 0 ? number : 0;
}

}  // namespace pitboss::environment
