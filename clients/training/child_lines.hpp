#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "clients/players/child_program.hpp"

namespace pitboss::clients {

/// How a program has ended.
struct EndedProgram {
  std::string sentence;          ///< the last line of its standard error
  std::string ending;            ///< as the last line of ChildProgram::last_words
  std::optional<int> exit_code;  ///< nothing after a signal, and if it was ended

  [[nodiscard]] bool is_good() const { return exit_code == 0; }
  /// Why it is not good.
  [[nodiscard]] const std::string& why() const { return sentence.empty() ? ending : sentence; }
};

/// Runs a program to its end and hands each line of its output to `on_line`; ends processes that it
/// leaves behind. Ends the program when `stop` becomes true. Blocks. Throws EngineFailure if the
/// program cannot be started.
EndedProgram run_program(const std::vector<std::string>& command, const std::atomic<bool>& stop,
                         const std::function<void(const std::string&)>& on_line);

}  // namespace pitboss::clients
