#pragma once

#include <filesystem>

/// Where a program finds the files that come with it: in PREFIX/share/pitboss if it is installed as
/// PREFIX/bin/pitboss, else in the repository in which it was built.
namespace pitboss::clients {

/// The executable file of this process.
[[nodiscard]] std::filesystem::path this_program();
/// The folder `data`: a folder each for experiments, networks, features, options and training.
/// Throws UserError if it does not exist.
[[nodiscard]] std::filesystem::path data_folder(
    const std::filesystem::path& program = this_program());
/// The folder of the package `pitboss`, for Python's import path. Throws UserError if it does not
/// exist.
[[nodiscard]] std::filesystem::path python_folder(
    const std::filesystem::path& program = this_program());

}  // namespace pitboss::clients
