#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "clients/results/document/document.hpp"
#include "clients/review/review.hpp"

/// A review as files: SGF, JSON, HTML. Each depends on the games, the findings and what is told of
/// the search alone, to the byte.
namespace pitboss::clients {

/// What a review tells of itself.
struct ReviewFacts {
  std::string search{};  ///< "preset=network simulations=200 seed=1"
  Thresholds thresholds{};
  std::vector<std::string> left_out{};  ///< games and files, and why
};

/// What is said of the game's positions, in SGF and on the page: values, best lines, mistakes with
/// the better moves as variations, turning points.
[[nodiscard]] std::vector<games::Annotation> annotations_of(const ReviewedGame& game);

/// A game as SGF with `annotations_of` it. Throws games::BadRecord for other colours than SGF's.
[[nodiscard]] std::string sgf_of(const ReviewedGame& game);

/// One object (docs/analysis.md, "Games reviewed"): the games, and each position once.
[[nodiscard]] std::string review_json(std::span<const ReviewedGame> games,
                                      const ReviewFacts& facts);

/// Who has played how well, the worst mistakes, and the games on a board, as many as a page holds.
[[nodiscard]] Document review_document(std::span<const ReviewedGame> games,
                                       const ReviewFacts& facts);

/// Writes review.json, review.html and, for each game, games/NUMBER.sgf into a folder, each whole
/// or not at all. `on_written` is told the name of each, and of the games that of their folder.
/// Returns how many games SGF has no colours for. Throws UserError at the first that cannot be
/// written.
int write_review(const std::filesystem::path& folder, std::span<const ReviewedGame> games,
                 const ReviewFacts& facts,
                 const std::function<void(const std::string&)>& on_written);

}  // namespace pitboss::clients
