#include "clients/referee/first_moves.hpp"

#include <chrono>
#include <string_view>

#include "environment/awake_clock.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

using environment::AwakeClock;

std::string last_words(const Engine& engine) {
  constexpr std::string_view mark = "standard error:\n";
  const std::string excerpt = engine.excerpt();
  const std::size_t at = excerpt.find(mark);
  if (at == std::string::npos) return {};
  constexpr std::size_t most = 300;
  return "; it says: " + printable(excerpt.substr(at + mark.size()), most);
}

asio::awaitable<std::vector<TimedMove>> first_moves(Engine& engine, const Match& match, int round,
                                                    std::int64_t seed, std::size_t most) {
  co_await engine.begin(match, seed);
  const auto position = match.initial_position();
  for (const std::string& move : opening_of(match, round)) {
    co_await engine.play(position->to_move(), move);
    position->play(move);
  }
  std::vector<TimedMove> moves;
  while (moves.size() < most && !position->result().finished()) {
    const auto start = AwakeClock::now();
    std::string move = co_await engine.genmove(position->to_move(), match.move_timeout);
    const std::chrono::duration<double> seconds = AwakeClock::now() - start;
    moves.push_back({std::move(move), seconds.count()});
    if (moves.back().move == "resign") break;
    try {
      position->play(moves.back().move);
    } catch (const games::BadGame&) {
      throw EngineFailure(EngineFailure::Kind::garbage, "illegal move: " + moves.back().move);
    }
  }
  co_return moves;
}

}  // namespace pitboss::clients
