#pragma once

#include <filesystem>

/// Where a program finds the files that come with it: in PREFIX/share/pitboss if it is installed as
/// PREFIX/bin/pitboss, else in the repository in which it was built.
namespace pitboss::clients {

/// The program that runs.
[[nodiscard]] std::filesystem::path this_program();
/// Experiments, networks, features, options and settings of training, a folder each. Throws
/// UserError if there is no such folder.
[[nodiscard]] std::filesystem::path data_folder(
    const std::filesystem::path& program = this_program());
/// What Python's import path has to name: it holds the package `pitboss`. Throws UserError if there
/// is no such folder.
[[nodiscard]] std::filesystem::path python_folder(
    const std::filesystem::path& program = this_program());

}  // namespace pitboss::clients
