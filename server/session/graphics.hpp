#pragma once

#include <span>
#include <string>
#include <vector>

#include "engine/search/search.hpp"
#include "games/any_game.hpp"
#include "protocol/dialect.hpp"

namespace pitboss::server {

/// The number with `digits` digits behind the point.
[[nodiscard]] std::string decimal_text(double number, int digits);

/// What a search knows of a point: of all moves whose next point it is, taken together.
struct PointReport {
  std::string point;    ///< or a word such as "pass"
  std::int64_t visits;  ///< their sum, not 0
  double value;         ///< for the side to move, in [0, 1]; weighted by visits
  double novelty;       ///< weighted by visits
};

/// The next points, after those `chosen`, of the report's visited moves; most visited first.
/// `position` is the one that was searched.
[[nodiscard]] std::vector<PointReport> by_point(const games::AnyGame& position,
                                                const engine::Report& report,
                                                std::span<const std::string> chosen = {});

/// A point and the prior probability of all moves whose next point it is.
struct PointPrior {
  std::string point;
  double prior;
};

/// The next points, after those `chosen`, of all moves of the report, with their priors; empty if
/// the search had none.
[[nodiscard]] std::vector<PointPrior> priors_by_point(const games::AnyGame& position,
                                                      const engine::Report& report,
                                                      std::span<const std::string> chosen = {});

/// The search as lines of GoGui's graphics commands, without an empty line and without a line feed
/// at the end. Shows at most eight points, each with at least a fiftieth of the visits of the most
/// visited one. COLOR: the greener, the larger the share of all visits; LABEL: value in percent for
/// the side to move. (GoGui would paint INFLUENCE over the labels.) CIRCLE: points of the move to
/// play without a label. TEXT: one line of figures and the variation expected. HexGui reads
/// INFLUENCE and TEXT only, so INFLUENCE shows all visits relative to the most visited point.
/// `position` is the one searched; `chosen` are the points chosen of its next move.
[[nodiscard]] std::string search_graphics(const games::AnyGame& position,
                                          const engine::Report& report,
                                          std::span<const std::string> chosen = {},
                                          protocol::Dialect dialect = protocol::Dialect::gogui);

/// What GoGui shall draw on every board. COLOR: grid points that are not on the board, which GoGui
/// omits only on hexagonal boards, the edges of hex, and points with pieces that are neither black
/// nor white men. SQUARE: the points `chosen`. CIRCLE: the points `next` that may follow.
[[nodiscard]] std::string board_graphics(const games::AnyGame& game,
                                         std::span<const std::string> chosen,
                                         std::span<const std::string> next,
                                         protocol::Dialect dialect);

/// The running search. For GoGui it includes the board, since a new picture clears all marks.
/// HexGui gets its own form with value and share of the same points, empty until there is a
/// variation to show.
[[nodiscard]] std::string live_graphics(const games::AnyGame& position,
                                        const engine::Report& report,
                                        std::span<const std::string> chosen,
                                        protocol::Dialect dialect);

/// The expected variation as GoGui's numbered stones: "VAR b D2 b E3 w D7 ...".
[[nodiscard]] std::string variation_graphics(const games::AnyGame& position,
                                             const engine::Report& report,
                                             protocol::Dialect dialect = protocol::Dialect::gogui);

/// Several lines for people: the move, its value, effort, the tree, the ten most visited moves.
[[nodiscard]] std::string search_statistics(const games::AnyGame& position,
                                            const engine::Report& report,
                                            protocol::Dialect dialect = protocol::Dialect::gogui);

}  // namespace pitboss::server
