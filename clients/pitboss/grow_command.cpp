#include "clients/pitboss/commands.hpp"

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
#include "clients/pitboss/setting_flags.hpp"
#include "engine/options/options.hpp"
#include "engine/policy/features/feature_set.hpp"

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
  bool common = false;
};

po::options_description describe(GrowFlags& a) {
  GrowSettings& s = a.settings;
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("game", po::value(&s.game)->value_name("NAME"), "perhaps with parameters: \"hex size=7\"");
  add("out", po::value(&a.out)->value_name("DIR"), "folder of the run");
  add_flags(all, grow_rows, s);
  add("common-weights", po::bool_switch(&a.common), "one weight a feature for all colours");
  add("help", "this text");
  return all;
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
  const auto given = read_flags("grow", grow_usage, describe(flags), arguments);
  if (!given) return 0;
  require(!flags.settings.game.empty(), "--game NAME is missing");
  require(!flags.out.empty(), "--out must name a folder");
  read_given(*given, grow_rows, flags.settings);
  flags.settings.by_colour = !flags.common;
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
