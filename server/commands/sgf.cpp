#include <array>
#include <charconv>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/records/game_record.hpp"
#include "games/records/record_file.hpp"
#include "protocol/error.hpp"
#include "protocol/state_json.hpp"
#include "server/commands/command_groups.hpp"
#include "server/session/sgf_folder.hpp"

namespace pitboss::server {

namespace {

/// A text that was sent in one word: "%" and two hexadecimal digits are the byte of that number.
/// Throws CommandError for a "%" without them.
std::string decoded(std::string_view word) {
  std::string text;
  for (std::size_t at = 0; at < word.size(); ++at) {
    if (word[at] != '%') {
      text += word[at];
      continue;
    }
    const std::string_view digits = word.substr(at + 1, 2);
    unsigned char byte = 0;
    constexpr int sixteen = 16;
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), byte, sixteen);
    if (error != std::errc{} || end != digits.data() + 2) {
      throw protocol::CommandError(
          protocol::FailureCode::bad_argument,
          "syntax error: expected two hexadecimal digits behind each '%' of the text");
    }
    text += static_cast<char>(byte);
    at += 2;
  }
  return text;
}

/// Reads one of several games in the notation of the connection, unless the record tells its own.
games::ReadRecord read_for(const Seat& seat, const games::SgfGame& game,
                           std::optional<int> before = std::nullopt) {
  games::RecordReading reading{.before = before};
  if (seat.dialect_is_set || seat.dialect != protocol::Dialect::plain) {
    reading.dialect = seat.dialect;
  }
  return games::record_from_sgf(game, seat.table->game(), reading);
}

protocol::CommandError bad_file(const std::exception& bad) {
  return {protocol::FailureCode::bad_file, std::string("cannot load file: ") + bad.what()};
}

Outcome loadsgf(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(1, 2, "FILE[:GAME] [MOVE_NUMBER]");
  std::optional<int> before;
  if (arguments.size() == 2) before = static_cast<int>(arguments.whole(1, 1, 1000000));
  const auto [file, number] = games::file_and_game(arguments.word(0));
  try {
    const auto all = games::read_records(read_file_in(seat.config.sgf_folder, file));
    auto record = read_for(seat, games::chosen_game(all, number, file), before);
    seat.table->resume(std::move(record.game));
    return lines(record.notes);
  } catch (const BadFile& bad) {
    throw bad_file(bad);
  } catch (const games::BadRecord& bad) {
    throw bad_file(bad);
  }
}

Outcome read_record(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(1, 2, "TEXT [GAME]");
  std::optional<std::size_t> number;
  if (arguments.size() == 2) number = static_cast<std::size_t>(arguments.whole(1, 1, 1000000));
  try {
    const auto all = games::read_records(decoded(arguments.word(0)));
    return protocol::record_json(read_for(seat, games::chosen_game(all, number)));
  } catch (const games::BadRecord& bad) {
    throw protocol::CommandError(protocol::FailureCode::bad_file,
                                 std::string("cannot read the record: ") + bad.what());
  }
}

/// Never writes a file: whoever can connect could fill the disk.
Outcome printsgf(Seat& seat, const protocol::Arguments&) {
  try {
    return games::record_to_sgf(seat.table->history().start(), seat.table->history().moves());
  } catch (const games::BadRecord& bad) {
    throw protocol::CommandError(protocol::FailureCode::bad_file,
                                 std::string("no record: ") + bad.what());
  }
}

constexpr std::array<Command, 3> sgf_rows{{
    {"loadsgf", "FILE[:GAME] [MOVE_NUMBER]",
     "sets the game that a file of the server's folder of games records, up to before that move; "
     "of several games in the file the one of that number, from 1",
     false, loadsgf, protocol::Right::play, Needs::table, Handled::elsewhere},
    {"read_record", "TEXT [GAME]",
     "the game that a text records, one word with %XX for blanks, '#', '%' and line ends, as JSON; "
     "of several games in the text the one of that number, from 1",
     false, read_record, protocol::Right::watch, Needs::table, Handled::elsewhere},
    {"printsgf", "", "the game so far as SGF", false, printsgf, protocol::Right::watch,
     Needs::table, Handled::elsewhere},
}};

}  // namespace

std::span<const Command> sgf_commands() { return sgf_rows; }

}  // namespace pitboss::server
