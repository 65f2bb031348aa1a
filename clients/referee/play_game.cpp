#include "clients/referee/play_game.hpp"

#include <algorithm>
#include <variant>

#include "clients/referee/game_in_play.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

asio::awaitable<GameEnd> play_game(const Match& match, int game, const DeclaredPair& declared,
                                   Engines& engines, const ServerWatch& servers) {
  GameInPlay g(match, game, declared, engines);
  try {
    co_return co_await g.play(servers);
  } catch (const Halt& halt) {
    co_return GameEnd{.halt = halt};
  } catch (const Standstill& standstill) {
    co_return GameEnd{.standstill = standstill};
  }
}

bool may_duel(const Match& match, const DeclaredPair& declared) {
  const auto is_simple = [](const Player& player) {  // can be said in one line
    return player.language == Language::pitboss &&
           std::holds_alternative<Address>(player.location) &&
           std::ranges::all_of(player.options, [](const engine::Assignment& option) {
             return !option.value.empty() && option.value.find(' ') == std::string::npos;
           });
  };
  const auto& [first, second] = match.players;
  return is_simple(first) && is_simple(second) && first.location == second.location &&
         !match.adjudication.is_on() && !match.has_clock() &&
         std::ranges::none_of(declared, uses_models);
}

namespace {

/// How a part of a duel ends that this engine takes part in.
asio::awaitable<DuelEnd> end_of(asio::awaitable<std::optional<PlayedGame>> part, Engine& engine) {
  DuelEnd end;
  try {
    end.record = co_await std::move(part);
    co_return end;
  } catch (const Halt& halt) {
    end.halt = halt;
  } catch (const Standstill& standstill) {
    end.standstill = standstill;
    co_return end;
  } catch (const EngineFailure& failure) {
    end.failure = failure.what();
    // A server that is being stopped interrupts what it plays.
    const bool is_interrupted = failure.code() == protocol::FailureCode::interrupted;
    end.is_refusal = failure.kind() == EngineFailure::Kind::refused && !is_interrupted;
    end.is_for_now = failure.code() && protocol::row_of(*failure.code()).may_try_again;
  } catch (const Loss& loss) {
    end.failure = loss.reason;
  }
  if (!end.is_refusal) engine.close();
  co_return end;
}

}  // namespace

asio::awaitable<DuelEnd> play_duel(const Match& match, int game, const DeclaredPair& declared,
                                   Engines& engines) {
  GameInPlay g(match, game, declared, engines);
  co_return co_await end_of(g.play_as_duel(), *engines[0]);
}

asio::awaitable<DuelEnd> set_up_opponent(const Match& match, int game, const DeclaredPair& declared,
                                         Engines& engines) {
  GameInPlay g(match, game, declared, engines);
  co_return co_await end_of(g.set_up_opponent(), *engines[1]);
}

}  // namespace pitboss::clients
