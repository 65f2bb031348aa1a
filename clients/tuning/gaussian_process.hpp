#pragma once

#include <memory>
#include <span>
#include <vector>

#include "clients/tuning/likeness.hpp"

/// What scores at some points tell of all others: a Gaussian process (Rasmussen and Williams 2006).
namespace pitboss::clients {

/// What is believed of the scores at some points: their means and covariances.
class Beliefs {
 public:
  Beliefs(const Likeness& likeness, std::span<const Observation> observations,
          std::vector<UnitPoint> points);
  ~Beliefs();
  Beliefs(const Beliefs&) = delete;
  Beliefs& operator=(const Beliefs&) = delete;

  [[nodiscard]] double mean(int point) const;
  [[nodiscard]] double variance(int point) const;
  [[nodiscard]] double covariance(int a, int b) const;
  /// Takes into account that a score of that variance will be known there.
  void expect(int point, double variance);

 private:
  Likeness likeness_;
  std::vector<UnitPoint> points_;
  struct Matrices;
  std::unique_ptr<Matrices> all_;
};

/// The most likely lengths and deviation of a small grid, each of them changed in turn, from those
/// that are given.
[[nodiscard]] Likeness fitted(Likeness from, std::span<const Observation> observations);

}  // namespace pitboss::clients
