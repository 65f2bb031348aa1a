#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "clients/experiments/match.hpp"
#include "clients/experiments/player_settings.hpp"
#include "clients/experiments/settings.hpp"

namespace pitboss::clients {

/// What the text of a paper says of a player's score where it has no number.
enum class Wording {
  better,      ///< than its opponent
  not_better,  ///< than its opponent; it may be worse
  even,
  worse
};
/// "not better"
[[nodiscard]] std::string_view name_of(Wording wording);
/// A score in [0, 1], or words.
using PublishedScore = std::variant<double, Wording>;

/// What a paper has published of the matches of an experiment, as the table [published] of its file
/// and the keys `published`, `against`, `control` and `point` of its players say
/// (docs/experiment-file.md).
struct PublishedTable {
  /// Where the score of a match's first player is in the figure of the table's page.
  struct Point {
    std::string series;
    double x;
  };
  struct Cell {
    std::optional<PublishedScore> score;  ///< the paper's, of the match's first player
    /// The matches whose first players are controls of this one's.
    std::vector<std::size_t> controls;
    std::optional<Point> point;
  };

  std::string title;
  std::string about;  ///< what a reader should know of it; Markdown, may be empty
  /// The question for which players are compared with controls; tables with the same are one family
  /// of comparisons. Empty if no player has a control.
  std::string question;
  std::string x_axis;             ///< what `x` of the points is; empty if there is no figure
  int games = 0;                  ///< of each published number; 0 if there is none
  bool has_paper_options = true;  ///< else the players have others than the paper's
  std::vector<Cell> cells;        ///< by match
};

/// Reads [published] of an experiment whose matches are known. Throws UserError.
[[nodiscard]] PublishedTable published_table_of(const Setting& table,
                                                const std::vector<PlayerSettings>& players,
                                                const std::vector<Match>& matches);

/// Refuses what only an experiment with a table [published] may say of its players.
void expect_unpublished(const std::vector<PlayerSettings>& players);

}  // namespace pitboss::clients
