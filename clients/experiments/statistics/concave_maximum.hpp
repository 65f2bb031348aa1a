#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

/// The maximum of a concave log-likelihood of wins and draws, by Newton's method.
namespace pitboss::clients {

/// ln(1 + e^x) for any x.
[[nodiscard]] inline double soft_plus(double x) {
  return std::max(x, 0.0) + std::log1p(std::exp(-std::abs(x)));
}

struct Derivatives {
  Eigen::VectorXd gradient;
  Eigen::MatrixXd information;  ///< minus the Hessian
};

/// What draws add to the log-likelihood in Rao-Kupper's model: draws ln(e^2d - 1).
[[nodiscard]] inline double likelihood_of_draws(double draws, double d) {
  if (d <= 0) return -std::numeric_limits<double>::infinity();
  return draws * (2 * d + std::log(-std::expm1(-2 * d)));
}
/// And to its derivatives; `place` is that of d.
inline void add_draws(Derivatives& to, Eigen::Index place, double draws, double d) {
  const double rest = -std::expm1(-2 * d);
  to.gradient(place) += draws * 2 / rest;
  to.information(place, place) += draws * 4 * (1 - rest) / (rest * rest);
}

struct Maximum {
  Eigen::VectorXd x;
  double value;
  Derivatives at;  ///< of the point before the last step
};

/// `likelihood` has start(), value(x) and derivatives(x); `step_of` makes a step of the
/// derivatives. Ends when no component of a step is `precision` or more.
template <class Likelihood, class StepOf>
[[nodiscard]] Maximum concave_maximum(const Likelihood& likelihood, double precision,
                                      StepOf step_of) {
  Maximum out{likelihood.start(), 0, {}};
  out.value = likelihood.value(out.x);
  // A step that lowers the value is halved until it does not.
  constexpr int most_rounds = 200;
  constexpr int most_halvings = 60;
  for (int round = 0; round < most_rounds; ++round) {
    out.at = likelihood.derivatives(out.x);
    Eigen::VectorXd step = step_of(out.at);
    const double rounding = 1e-13 * (1 + std::abs(out.value));
    for (int halving = 0; halving < most_halvings; ++halving) {
      if (likelihood.value(out.x + step) >= out.value - rounding) break;
      step /= 2;
    }
    out.x += step;
    out.value = likelihood.value(out.x);
    if (step.template lpNorm<Eigen::Infinity>() < precision) break;
  }
  return out;
}

}  // namespace pitboss::clients
