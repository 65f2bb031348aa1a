#pragma once

#include <string>

/// What surrounds a process: its machine, what of it the process may use, its folders and its
/// terminal. Nothing here changes it, and nothing else of Pitboss asks for it. Any thread may.
namespace pitboss::environment {

/// A variable of the environment; empty if it is not set.
[[nodiscard]] std::string variable(const char* name);

/// The whole number above 0 in a variable; 0 if it holds none.
[[nodiscard]] int count_in_variable(const char* name);

}  // namespace pitboss::environment
