#pragma once

#include <cstdlib>
#include <optional>
#include <string>

namespace pitboss::tests {

/// Sets a variable of the environment, or unsets it (null), as long as it lives.
class VariableSet {
 public:
  VariableSet(const char* name, const char* value) : name_(name) {
    if (const char* before = std::getenv(name)) before_ = before;
    put(value);
  }
  ~VariableSet() { put(before_ ? before_->c_str() : nullptr); }
  VariableSet(const VariableSet&) = delete;
  VariableSet& operator=(const VariableSet&) = delete;

 private:
  void put(const char* value) {
    if (value != nullptr) {
      ::setenv(name_, value, 1);
    } else {
      ::unsetenv(name_);
    }
  }

  const char* name_;
  std::optional<std::string> before_;
};

}  // namespace pitboss::tests
