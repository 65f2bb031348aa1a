#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "clients/experiments/address.hpp"
#include "engine/options/options.hpp"
#include "protocol/dialect.hpp"
#include "protocol/time_settings.hpp"

namespace pitboss::clients {

/// The protocol that a player's engine speaks.
enum class Language : std::uint8_t {
  pitboss,  ///< GTP 2 with `game` and `setoption`: this project's daemons
  gtp,      ///< GTP 2 and nothing else: `boardsize`, `clear_board`
  uci,      ///< the Universal Chess Interface, for the games that have programs which speak it
  gomocup,  ///< the protocol of Gomocup's programs, for gomoku
  nboard    ///< the protocol of NBoard's programs, for othello
};

/// "pitboss", "gtp", ..., as experiment files and configurations write it.
[[nodiscard]] std::string_view name_of(Language language);
[[nodiscard]] std::optional<Language> language_named(std::string_view name);
/// `"pitboss", "gtp", "uci" or ...`, for error sentences.
[[nodiscard]] std::string all_languages();

/// A program that is started by the referee and speaks on its standard streams: one process for
/// each game played at once.
struct Program {
  std::vector<std::string> command;  ///< the program, looked for in PATH, and its arguments
  friend bool operator==(const Program&, const Program&) = default;
};

/// Where a player's engine runs: on a server that listens there, or as a program that we start.
using Location = std::variant<Address, Program>;

/// The address, or the command as one would type it in a shell: for the user, and the key of
/// capacities.
[[nodiscard]] std::string text_of(const Location& location);

/// One side of a match: where its engine runs, what it speaks, and how it is set up.
struct Player {
  std::string name;
  Language language = Language::pitboss;
  Location location;
  /// Options of an engine of ours in the order they are sent, a preset first; else the protocol's
  /// own.
  std::vector<engine::Assignment> options;
  /// GTP commands for an engine that is not ours, sent before each game.
  std::vector<std::string> setup;
  /// How an engine that is not ours and speaks GTP writes moves; nothing: it is found out.
  std::optional<protocol::Dialect> dialect{};
  /// How long the engine may take for each answer up to the beginning of its first game.
  std::chrono::milliseconds start_timeout = std::chrono::seconds(20);
  /// Each colour that the player holds has this clock, by which the referee judges; nothing: none.
  std::optional<protocol::TimeSettings> clock{};
};

/// Location, language and set-up as one text, without the player's name: players with equal texts
/// can use each other's engines. Begins with the location and a line feed.
[[nodiscard]] std::string setup_key(const Player& player);

/// Throws UserError unless this may be a player's name: up to 64 of A-Z a-z 0-9 _ . - and not
/// "draw".
void check_name(std::string_view name);

}  // namespace pitboss::clients
