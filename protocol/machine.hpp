#pragma once

#include <string>

namespace pitboss::protocol {

/// The name of the machine that this program runs on.
[[nodiscard]] std::string host_name();

/// Its processor: the model, and how many threads it runs, as in "AMD EPYC 7B13, 2 threads".
[[nodiscard]] std::string processor_name();

}  // namespace pitboss::protocol
