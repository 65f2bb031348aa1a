#pragma once

#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "clients/players/child_program.hpp"

namespace pitboss::clients {

/// Runs a program to its end and hands each line that it writes to `on_line`. When `stop` becomes
/// true the program is ended. Returns how it ended, as ChildProgram::last_words. Blocks. Throws
/// EngineFailure if it cannot be started.
std::string run_program(const std::vector<std::string>& command, const std::atomic<bool>& stop,
                        const std::function<void(const std::string&)>& on_line);

/// The first line of a program that goes on, within a minute. Throws EngineFailure.
[[nodiscard]] std::string first_line(ChildProgram& program);

}  // namespace pitboss::clients
