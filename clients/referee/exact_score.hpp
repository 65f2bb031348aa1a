#pragma once

#include <boost/asio/awaitable.hpp>
#include <optional>

#include "games/any_game.hpp"

namespace pitboss::clients {

/// The exact score of an unfinished position for the side to move (engine::ExactMove), if a solver
/// finds it in a million positions, a tenth of a second or so: no clock decides whether it does.
/// Other coroutines go on meanwhile; the position must stay as it is.
boost::asio::awaitable<std::optional<int>> exact_score(const games::AnyGame& position);

/// The same score, for somebody who waits for nothing else.
[[nodiscard]] std::optional<int> exact_score_at_once(const games::AnyGame& position);

}  // namespace pitboss::clients
