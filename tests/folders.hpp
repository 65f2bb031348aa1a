#pragma once

#include <string>

/// Where the tests find what they read and start, without a slash at the end.
namespace pitboss::tests {

[[nodiscard]] std::string bin_folder();    ///< the programs of this build
[[nodiscard]] std::string tests_folder();  ///< the folder of this file
[[nodiscard]] std::string docs_folder();
[[nodiscard]] std::string data_folder();
[[nodiscard]] std::string python_folder();  ///< that holds the package `pitboss`

}  // namespace pitboss::tests
