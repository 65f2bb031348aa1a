#pragma once

#include <filesystem>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "clients/review/finding.hpp"

namespace pitboss::clients {

/// What has been found so far, in a file of JSON lines: first what was asked for, then a line for
/// each position, and one for each game's preset before these. A line is written whole or, if the
/// process or the machine ends meanwhile, left out by the next reader, so that work goes on where
/// it was stopped. One process at a time.
class FindingsFile {
 public:
  /// Opens or makes the file. Throws UserError if it cannot be written, or if it is damaged or
  /// holds what was found by other searches: `asked` differs.
  FindingsFile(const std::filesystem::path& path, const nlohmann::ordered_json& asked);
  ~FindingsFile();
  FindingsFile(const FindingsFile&) = delete;
  FindingsFile& operator=(const FindingsFile&) = delete;

  [[nodiscard]] const std::map<GamePosition, Finding>& findings() const { return findings_; }
  /// The presets that were chosen, by the rules.
  [[nodiscard]] const std::map<std::string, std::string>& presets() const { return presets_; }
  /// Writes at once which preset was chosen. Throws UserError if that fails, or if another one has
  /// been.
  void set_preset(const std::string& rules, const std::string& preset);
  /// Writes a finding at once. Throws UserError if that fails, or if another network than that of
  /// the other findings in this game has evaluated it.
  void add(const GamePosition& question, Finding finding);

 private:
  void read(const std::string& text, const nlohmann::ordered_json& asked);
  void append(std::string line);

  std::filesystem::path path_;
  int file_ = -1;
  std::map<GamePosition, Finding> findings_;
  std::map<std::string, std::string> networks_;  ///< by the rules
  std::map<std::string, std::string> presets_;
};

}  // namespace pitboss::clients
