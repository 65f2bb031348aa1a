#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "clients/books/drawn_openings.hpp"
#include "clients/review/finding.hpp"

namespace pitboss::clients {

/// What a pair of players has made of an opening.
struct OpeningTrial {
  int rounds = 0;
  int won = 0;   ///< rounds in which the stronger player had more than half of the points
  int lost = 0;  ///< in which it had less
  int games = 0;
  int drawn = 0;

  OpeningTrial& operator+=(const OpeningTrial& more);
  friend bool operator==(const OpeningTrial&, const OpeningTrial&) = default;
};

/// An opening with what was found of it.
struct BookOpening {
  DrawnOpening opening;
  PositionValues values;  ///< after its moves, by colour
  OpeningTrial trial{};
};

/// How far the values are from a fair share of the point for each colour: the largest difference of
/// those that are known, in [0, 1). Throws std::invalid_argument if none is known.
[[nodiscard]] double bias_of(const PositionValues& values);

/// Those with a bias of `bias`, or within `tolerance` of it, the nearest first, `count` at most.
/// Openings whose values are not known are in no book.
[[nodiscard]] std::vector<BookOpening> openings_of_bias(std::span<const BookOpening> all,
                                                        double bias, double tolerance,
                                                        std::size_t count);

/// The book as a file of openings (clients/experiments/openings.hpp): its heading, the `facts`
/// about it, then an opening a line, what is known of it behind a '#'.
[[nodiscard]] std::string book_text(const games::AnyGame& start,
                                    const std::vector<std::pair<std::string, std::string>>& facts,
                                    std::span<const BookOpening> book);

}  // namespace pitboss::clients
