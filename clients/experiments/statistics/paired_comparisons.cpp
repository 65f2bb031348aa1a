#include "clients/experiments/statistics/paired_comparisons.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "clients/experiments/statistics/concave_maximum.hpp"

namespace pitboss::clients {

namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

/// The log-likelihood as a function of r, followed by d if d is fitted.
class Likelihood {
 public:
  explicit Likelihood(const PairedComparisons& data)
      : data_(data), size_(data.players + (data.draw ? 0 : 1)) {}

  [[nodiscard]] VectorXd start() const {
    VectorXd x = VectorXd::Zero(size_);
    if (!data_.draw) x(data_.players) = 0.5;
    return x;
  }
  [[nodiscard]] double draw(const VectorXd& x) const {
    return data_.draw ? *data_.draw : x(data_.players);
  }

  [[nodiscard]] double value(const VectorXd& x) const {
    const double d = draw(x);
    double sum = 0;
    if (data_.draws > 0) sum = likelihood_of_draws(data_.draws, d);
    for_wins([&](Index i, Index j, double wins) { sum -= wins * soft_plus(d - x(i) + x(j)); });
    return sum;
  }

  [[nodiscard]] Derivatives derivatives(const VectorXd& x) const {
    Derivatives out{VectorXd::Zero(size_), MatrixXd::Zero(size_, size_)};
    const Index d = data_.players;  // after the ratings
    for_wins([&](Index i, Index j, double wins) {
      const double upset = 1 / (1 + std::exp(x(i) - x(j) - draw(x)));
      const double slope = wins * upset;
      const double curvature = slope * (1 - upset);
      out.gradient(i) += slope;
      out.gradient(j) -= slope;
      out.information(i, i) += curvature;
      out.information(j, j) += curvature;
      out.information(i, j) -= curvature;
      out.information(j, i) -= curvature;
      if (data_.draw) return;
      out.gradient(d) -= slope;
      out.information(d, d) += curvature;
      out.information(i, d) -= curvature;
      out.information(d, i) -= curvature;
      out.information(j, d) += curvature;
      out.information(d, j) += curvature;
    });
    if (!data_.draw) add_draws(out, d, data_.draws, x(d));
    return out;
  }

 private:
  /// Calls `visit(i, j, wins)` for all pairs with wins of i over j.
  template <class Visit>
  void for_wins(Visit visit) const {
    const Index n = data_.players;
    for (Index i = 0; i < n; ++i) {
      for (Index j = 0; j < n; ++j) {
        const double wins = data_.wins[i * n + j];
        if (wins > 0) visit(i, j, wins);
      }
    }
  }

  const PairedComparisons& data_;
  Index size_;
};

/// The projection on the components' means. The data say nothing about the means, so the
/// information matrix is singular until a multiple of this projection is added.
MatrixXd projection_on_means(const PairedComparisons& data, Index size) {
  MatrixXd out = MatrixXd::Zero(size, size);
  for (Index i = 0; i < data.players; ++i) {
    const auto members = std::ranges::count(data.component, data.component[i]);
    for (Index j = 0; j < data.players; ++j) {
      if (data.component[i] == data.component[j]) out(i, j) = 1 / static_cast<double>(members);
    }
  }
  return out;
}

}  // namespace

PairedFit maximise(const PairedComparisons& comparisons) {
  const Likelihood likelihood(comparisons);
  const MatrixXd means = projection_on_means(comparisons, likelihood.start().size());
  double pin = 1;
  const auto [x, value, at] = concave_maximum(likelihood, 1e-12, [&](const Derivatives& here) {
    pin = here.information.diagonal().maxCoeff();
    return (here.information + pin * means).ldlt().solve(here.gradient).eval();
  });

  const MatrixXd identity = MatrixXd::Identity(x.size(), x.size());
  const MatrixXd inverse = (at.information + pin * means).ldlt().solve(identity) - means / pin;
  PairedFit fit;
  fit.draw = likelihood.draw(x);
  fit.log_likelihood = value;
  for (Index i = 0; i < comparisons.players; ++i) {
    fit.ratings.push_back(x(i));
    for (Index j = 0; j < comparisons.players; ++j) fit.covariances.push_back(inverse(i, j));
  }
  return fit;
}

}  // namespace pitboss::clients
