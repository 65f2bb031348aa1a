#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "clients/players/child_program.hpp"

namespace pitboss::clients {

/// Runs a program to its end and hands each line of its output to `on_line`. Ends the program when
/// `stop` becomes true. Returns how the program ended, as ChildProgram::last_words does. Blocks.
/// Throws EngineFailure if the program cannot be started.
std::string run_program(const std::vector<std::string>& command, const std::atomic<bool>& stop,
                        const std::function<void(const std::string&)>& on_line);

}  // namespace pitboss::clients
