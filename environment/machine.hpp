#pragma once

#include <string>

namespace pitboss::environment {

/// The name of the machine that this program runs on.
[[nodiscard]] std::string host_name();

/// Another text for each machine, and each time that it is started; the same in all its containers.
/// Empty if that cannot be told.
[[nodiscard]] std::string boot_id();

/// Its processor: the model, and how many threads of this process it runs at once
/// (environment::processors), as in "AMD EPYC 7B13, 2 threads".
[[nodiscard]] std::string processor_name();

}  // namespace pitboss::environment
