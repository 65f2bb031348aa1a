#pragma once

#include <filesystem>
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

/// How many threads of the whole machine have run or waited for a processor, on average over the
/// last minute; 0 if the system does not tell.
[[nodiscard]] double load(const std::filesystem::path& root = "/");

}  // namespace pitboss::environment
