#include "clients/referee/exact_score.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstddef>
#include <memory>

#include "engine/exact/exact_solver.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

constexpr double most_positions = 1e6;
constexpr std::size_t table_bytes = std::size_t{32} << 20U;

/// Looks for the score bite by bite.
class ScoreSearch {
 public:
  explicit ScoreSearch(const games::AnyGame& position) {
    const auto expected = engine::expected_positions(position);
    if (expected && *expected <= most_positions) {
      solver_ = engine::make_exact_solver(position, table_bytes);
    }
  }
  /// Looks at more positions; false if the score is known, or will not be.
  [[nodiscard]] bool goes_on() {
    if (!solver_ || score_ || looked_at_ >= most_positions) return false;
    engine::Patience patience(engine::Patience::TimePoint::max(), {}, engine::positions_a_bite);
    if (const auto best = solver_->best(patience)) score_ = best->score;
    looked_at_ += static_cast<double>(patience.positions());
    return true;
  }
  [[nodiscard]] std::optional<int> score() const { return score_; }

 private:
  std::unique_ptr<engine::ExactSolver> solver_;
  std::optional<int> score_;
  double looked_at_ = 0;
};

}  // namespace

asio::awaitable<std::optional<int>> exact_score(const games::AnyGame& position) {
  ScoreSearch search(position);
  while (search.goes_on()) {
    co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
  }
  co_return search.score();
}

std::optional<int> exact_score_at_once(const games::AnyGame& position) {
  ScoreSearch search(position);
  while (search.goes_on()) {
  }
  return search.score();
}

}  // namespace pitboss::clients
