#include <boost/program_options.hpp>
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "clients/experiments/best_preset.hpp"
#include "clients/experiments/match.hpp"
#include "clients/experiments/preset_file.hpp"
#include "clients/experiments/program_folders.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/commands.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/pitboss/terminal_game.hpp"
#include "engine/leaf/network/networks.hpp"
#include "engine/policy/features/feature_sets.hpp"
#include "games/records/game_record.hpp"
#include "games/records/record_file.hpp"
#include "games/text_file.hpp"

namespace pitboss::clients {

namespace {

namespace po = boost::program_options;
namespace fs = std::filesystem;

constexpr std::string_view play_usage =
    "Plays a game against you, here in the terminal; no server is needed. The engine uses the\n"
    "network that comes with Pitboss for the game, if there is one.\n\n"
    "  pitboss play                               connect4\n"
    "  pitboss play othello size=6 --as white     you move second\n"
    "  pitboss play hex --seconds 5               a stronger engine\n"
    "  pitboss play amazons --set preset=uct      with options of the search (docs/options.md)\n"
    "  pitboss play --record game.sgf             goes on from the end of a record\n\n";

struct PlayFlags {
  std::string colour;
  std::string record;
  double seconds = 1;
  std::vector<std::string> settings;
};

po::options_description describe(PlayFlags& a) {
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("as", po::value(&a.colour)->value_name("COLOUR"), "your colour (default: the first to move)");
  add("record", po::value(&a.record)->value_name("FILE[:N]"),
      "a record of a game to go on from, in SGF, GGF or PSQ; of several games in it the Nth");
  add("seconds", po::value(&a.seconds)->value_name("N"), "that the engine thinks (default: 1)");
  add("set", po::value(&a.settings)->composing()->value_name("NAME=VALUE"),
      "an option of the search; repeatable");
  add("help", "this text");
  return all;
}

/// The networks and features that come with the program; none of a kind if they are missing.
engine::Models shipped_models() {
  engine::Models models;
  try {
    const fs::path data = data_folder();
    if (fs::is_directory(data / "networks")) {
      models.networks = std::make_shared<engine::Networks>(data / "networks");
    }
    if (fs::is_directory(data / "features")) {
      models.feature_sets = std::make_shared<engine::FeatureSets>(data / "features");
    }
  } catch (const UserError&) {
    return {};  // a program alone plays, too
  }
  return models;
}

/// The names of the networks for the game.
std::vector<std::string> networks_of(const games::AnyGame& game, const engine::Models& models) {
  if (!models.networks) return {};
  return models.networks->names_for({std::string(game.name()), game.parameters().line()});
}

engine::Options options_of(const PlayFlags& a, const games::AnyGame& game,
                           const engine::Models& models) {
  std::string text;
  for (const std::string& setting : a.settings) text += setting + " ";
  std::vector<engine::Assignment> assignments = engine::parse_assignments(text);
  expand_presets(assignments);
  engine::presets_first(assignments);
  engine::Options options;
  engine::set_option(options, "preset", best_preset(game, networks_of(game, models)));
  options.simulations = 0;
  options.movetime_ms = std::llround(1000 * a.seconds);
  for (const auto& [name, value] : assignments) engine::set_option(options, name, value);
  if (options.threads > 1) throw UserError("pitboss play searches with one thread");
  engine::check_options(game, options);
  return options;
}

games::Colour colour_of(const PlayFlags& a, const games::AnyGame& game) {
  if (a.colour.empty()) return game.to_move();
  if (const auto colour = game.colour_named(a.colour)) return *colour;
  std::string names;
  for (const std::string_view name : game.colours()) {
    names.append(names.empty() ? "" : " or ").append(name);
  }
  throw UserError("--as must be " + names + ", not '" + a.colour + "'");
}

/// The game that a file records, of `now`'s kind if it does not tell. Tells who played, and what
/// differs from the record.
games::Record read_record(const std::string& word, const games::AnyGame& now, std::ostream& out) {
  const auto [file, number] = games::file_and_game(word);
  try {
    const auto all = games::read_records(games::read_text_file(file));
    auto read = games::record_from_sgf(games::chosen_game(all, number, file), now);
    for (std::size_t i = 0; i < read.players.size(); ++i) {
      if (read.players[i].empty()) continue;
      out << read.game.start->colours()[i] << ": " << read.players[i] << "\n";
    }
    for (const std::string& note : read.notes) out << "Note: " << note << ".\n";
    return std::move(read.game);
  } catch (const games::UnreadableFile& bad) {
    throw UserError(bad.what());
  } catch (const games::BadRecord& bad) {
    throw UserError("--record " + word + ": " + bad.what());
  }
}

}  // namespace

int play_command(const std::vector<std::string>& arguments) {
  PlayFlags flags;
  std::vector<std::string> words;
  if (!read_flags("play", play_usage, describe(flags), arguments, &words)) return 0;
  constexpr double most_seconds = 3600;
  if (!(flags.seconds >= 0.001 && flags.seconds <= most_seconds)) {
    throw UserError("--seconds must be from 0.001 to 3600");
  }
  Match match;
  const std::string name = words.empty() ? "connect4" : words.front();
  set_game(match, name, words.empty() ? words : std::vector(words.begin() + 1, words.end()));
  games::Record game{match.initial_position(), {}};
  if (!flags.record.empty()) game = read_record(flags.record, *game.start, std::cout);
  const engine::Models models = shipped_models();
  try {
    const engine::Options options = options_of(flags, *game.start, models);
    const games::Colour person = colour_of(flags, *games::last_position(game));
    TerminalGame(std::move(game), person, options, models, std::cin, std::cout).play();
  } catch (const engine::BadOption& bad) {
    throw UserError(bad.what());
  }
  return 0;
}

}  // namespace pitboss::clients
