#include "clients/referee/examine_engines.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

/// What a program has written to standard error, in one line.
std::string last_words(const Engine& engine) {
  constexpr std::string_view mark = "standard error:\n";
  const std::string excerpt = engine.excerpt();
  const std::size_t at = excerpt.find(mark);
  if (at == std::string::npos) return {};
  constexpr std::size_t most = 300;
  return "; it says: " + printable(excerpt.substr(at + mark.size()), most);
}

asio::awaitable<Declaration> examine(const Match& match, const Player& player, EnginePool& engines,
                                     std::optional<int>& workers) {
  auto engine = engines.take(player);
  Declaration declaration;
  try {
    if (!engine->is_open()) co_await engine->open();
    declaration = co_await engine->examine(match);
    workers = co_await engine->workers();
  } catch (const EngineFailure& failure) {
    const bool is_there = failure.kind() != EngineFailure::Kind::unreachable;
    if (const auto* const address = std::get_if<Address>(&player.location); address && !is_there) {
      throw UserError(sentence_of(failure, address->text()));
    }
    throw UserError(text_of(player.location) + " cannot be used by " + player.name + " in " +
                    match.game + ": " + failure.what() + last_words(*engine));
  }
  engines.give_back(player, std::move(engine));
  co_return declaration;
}

}  // namespace

asio::awaitable<void> examine_engines(const Experiment& experiment, EnginePool& engines,
                                      Examined& examined) {
  std::map<std::string, Declaration> known;
  examined.declared.resize(experiment.matches.size());
  for (std::size_t m = 0; m < experiment.matches.size(); ++m) {
    const Match& match = experiment.matches[m];
    for (std::size_t p = 0; p < 2; ++p) {
      const Player& player = match.players[p];
      const std::string key = rules_text(match) + "\n" + setup_key(player);
      if (!known.contains(key)) {
        known[key] =
            co_await examine(match, player, engines, examined.workers[text_of(player.location)]);
      }
      examined.declared[m][p] = known[key];
    }
  }
}

}  // namespace pitboss::clients
