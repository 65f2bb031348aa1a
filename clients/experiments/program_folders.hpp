#pragma once

#include <filesystem>

/// Where a program finds the files that come with it: in PREFIX/share/pitboss if it is installed as
/// PREFIX/bin/pitboss, else in the repository in which it was built.
namespace pitboss::clients {

/// Experiments, networks, features, options and settings of training, a folder each. Throws
/// UserError if there is no such folder.
[[nodiscard]] std::filesystem::path data_folder();
/// What Python's import path has to name: it holds the package `pitboss`. Throws UserError if there
/// is no such folder.
[[nodiscard]] std::filesystem::path python_folder();

}  // namespace pitboss::clients
