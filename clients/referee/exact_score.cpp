#include "clients/referee/exact_score.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <cstddef>

#include "engine/exact/exact_solver.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

constexpr double most_positions = 1e6;
constexpr std::size_t table_bytes = std::size_t{32} << 20U;

}  // namespace

asio::awaitable<std::optional<int>> exact_score(const games::AnyGame& position) {
  const auto expected = engine::expected_positions(position);
  if (!expected || *expected > most_positions) co_return std::nullopt;
  const auto solver = engine::make_exact_solver(position, table_bytes);
  for (double looked_at = 0; looked_at < most_positions;) {
    engine::Patience patience(engine::Patience::TimePoint::max(), {}, engine::positions_a_bite);
    if (const auto best = solver->best(patience)) co_return best->score;
    looked_at += static_cast<double>(patience.positions());
    co_await asio::post(co_await asio::this_coro::executor, asio::use_awaitable);
  }
  co_return std::nullopt;
}

}  // namespace pitboss::clients
