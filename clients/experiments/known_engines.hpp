#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "clients/experiments/settings.hpp"

/// Programs of others that are known: data/engines.toml has a table of each.
namespace pitboss::clients {

/// What is known of a program.
struct KnownEngine {
  std::string program{};  ///< the name of its file
  // In words, empty if there is nothing to say:
  std::string about{};    ///< what it is
  std::string package{};  ///< how to get it
  std::string notes{};    ///< options that matter
  std::string wrong{};    ///< where it is known to be
  std::string command{};  ///< a match against it
  std::string tried{};    ///< when that was played, and how it ended

  std::vector<std::string> arguments{};  ///< that it needs
  std::vector<std::string> games{};      ///< that it plays, as a player's `game` lists them
  /// What a player of it has unless its own settings say otherwise: keys of a player (`speaks`,
  /// always; `dialect`, `setup`, `start_timeout`, `options`).
  Setting player;

  [[nodiscard]] const std::string& language() const { return player.at("speaks").text(); }
};

/// Reads such a file. Throws UserError.
[[nodiscard]] std::vector<KnownEngine> read_known_engines(const std::filesystem::path& file);

/// Those of data/engines.toml; none if the files that come with this program are missing.
[[nodiscard]] const std::vector<KnownEngine>& known_engines();
/// The one whose program is called as the file of `path` is; null if there is none.
[[nodiscard]] const KnownEngine* find_known_engine(const std::filesystem::path& path);

}  // namespace pitboss::clients
