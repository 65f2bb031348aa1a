#include <array>

#include "games/records/game_record.hpp"
#include "games/records/sgf.hpp"
#include "protocol/command_groups.hpp"
#include "protocol/error.hpp"
#include "protocol/sgf_folder.hpp"

namespace pitboss::protocol {

namespace {

Outcome loadsgf(Seat& seat, const Arguments& arguments) {
  arguments.expect(1, 2, "FILE [MOVE_NUMBER]");
  std::optional<int> before;
  if (arguments.size() == 2) before = static_cast<int>(arguments.whole(1, 1, 1000000));
  try {
    const std::string text = read_file_in(seat.config.sgf_folder, arguments.word(0));
    seat.table->resume(games::record_from_sgf(text, seat.table->game(), before));
  } catch (const BadFile& bad) {
    throw CommandError(std::string("cannot load file: ") + bad.what());
  } catch (const games::BadSgf& bad) {
    throw CommandError(std::string("cannot load file: ") + bad.what());
  }
  return {};
}

/// Never writes a file: whoever can connect could fill the disk.
Outcome printsgf(Seat& seat, const Arguments&) {
  try {
    return games::record_to_sgf(seat.table->history().start(), seat.table->history().moves());
  } catch (const games::BadSgf& bad) {
    throw CommandError(std::string("no record: ") + bad.what());
  }
}

constexpr std::array<Command, 2> list{{
    {"loadsgf", "FILE [MOVE_NUMBER]",
     "sets the game that a file of the server's folder of games records, up to before that move",
     false, loadsgf},
    {"printsgf", "", "the game so far as SGF", false, printsgf},
}};

}  // namespace

std::span<const Command> sgf_commands() { return list; }

}  // namespace pitboss::protocol
