#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "clients/pitboss/git_repository.hpp"

namespace pitboss::clients {

/// The engine of one commit, built in a work tree of its own.
struct EngineBuild {
  Commit commit;
  std::filesystem::path folder;  ///< work tree and log, in the cache

  [[nodiscard]] std::filesystem::path tree() const { return folder / "tree"; }
  [[nodiscard]] std::filesystem::path log() const { return folder / "build.log"; }
};

/// Thrown if a commit cannot be built, or its engine does not do what is asked before the match. A
/// sentence for the user, perhaps with lines of a log below it.
class EngineUnfit : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// How engines are built.
struct BuildSettings {
  std::filesystem::path cache;
  std::string command;  ///< for the shell, in the work tree; empty: there is nothing to build
};

/// Where a commit is built, or was: a folder for each commit and command.
[[nodiscard]] EngineBuild build_of(const Commit& commit, const BuildSettings& settings);

/// Checks a commit out and builds it there, unless that has been done to its end before: a build
/// that was ended in its middle, or that has failed, begins anew. Waits for another process that
/// builds the same. Blocks, until `stop` is true at most; returns whether the engine is there.
/// `note` is told what happens. Throws EngineUnfit with the last lines of a build that fails,
/// UserError if it cannot begin.
bool build(const EngineBuild& engine, const BuildSettings& settings,
           const GitRepository& repository, const std::atomic<bool>& stop,
           const std::function<void(const std::string&)>& note);

/// Runs a shell command in the engine's work tree and returns its output. Throws EngineUnfit if it
/// fails.
[[nodiscard]] std::string output_in(const EngineBuild& engine, const std::string& command,
                                    const std::atomic<bool>& stop);

/// The command line of a program that runs in the engine's work tree.
[[nodiscard]] std::vector<std::string> command_in(const EngineBuild& engine,
                                                  const std::vector<std::string>& words);

}  // namespace pitboss::clients
