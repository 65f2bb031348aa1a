#pragma once

#include <vector>

#include "clients/tuning/search_space.hpp"
#include "games/random.hpp"

namespace pitboss::clients {

/// A place in a search space: for each parameter a number in [0, 1].
using UnitPoint = std::vector<double>;

/// A search space as a cube. A range is its coordinates, scaled. A list is cut into equal parts, of
/// numbers in rising order, of words in the order given; a value stands in the middle of its part.
class UnitSpace {
 public:
  explicit UnitSpace(SearchSpace space);

  [[nodiscard]] int size() const { return static_cast<int>(space_.size()); }
  [[nodiscard]] const SearchSpace& space() const { return space_; }
  /// Whether a parameter's values are words, of which none is nearer to another than any other is.
  [[nodiscard]] const std::vector<bool>& are_words() const { return are_words_; }
  /// A number that is not listed stands between those that are; a word that is not, at -1.
  [[nodiscard]] UnitPoint point_of(const Values& values) const;
  /// The values there, or of numbers beyond the cube at its side.
  [[nodiscard]] Values values_at(const UnitPoint& point) const;
  /// UnitPoint `index` of a sequence that fills the cube evenly, shifted by random numbers
  /// (Halton).
  [[nodiscard]] UnitPoint even(int index, const UnitPoint& shift) const;
  [[nodiscard]] UnitPoint random(games::Random& random) const;
  /// A point about that far away in each parameter, or in a random one alone. A word is another one
  /// with the probability `distance`.
  [[nodiscard]] UnitPoint random_near(const UnitPoint& point, double distance,
                                      games::Random& random) const;
  /// "lower" or "upper" if the value is the last one on that side of at least three; else empty.
  [[nodiscard]] std::string edge_of(const Values& values, int parameter) const;

 private:
  SearchSpace space_;  // lists of numbers in rising order
  std::vector<bool> are_words_;
};

}  // namespace pitboss::clients
