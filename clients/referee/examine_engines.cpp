#include "clients/referee/examine_engines.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/first_moves.hpp"
#include "environment/machine.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;

namespace {

/// What has been heard so far.
struct Heard {
  Examined& examined;
  std::map<std::string, std::string> signatures{};  ///< by location and rules
};

asio::awaitable<Declaration> examine(const Match& match, const Player& player, EnginePool& engines,
                                     Heard& heard) {
  const std::string location = text_of(player.location);
  auto engine = engines.take(player);
  Declaration declaration;
  try {
    if (!engine->is_open()) co_await engine->open();
    auto& servers = heard.examined.servers;
    if (!servers.contains(location)) servers[location] = co_await engine->about();
    const std::string key = location + "\n" + rules_text(match);
    if (servers[location] && !heard.signatures.contains(key)) {
      heard.signatures[key] = co_await engine->signature(match);
    }
    declaration = co_await engine->examine(match);
    const std::string signature = heard.signatures[key];
    if (!signature.empty()) declaration.add_option(std::string(signature_name), signature);
    heard.examined.workers[location] = co_await engine->workers();
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

void expect_allowed(const Player& player, const std::set<std::string>& programs) {
  const bool is_program = std::holds_alternative<Program>(player.location);
  require(!is_program || programs.contains(text_of(player.location)),
          "the experiment wants " + player.name + " to be the program " + text_of(player.location) +
              ", which no --allow-program names");
}

std::optional<ServerFacts> facts_of(const Location& location, const Examined& examined) {
  const ServerFacts here{"", environment::host_name(), environment::processor_name(),
                         environment::boot_id()};
  const auto* const address = std::get_if<Address>(&location);
  if (address == nullptr) return here;
  const auto found = examined.servers.find(text_of(location));
  if (found != examined.servers.end() && found->second) return found->second;
  const std::string& host = address->host;
  const bool is_here = host == "localhost" || host == "::1" || host.starts_with("127.");
  return is_here ? std::optional(here) : std::nullopt;
}

asio::awaitable<void> examine_engines(const Experiment& experiment,
                                      const std::optional<std::set<std::string>>& programs,
                                      EnginePool& engines, Examined& examined) {
  std::map<std::string, Declaration> known;
  std::map<std::string, std::string> refused;
  Heard heard{examined};
  examined.declared.resize(experiment.matches.size());
  for (std::size_t m = 0; m < experiment.matches.size(); ++m) {
    const Match& match = experiment.matches[m];
    if (examined.finished.contains(&match)) continue;
    for (std::size_t p = 0; p < 2; ++p) {
      const Player& player = match.players[p];
      const std::string key = rules_text(match) + "\n" + setup_key(player);
      try {
        if (refused.contains(key)) throw UserError(refused[key]);
        if (programs) expect_allowed(player, *programs);
        if (!known.contains(key)) known[key] = co_await examine(match, player, engines, heard);
      } catch (const UserError& error) {
        if (!programs) throw;
        refused[key] = error.what();
        examined.unusable.emplace(&match, error.what());
      }
    }
    if (examined.unusable.contains(&match)) continue;
    for (const std::size_t p : {0, 1}) {
      examined.declared[m][p] = known[rules_text(match) + "\n" + setup_key(match.players[p])];
    }
  }
  const std::size_t asked = experiment.matches.size() - examined.finished.size();
  if (examined.unusable.size() < asked || asked == 0) co_return;
  throw UserError(examined.unusable.begin()->second);
}

}  // namespace pitboss::clients
