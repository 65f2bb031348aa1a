#include "clients/tuning/gaussian_process.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

namespace pitboss::clients {

namespace {

constexpr double prior_mean = 0.5;
constexpr double prior_deviation = 0.3;  // of the unknown constant

double matern(double square) {
  const double r = std::sqrt(5 * square);
  return (1 + r + r * r / 3) * std::exp(-r);
}

Eigen::LLT<Eigen::MatrixXd> factor_of(const Likeness& likeness,
                                      std::span<const Observation> observations) {
  const auto n = static_cast<Eigen::Index>(observations.size());
  Eigen::MatrixXd k(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      k(i, j) = likeness(observations[i].at, observations[j].at);
    }
    k(i, i) += observations[i].variance;
  }
  return Eigen::LLT<Eigen::MatrixXd>(k);
}

Eigen::VectorXd deviations_of(std::span<const Observation> observations) {
  Eigen::VectorXd out(static_cast<Eigen::Index>(observations.size()));
  for (Eigen::Index i = 0; i < out.size(); ++i) out[i] = observations[i].score - prior_mean;
  return out;
}

double normal_exponent(double x, double mean, double deviation) {
  return -0.5 * (x - mean) * (x - mean) / (deviation * deviation);
}

/// The logarithm of the likelihood, and of what is thought of lengths and deviation before: hills
/// of a third of the range and a tenth of a point are usual.
double log_likelihood(const Likeness& likeness, std::span<const Observation> observations) {
  const auto factor = factor_of(likeness, observations);
  const Eigen::VectorXd z = factor.matrixL().solve(deviations_of(observations));
  double out = -0.5 * z.squaredNorm();
  for (Eigen::Index i = 0; i < z.size(); ++i) out -= std::log(factor.matrixLLT()(i, i));
  for (const double length : likeness.lengths) {
    out += normal_exponent(std::log(length), std::log(0.3), 1.2);
  }
  return out + normal_exponent(std::log(likeness.deviation), std::log(0.1), 1);
}

}  // namespace

double Likeness::operator()(const UnitPoint& a, const UnitPoint& b) const {
  double each = 0;
  double square = 0;
  for (std::size_t i = 0; i < lengths.size(); ++i) {
    const double apart = are_words[i] ? (a[i] == b[i] ? 0 : 1) : a[i] - b[i];
    const double scaled = apart * apart / (lengths[i] * lengths[i]);
    each += matern(scaled);
    square += scaled;
  }
  const auto n = static_cast<double>(lengths.size());
  return deviation * deviation * (alone * each / n + (1 - alone) * matern(square)) +
         prior_deviation * prior_deviation;
}

struct Beliefs::Matrices {
  Eigen::VectorXd means;
  Eigen::MatrixXd known;  // a row for each observation: what it explains of each point
  Eigen::VectorXd variances;
};

Beliefs::~Beliefs() = default;

double Beliefs::mean(int point) const { return all_->means[point]; }

Beliefs::Beliefs(const Likeness& likeness, std::span<const Observation> observations,
                 std::vector<UnitPoint> points)
    : likeness_(likeness), points_(std::move(points)), all_(std::make_unique<Matrices>()) {
  auto& [means, known, variances] = *all_;
  const auto n = static_cast<Eigen::Index>(observations.size());
  const auto m = static_cast<Eigen::Index>(points_.size());
  known.resize(n, m);
  variances.resize(m);
  for (Eigen::Index j = 0; j < m; ++j) {
    for (Eigen::Index i = 0; i < n; ++i) known(i, j) = likeness(observations[i].at, points_[j]);
    variances[j] = likeness(points_[j], points_[j]);
  }
  const auto factor = factor_of(likeness, observations);
  factor.matrixL().solveInPlace(known);
  const Eigen::VectorXd z = factor.matrixL().solve(deviations_of(observations));
  means = (known.transpose() * z).array() + prior_mean;
  variances -= known.colwise().squaredNorm().transpose();
}

double Beliefs::variance(int point) const { return std::max(all_->variances[point], 0.0); }

double Beliefs::covariance(int a, int b) const {
  const auto& known = all_->known;
  return likeness_(points_[a], points_[b]) - known.col(a).dot(known.col(b));
}

void Beliefs::expect(int point, double variance_there) {
  auto& [means, known, variances] = *all_;
  Eigen::RowVectorXd row = -known.col(point).transpose() * known;
  for (Eigen::Index j = 0; j < row.size(); ++j) row[j] += likeness_(points_[point], points_[j]);
  row /= std::sqrt(variance(point) + variance_there);
  known.conservativeResize(known.rows() + 1, Eigen::NoChange);
  known.bottomRows(1) = row;
  variances -= row.array().square().matrix().transpose();
}

Likeness fitted(Likeness from, std::span<const Observation> observations) {
  double highest = log_likelihood(from, observations);
  const auto climb = [&](double& number, double least, double most) {
    constexpr double step = 1.5;
    for (const double factor : {step, 1 / step}) {
      while (true) {
        const double before = number;
        number = std::clamp(number * factor, least, most);
        const double there = number == before ? highest : log_likelihood(from, observations);
        if (there > highest) {
          highest = there;
          continue;
        }
        number = before;
        break;
      }
    }
  };
  climb(from.deviation, 0.01, 0.5);
  for (const double alone : {0.1, 0.3, 0.6, 0.9}) {
    Likeness other = from;
    other.alone = alone;
    const double there = log_likelihood(other, observations);
    if (there <= highest) continue;
    highest = there;
    from.alone = alone;
  }
  for (double& length : from.lengths) climb(length, 0.05, 5);
  return from;
}

}  // namespace pitboss::clients
