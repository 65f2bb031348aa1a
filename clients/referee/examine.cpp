#include "clients/referee/examine.hpp"

#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "clients/user_error.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

/// What a program has said on standard error, in one line.
std::string last_words(const Engine& engine) {
  constexpr std::string_view mark = "standard error:\n";
  const std::string excerpt = engine.excerpt();
  const std::size_t at = excerpt.find(mark);
  if (at == std::string::npos) return {};
  constexpr std::size_t most = 300;
  return "; it says: " + printable(excerpt.substr(at + mark.size()), most);
}

asio::awaitable<void> examine(const Match& match, const Player& player, EnginePool& engines) {
  auto engine = engines.take(player);
  try {
    if (!engine->is_open()) co_await engine->open();
    co_await engine->examine(match);
  } catch (const GtpFailure& failure) {
    throw UserError(text_of(player.place) + " cannot be used by " + player.name + " in " +
                    match.game + ": " + failure.what() + last_words(*engine));
  }
  engines.give_back(player, std::move(engine));
}

}  // namespace

asio::awaitable<void> examine(const Experiment& experiment, EnginePool& engines) {
  std::set<std::string> seen;
  for (const Match& match : experiment.matches) {
    for (const Player& player : match.players) {
      const bool is_new = seen.insert(rules_text(match) + "\n" + setup_key(player)).second;
      if (is_new) co_await examine(match, player, engines);
    }
  }
}

}  // namespace pitboss::clients
