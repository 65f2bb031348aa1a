#include "clients/referee/play_duels.hpp"

#include <algorithm>
#include <variant>

#include "clients/referee/game_in_play.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

bool may_duel(const Match& match) {
  const auto is_simple = [](const Player& player) {  // can be said in one line
    return player.language == Language::pitboss &&
           std::holds_alternative<Address>(player.location) &&
           std::ranges::all_of(player.options, [](const engine::Assignment& option) {
             return !option.value.empty() && option.value.find(' ') == std::string::npos;
           });
  };
  const auto& [first, second] = match.players;
  return is_simple(first) && is_simple(second) && first.location == second.location &&
         !match.adjudication.is_on() && !uses_network(first) && !uses_network(second);
}

asio::awaitable<DuelEnd> play_duels(const Match& match, std::span<const int> games,
                                    Engine& engine) {
  DuelEnd end;
  try {
    std::vector<GameInPlay> all;
    for (const int game : games) all.emplace_back(match, game, nullptr);
    for (GameInPlay& game : all) co_await game.begin_duel(engine);
    Duellist& duellist = *engine.duellist();
    std::vector<Exchange> exchanges = co_await duellist.fight(match.move_timeout);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].take(exchanges[i]);
      if (!all[i].is_over()) break;
      end.records.push_back(all[i].ended());
    }
    while (all.size() == 1 && end.records.empty()) {  // one alone goes on
      all[0].challenge(duellist);
      exchanges = co_await duellist.fight(match.move_timeout);
      all[0].take(exchanges[0]);
      if (all[0].is_over()) end.records.push_back(all[0].ended());
    }
    co_return end;
  } catch (const EngineFailure& failure) {
    end.failure = failure.what();
    // A server that is being stopped interrupts what it plays.
    const bool is_interrupted = failure.code() == protocol::FailureCode::interrupted;
    end.is_refusal = failure.kind() == EngineFailure::Kind::refused && !is_interrupted;
  } catch (const Loss& loss) {
    end.failure = loss.reason;
  }
  if (!end.is_refusal) engine.close();
  co_return end;
}

}  // namespace pitboss::clients
