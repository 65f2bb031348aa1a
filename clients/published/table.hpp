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
  /// Of cells that were played again.
  [[nodiscard]] std::filesystem::path repeats() const {
    return root / "data/results/repeats.jsonl";
  }
  /// What `pitboss results time` has measured.
  [[nodiscard]] std::filesystem::path times() const { return root / "data/results/times.json"; }
  [[nodiscard]] std::filesystem::path papers() const { return root / "data/results/papers.toml"; }
  [[nodiscard]] std::filesystem::path figure(const std::string& table) const {
    return root / "docs/results" / (table + ".svg");
  }
  [[nodiscard]] std::filesystem::path page(const std::string& name) const {
    return root / "docs/results" / (name + ".md");
  }
};

/// Seconds of one processor that a game took on average: by table and `name_of` the match.
using Costs = std::map<std::string, std::map<std::string, double>>;
/// None if there is no file. Throws UserError.
[[nodiscard]] Costs read_costs(const std::filesystem::path& path);
[[nodiscard]] std::string text_of(const Costs& costs);

/// A paper's table, and what the repository has of it. A cell is a match.
struct Table {
  std::string name;
  ExperimentFile file;                             ///< with `published`
  std::vector<std::optional<CellRecord>> records;  ///< by match
  std::vector<CellRecord> others;                  ///< records of no match of the table
  std::map<std::string, double> costs;             ///< by match

  [[nodiscard]] const std::vector<Match>& matches() const { return file.experiment.matches; }
  [[nodiscard]] const PublishedTable::Cell& published(std::size_t match) const {
    return file.published->cells[match];
  }
  /// Whether all games that are planned were played.
  [[nodiscard]] bool is_complete(std::size_t match) const;
  /// Whether all games were played and time bounds none, so that they can be played again.
  [[nodiscard]] bool can_repeat(std::size_t match) const;
  // Differences are between scores of distinct rounds: games that repeat others show nothing new.

  /// How far the score of a match that was played is from the paper's number; nothing without both.
  [[nodiscard]] std::optional<Difference> to_paper(std::size_t match) const;
  /// How far it is from the score of another match, a control's; nothing before all games of both
  /// were played.
  [[nodiscard]] std::optional<Difference> to_control(std::size_t match, std::size_t control) const;
  /// On a match with a published score.
  [[nodiscard]] Verdict verdict(std::size_t match) const;
  /// Hours of one processor that the rest of a match takes, or all of it, at what its own games
  /// took or, if none was timed, those of the matches with the same rules; nothing if none of these
  /// was.
  [[nodiscard]] std::optional<double> hours_left(std::size_t match) const;
  [[nodiscard]] std::optional<double> hours(std::size_t match) const;
};

/// "connect4.pseudocount.baseline": a match of a table, in names of files as well.
[[nodiscard]] std::string name_of(const Match& match);

/// Reads the experiment of that name, which must have a table [published], and its records. The
/// players are at `servers`, if there are any, and where the file says otherwise. Throws UserError.
[[nodiscard]] Table read_table(const Repository& repository, const std::string& name,
                               const std::vector<ServerCapacity>& servers = {});
/// The names of all experiments with a table [published].
[[nodiscard]] std::vector<std::string> table_names(const Repository& repository);

/// How many published scores of tables got each verdict, and what is left to do.
struct Count {
  std::map<Verdict, int> verdicts;
  int matches = 0;
  int complete = 0;  ///< of the matches, all games are played
  int cells = 0;     ///< with a published score
  int numbers = 0;   ///< of these, the paper has a number for
  double hours = 0;  ///< of one processor, to play what is left of all matches
  bool has_all_hours = true;
};
[[nodiscard]] Count count(const Table& table);

/// Above which the adjusted p-value shows no difference.
inline constexpr double significance = 0.05;

/// A player beside a control.
struct ControlComparison {
  std::string table;
  std::size_t match;                     ///< of that table
  std::size_t control;                   ///< the control's match
  std::optional<Difference> difference;  ///< nothing before all games of both were played
  bool has_same_games = false;           ///< move by move: the comparison then counts with p = 1
  double adjusted_p = 1;                 ///< for the family

  [[nodiscard]] bool is_better() const {
    return adjusted_p <= significance && difference->value > 0;
  }
  [[nodiscard]] bool is_worse() const {
    return adjusted_p <= significance && difference->value < 0;
  }
};
/// All comparisons that the tables with the same question plan, played or not: one that was not
/// played counts with p = 1, so that the family does not depend on what has been played, and so
/// does one whose player has the games of the control.
struct Family {
  std::string question;
  std::vector<ControlComparison> comparisons;

  [[nodiscard]] int played() const;
  /// Of these, those whose player scores more than the control, by however little.
  [[nodiscard]] int higher() const;
  /// Of these, those whose player played the same games as the control.
  [[nodiscard]] int alike() const;
  /// Of these, those whose player is better or worse than the control, after Holm.
  [[nodiscard]] int better() const;
  [[nodiscard]] int worse() const;
  /// Whether a player has more than one control.
  [[nodiscard]] bool has_several_controls() const;
  /// The players that are better than all their controls.
  [[nodiscard]] int better_than_all() const;
};
/// Of all tables there are, in their order.
[[nodiscard]] std::vector<Family> families_of(const std::vector<Table>& tables);

}  // namespace pitboss::clients
