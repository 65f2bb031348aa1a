#include "clients/pitboss/commands.hpp"

#include <algorithm>
#include <array>
#include <boost/program_options.hpp>
#include <cstdio>
#include <iostream>
#include <string_view>

#include "clients/experiments/shell_words.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/growing/grow.hpp"
#include "clients/pitboss/interruption.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "engine/options/options.hpp"
#include "engine/policy/features/feature_set.hpp"
#include "games/suggestion.hpp"

namespace pitboss::clients {

namespace {

namespace po = boost::program_options;

constexpr std::string_view grow_usage =
    "Grows features of moves by self-play: after each game a feature is added, and weights are "
    "learned\nfrom the visits of the searches. The same command goes on where it was interrupted. "
    "See docs/features.md.\n\n"
    "  pitboss grow --game yavalath --out run/yavalath\n\n";

struct GrowFlags {
  GrowSettings settings;
  std::string out;
  std::string strategy = "correlation";
  bool common = false;
};

template <class T>
po::typed_value<T>* with_default(T& field, const char* name) {
  return po::value(&field)->default_value(field)->value_name(name);
}
/// A number that --help shows with no more digits than it needs.
po::typed_value<double>* real(double& field, const char* shown) {
  return po::value(&field)->default_value(field, shown)->value_name("X");
}

po::options_description describe(GrowFlags& a) {
  GrowSettings& s = a.settings;
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("game", po::value(&s.game)->value_name("NAME"), "perhaps with parameters: \"hex size=7\"");
  add("out", po::value(&a.out)->value_name("DIR"), "folder of the run");
  add("strategy", with_default(a.strategy, "NAME"),
      "how a feature is found: random, combine-random, combine-max, correlation");
  add("games", with_default(s.games, "N"), "games after each of which a feature is added");
  add("keep", with_default(s.keep, "N"), "features that are kept then, the heaviest; 0: all");
  add("games-after", with_default(s.games_after, "N"), "games that then only change weights");
  add("simulations", with_default(s.simulations, "N"), "of each move");
  add("at-once", with_default(s.at_once, "N"), "games at a time, a thread each");
  add("longest-game", with_default(s.longest_game, "N"), "plies after which a game ends");
  add("step", real(s.step, "0.05"), "step size of gradient descent");
  add("lambda", real(s.lambda, "1e-6"), "weight of the squares of weights in the loss");
  add("batch", with_default(s.batch, "N"), "positions of each step");
  add("discovery-batch", with_default(s.discovery_batch, "N"),
      "positions among which a feature is looked for");
  add("buffer", with_default(s.buffer, "N"), "positions that are remembered");
  add("common-weights", po::bool_switch(&a.common), "one weight a feature for all colours");
  add("seed", with_default(s.seed, "S"), "");
  add("options", with_default(s.options, "TEXT"), "of the search: \"c_puct=0.5 solver=true\"");
  add("help", "this text");
  return all;
}

void check_number(const char* flag, double value, double min, double max) {
  if (value >= min && value <= max) return;
  std::array<char, 128> text;
  std::snprintf(text.data(), text.size(), "--%s must be a number from %g to %g", flag, min, max);
  throw UserError(text.data());
}

void check(GrowFlags& a) {
  GrowSettings& s = a.settings;
  if (s.game.empty()) throw UserError("--game NAME is missing");
  if (a.out.empty()) throw UserError("--out must name a folder");
  const auto names = strategy_names();
  const auto found = std::ranges::find(names, a.strategy);
  if (found == names.end()) {
    throw UserError("there is no strategy '" + a.strategy + "'" +
                    games::suggestion(a.strategy, names));
  }
  s.strategy = static_cast<Strategy>(found - names.begin());
  s.by_colour = !a.common;
  check_number("games", s.games, 0, 899);
  check_number("games-after", s.games_after, 0, 100);
  check_number("keep", s.keep, 0, engine::most_features);
  check_number("simulations", static_cast<double>(s.simulations), 2, 1e8);
  check_number("at-once", s.at_once, 1, 64);
  check_number("longest-game", s.longest_game, 1, 100'000);
  check_number("step", s.step, 0, 100);
  check_number("lambda", s.lambda, 0, 100);
  check_number("batch", s.batch, 1, 1e6);
  check_number("discovery-batch", s.discovery_batch, 1, 1e6);
  check_number("buffer", s.buffer, 1, 1e6);
}

void tell(const GrownGame& game) {
  std::array<char, 128> text;
  std::snprintf(text.data(), text.size(), "game %d: %d plies, loss %.4f, %zu features", game.number,
                game.plies, game.loss, game.features);
  std::cout << text.data() << (game.feature.empty() ? "" : ", new: ") << game.feature << std::endl;
}

}  // namespace

int grow_command(const std::vector<std::string>& arguments) {
  GrowFlags flags;
  if (!read_flags("grow", grow_usage, describe(flags), arguments)) return 0;
  check(flags);
  const Interruption interruption;
  try {
    grow(flags.settings, flags.out, interruption.flag(), tell);
  } catch (const engine::BadFeatures& bad) {
    throw UserError(bad.what());
  } catch (const engine::BadOption& bad) {
    throw UserError(bad.what());
  }
  if (!interruption.flag()) return 0;
  std::vector<std::string> command{"pitboss", "grow"};
  command.insert(command.end(), arguments.begin(), arguments.end());
  std::cout << "interrupted; the same command goes on:\n" << shell_text(command) << std::endl;
  return exit_interrupted;
}

}  // namespace pitboss::clients
