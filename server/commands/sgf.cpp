#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "games/records/game_record.hpp"
#include "games/records/sgf.hpp"
#include "protocol/error.hpp"
#include "server/commands/command_groups.hpp"
#include "server/session/sgf_folder.hpp"

namespace pitboss::server {

namespace {

/// "FILE:17" as its parts: a number of at most six digits behind the last ':' chooses a game. (In
/// GTP a '#' would begin a comment.)
std::pair<std::string, std::optional<std::size_t>> file_and_game(const std::string& word) {
  const auto mark = word.rfind(':');
  if (mark == std::string::npos) return {word, std::nullopt};
  const std::string digits = word.substr(mark + 1);
  constexpr std::size_t most_digits = 6;
  const bool is_number = !digits.empty() && digits.size() <= most_digits &&
                         digits.find_first_not_of("0123456789") == std::string::npos;
  if (!is_number) return {word, std::nullopt};
  return {word.substr(0, mark), std::stoul(digits)};
}

/// The game with that number; without a number the only game.
const games::SgfGame& chosen(const std::vector<games::SgfGame>& all, const std::string& file,
                             std::optional<std::size_t> number) {
  const std::string count = std::to_string(all.size());
  if (!number && all.size() > 1) {
    throw BadFile("'" + file + "' holds " + count + " games; choose one, from " + file + ":1 to " +
                  file + ":" + count);
  }
  if (number && (*number < 1 || *number > all.size())) {
    throw BadFile("'" + file + "' holds " + count + (all.size() == 1 ? " game" : " games") +
                  ", there is no game " + std::to_string(*number));
  }
  return all[number.value_or(1) - 1];
}

Outcome loadsgf(Seat& seat, const protocol::Arguments& arguments) {
  arguments.expect(1, 2, "FILE[:GAME] [MOVE_NUMBER]");
  games::RecordReading reading;
  if (arguments.size() == 2) reading.before = static_cast<int>(arguments.whole(1, 1, 1000000));
  if (seat.dialect_is_set || seat.dialect != protocol::Dialect::plain) {
    reading.dialect = seat.dialect;
  }
  const auto [file, number] = file_and_game(arguments.word(0));
  try {
    const auto all = games::read_sgf(read_file_in(seat.config.sgf_folder, file));
    seat.table->resume(
        games::record_from_sgf(chosen(all, file, number), seat.table->game(), reading));
  } catch (const BadFile& bad) {
    throw protocol::CommandError(protocol::FailureCode::bad_file,
                                 std::string("cannot load file: ") + bad.what());
  } catch (const games::BadSgf& bad) {
    throw protocol::CommandError(protocol::FailureCode::bad_file,
                                 std::string("cannot load file: ") + bad.what());
  }
  return {};
}

/// Never writes a file: whoever can connect could fill the disk.
Outcome printsgf(Seat& seat, const protocol::Arguments&) {
  try {
    return games::record_to_sgf(seat.table->history().start(), seat.table->history().moves());
  } catch (const games::BadSgf& bad) {
    throw protocol::CommandError(protocol::FailureCode::bad_file,
                                 std::string("no record: ") + bad.what());
  }
}

constexpr std::array<Command, 2> sgf_rows{{
    {"loadsgf", "FILE[:GAME] [MOVE_NUMBER]",
     "sets the game that a file of the server's folder of games records, up to before that move; "
     "of "
     "several games in the file the one of that number, from 1",
     false, loadsgf, protocol::Right::play, Needs::table, Handled::elsewhere},
    {"printsgf", "", "the game so far as SGF", false, printsgf, protocol::Right::watch,
     Needs::table, Handled::elsewhere},
}};

}  // namespace

std::span<const Command> sgf_commands() { return sgf_rows; }

}  // namespace pitboss::server
