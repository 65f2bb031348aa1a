#include "clients/players/declarations.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "games/letter_case.hpp"

namespace pitboss::clients {

namespace {

using Values = std::map<std::string, std::string>;

std::optional<std::string> value_among(const Values& options, const std::string& name) {
  const auto found = options.find(name);
  return found == options.end() ? std::nullopt : std::optional(found->second);
}

std::string text_of(const std::optional<std::string>& value) { return value.value_or("missing"); }

/// An option whose value differs between two engines, or that only one of them has.
struct Difference {
  std::string name;
  std::optional<std::string> first;
  std::optional<std::string> second;
};

std::vector<Difference> differences(const Values& first, const Values& second) {
  std::set<std::string> names;
  for (const Values* options : {&first, &second}) {
    for (const auto& [name, value] : *options) names.insert(name);
  }
  std::vector<Difference> out;
  for (const std::string& name : names) {
    Difference difference{name, value_among(first, name), value_among(second, name)};
    if (difference.first != difference.second) out.push_back(std::move(difference));
  }
  return out;
}

/// The hash of a network or of features.
constexpr std::string_view hash_ending = "_sha256";
bool is_hash(std::string_view option) { return option.ends_with(hash_ending); }

std::optional<std::string> value_given(const Player& player, std::string_view name) {
  const auto found = std::ranges::find(player.options, name, &engine::Assignment::name);
  return found == player.options.end() ? std::nullopt : std::optional(found->value);
}

/// An option that is a number, as the engine has it or else as the player sets it; 0 for none.
/// Options of UCI engines may be written in either case.
int number_of(const Player& player, const std::optional<Declaration>& declared,
              std::string_view name) {
  std::string text;
  const auto look_in = [&](const auto& options) {
    for (const auto& [option, value] : options) {
      if (games::same_ignoring_case(option, name)) text = value;
    }
  };
  look_in(player.options);
  if (declared) look_in(declared->options);
  int number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

}  // namespace

std::string change(const Declaration& before, const Declaration& now) {
  if (before.program != now.program && !before.program.empty() && !now.program.empty()) {
    return "is \"" + now.program + "\", and was \"" + before.program + "\"";
  }
  if (before.options == now.options || before.options.empty() || now.options.empty()) return {};
  std::vector<Difference> all = differences(before.options, now.options);
  std::erase_if(all, [](const Difference& one) {
    return one.name == dialect_option ||
           ((is_hash(one.name) || one.name == signature_name) && (!one.first || !one.second));
  });
  if (all.empty()) return {};
  // What the user has set comes first.
  std::ranges::stable_partition(all,
                                [](const Difference& one) { return one.name != signature_name; });
  const Difference& one = all.front();
  std::string out =
      "has " + one.name + " " + text_of(one.second) + ", and had " + text_of(one.first);
  if (all.size() > 1) out += " (and " + std::to_string(all.size() - 1) + " more)";
  return out;
}

bool uses_models(const std::optional<Declaration>& declared) {
  return declared && std::ranges::any_of(declared->options,
                                         [](const auto& option) { return is_hash(option.first); });
}

bool is_timed(const Player& player, const std::optional<Declaration>& declared) {
  return player.clock || number_of(player, declared, "movetime") > 0;
}

bool depends_on_speed(const Player& player, const std::optional<Declaration>& declared) {
  return is_timed(player, declared) || number_of(player, declared, "cputime") > 0;
}

int threads_of(const Player& player, const std::optional<Declaration>& declared) {
  return std::max(number_of(player, declared, "threads"), 1);
}

std::string change_since(const Experiment& experiment, const Declarations& recorded,
                         const Declarations& declared) {
  // A player is the same in all its matches at one game.
  std::map<std::pair<std::string, std::string>, const Declaration*> known;
  const auto key = [&](std::size_t match, std::size_t player) {
    const Match& m = experiment.matches[match];
    return std::pair(m.players[player].name, rules_text(m));
  };
  for (std::size_t m = 0; m < recorded.size(); ++m) {
    for (std::size_t p = 0; p < 2; ++p) {
      if (recorded[m][p]) known[key(m, p)] = &*recorded[m][p];
    }
  }
  for (std::size_t m = 0; m < declared.size(); ++m) {
    for (std::size_t p = 0; p < 2; ++p) {
      const auto before = known.find(key(m, p));
      if (!declared[m][p] || before == known.end()) continue;
      const std::string how = change(*before->second, *declared[m][p]);
      if (how.empty()) continue;
      return "the engine of " + before->first.first + " at " + experiment.matches[m].game + " " +
             how + " in the experiment so far";
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
    // Skips engines that tell no options, and different presets, which set many options
    // differently.
    if (!a || !b || a->options.empty() || b->options.empty() ||
        first.language != Language::pitboss || second.language != Language::pitboss ||
        value_given(first, "preset") != value_given(second, "preset")) {
      continue;
    }
    std::string list;
    for (const Difference& option : differences(a->options, b->options)) {
      // The hash of a network or of features follows from its name.
      const std::string name = option.name.substr(
          0, option.name.size() - (is_hash(option.name) ? hash_ending.size() : 0));
      if (value_given(first, name) || value_given(second, name)) continue;
      // Time lifts the default bound of simulations, and the referee sets the lag of a clock.
      const auto has_time = [](const Player& player) {
        return player.clock || value_given(player, "movetime") || value_given(player, "cputime");
      };
      const bool one_has_time = has_time(first) || has_time(second);
      if (one_has_time && (name == "simulations" || name == "lag")) continue;
      list += (list.empty() ? "" : "; ") + option.name + ": " + text_of(option.first) + " and " +
              text_of(option.second);
    }
    if (list.empty()) continue;
    out.push_back(first.name + " and " + second.name + " at " + experiment.matches[m].game +
                  " differ in what neither sets: " + list);
  }
  return out;
}

}  // namespace pitboss::clients
