#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "clients/experiments/experiment_file.hpp"
#include "clients/published/cell_record.hpp"
#include "clients/published/comparison.hpp"

namespace pitboss::clients {

/// Where a repository keeps its tables.
struct Repository {
  std::filesystem::path root;

  [[nodiscard]] std::filesystem::path experiment(const std::string& table) const {
    return root / "data/experiments" / (table + ".toml");
  }
  [[nodiscard]] std::filesystem::path records(const std::string& table) const {
    return root / "data/results" / (table + ".jsonl");
  }
  [[nodiscard]] std::filesystem::path costs() const { return root / "data/results/costs.json"; }
  [[nodiscard]] std::filesystem::path papers() const { return root / "data/results/papers.toml"; }
  [[nodiscard]] std::filesystem::path page(const std::string& name) const {
    return root / "docs/results" / (name + ".md");
  }
};

/// Seconds of one processor that a game takes, as measured: by table and game.
using Costs = std::map<std::string, std::map<std::string, double>>;
/// None if there is no file. Throws UserError.
[[nodiscard]] Costs read_costs(const std::filesystem::path& path);
[[nodiscard]] std::string text_of(const Costs& costs);

/// A paper's table, and what the repository has of it. A cell is a match.
struct Table {
  std::string name;
  ExperimentFile file;                             ///< with `published`
  std::vector<std::optional<CellRecord>> records;  ///< by match
  std::map<std::string, double> costs;             ///< by game

  [[nodiscard]] const std::vector<Match>& matches() const { return file.experiment.matches; }
  [[nodiscard]] const PublishedTable::Cell& published(std::size_t match) const {
    return file.published->cells[match];
  }
  /// How far the score of a match that was played is from the paper's; nothing without both.
  [[nodiscard]] std::optional<Difference> to_paper(std::size_t match) const;
  /// How far it is from the score of the player's control.
  [[nodiscard]] std::optional<Difference> to_control(std::size_t match) const;
  /// On a match with a published score.
  [[nodiscard]] Verdict verdict(std::size_t match) const;
  /// Hours of one processor that the rest of a match takes, or all of it; nothing if no game was
  /// timed.
  [[nodiscard]] std::optional<double> hours_left(std::size_t match) const;
  [[nodiscard]] std::optional<double> hours(std::size_t match) const;
};

/// Reads the experiment of that name, which must have a table [published], and its records; those
/// of other matches are ignored. The players are at `servers`, if there are any, and where the file
/// says otherwise. Throws UserError.
[[nodiscard]] Table read_table(const Repository& repository, const std::string& name,
                               const std::vector<ServerCapacity>& servers = {});
/// The names of all experiments with a table [published].
[[nodiscard]] std::vector<std::string> table_names(const Repository& repository);

/// How many published scores of tables got each verdict, and what is left to do.
struct Count {
  std::map<Verdict, int> verdicts;
  int cells = 0;     ///< with a published score
  int begun = 0;     ///< of these, those with some of the games that are planned
  double hours = 0;  ///< of one processor, to play what is left of all matches
  bool has_all_hours = true;
};
[[nodiscard]] Count count(const Table& table);

/// The comparisons of players with their controls, as far as both were played, with the p-values
/// adjusted for all of them.
struct Control {
  const Table* table;
  std::size_t match;
  Difference difference;
  double adjusted_p;
};
[[nodiscard]] std::vector<Control> controls_in(const std::vector<const Table*>& tables);
/// Above which the adjusted p-value shows no difference.
inline constexpr double significance = 0.05;

}  // namespace pitboss::clients
