#include "clients/players/line_engine.hpp"

#include <algorithm>

#include "clients/experiments/number_in.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

asio::awaitable<Declaration> LineEngine::examine(const Match& match) {
  check(match);
  co_await watch(set_up(match, 0));
  co_return declaration();
}

Declaration LineEngine::declaration() const {
  Declaration out;
  out.set_program(program_);
  return out;
}

std::optional<std::int64_t> positive_option(const Player& player, std::string_view name) {
  const auto found = std::ranges::find(player.options, name, &engine::Assignment::name);
  if (found == player.options.end()) return std::nullopt;
  const auto number = number_in<std::int64_t>(found->value);
  if (number.value_or(0) >= 1) return number;
  throw refusal(std::string(name) + " takes a whole number of at least 1, not \"" + found->value +
                "\"");
}

std::int64_t milliseconds_of(protocol::TimeSettings::Seconds time) {
  return std::max<std::int64_t>(static_cast<std::int64_t>(1000 * time.count() + 1e-6), 1);
}

}  // namespace pitboss::clients
