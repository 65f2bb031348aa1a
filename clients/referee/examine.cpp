#include "clients/referee/examine.hpp"

#include <algorithm>
#include <map>
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

asio::awaitable<Declaration> examine(const Match& match, const Player& player,
                                     EnginePool& engines) {
  auto engine = engines.take(player);
  Declaration declaration;
  try {
    if (!engine->is_open()) co_await engine->open();
    declaration = co_await engine->examine(match);
  } catch (const GtpFailure& failure) {
    throw UserError(text_of(player.place) + " cannot be used by " + player.name + " in " +
                    match.game + ": " + failure.what() + last_words(*engine));
  }
  engines.give_back(player, std::move(engine));
  co_return declaration;
}

std::string value_in(const std::map<std::string, std::string>& options, const std::string& name) {
  const auto found = options.find(name);
  return found == options.end() ? "missing" : found->second;
}

/// The options that have another value in `b` than in `a`, or are in one of them only.
std::vector<std::string> differing(const std::map<std::string, std::string>& a,
                                   const std::map<std::string, std::string>& b) {
  std::set<std::string> names;
  for (const auto& [name, value] : a) names.insert(name);
  for (const auto& [name, value] : b) names.insert(name);
  std::vector<std::string> out;
  for (const std::string& name : names) {
    if (value_in(a, name) != value_in(b, name)) out.push_back(name);
  }
  return out;
}

std::optional<std::string> value_given(const Player& player, std::string_view name) {
  const auto found = std::ranges::find(player.options, name, &engine::Assignment::name);
  return found == player.options.end() ? std::nullopt : std::optional(found->value);
}

/// "is X, and was Y", "has k 1, and had 2".
std::string change(const Declaration& recorded, const Declaration& declared) {
  if (recorded.program != declared.program) {
    return "is \"" + declared.program + "\", and was \"" + recorded.program + "\"";
  }
  const std::vector<std::string> names = differing(recorded.options, declared.options);
  const std::string& name = names.front();
  std::string out = "has " + name + " " + value_in(declared.options, name) + ", and had " +
                    value_in(recorded.options, name);
  if (names.size() > 1) out += " (and " + std::to_string(names.size() - 1) + " more)";
  return out;
}

}  // namespace

asio::awaitable<void> examine(const Experiment& experiment, EnginePool& engines,
                              Declarations& declared) {
  std::map<std::string, Declaration> known;
  declared.resize(experiment.matches.size());
  for (std::size_t m = 0; m < experiment.matches.size(); ++m) {
    const Match& match = experiment.matches[m];
    for (const std::size_t p : {0, 1}) {
      const Player& player = match.players[p];
      const std::string key = rules_text(match) + "\n" + setup_key(player);
      if (!known.contains(key)) known[key] = co_await examine(match, player, engines);
      declared[m][p] = known[key];
    }
  }
}

std::string change_since(const Experiment& experiment, const Declarations& recorded,
                         const Declarations& declared) {
  for (std::size_t m = 0; m < declared.size(); ++m) {
    const Match& match = experiment.matches[m];
    for (const std::size_t p : {0, 1}) {
      const auto& before = recorded[m][p];
      const auto& now = declared[m][p];
      if (!before || !now || *before == *now) continue;
      return "the engine of " + match.players[p].name + " at " + match.game + " " +
             change(*before, *now) + " in the games recorded before";
    }
  }
  return {};
}

std::vector<std::string> unequal_defaults(const Experiment& experiment,
                                          const Declarations& declared) {
  std::vector<std::string> out;
  for (std::size_t m = 0; m < declared.size(); ++m) {
    const auto& [first, second] = experiment.matches[m].players;
    const auto& [a, b] = declared[m];
    // A preset sets nearly all.
    if (!a || !b || first.dialect != Dialect::pitboss || second.dialect != Dialect::pitboss ||
        value_given(first, "preset") != value_given(second, "preset")) {
      continue;
    }
    std::string list;
    for (const std::string& name : differing(a->options, b->options)) {
      if (value_given(first, name) || value_given(second, name)) continue;
      list += (list.empty() ? "" : "; ") + name + ": " + value_in(a->options, name) + " and " +
              value_in(b->options, name);
    }
    if (list.empty()) continue;
    out.push_back(first.name + " and " + second.name + " at " + experiment.matches[m].game +
                  " differ in what neither sets: " + list);
  }
  return out;
}

}  // namespace pitboss::clients
