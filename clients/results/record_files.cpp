#include "clients/results/record_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <string_view>
#include <system_error>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/verify_games.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/experiment_document.hpp"
#include "clients/results/machines.hpp"
#include "clients/results/summary.hpp"
#include "games/records/game_record.hpp"
#include "games/text_file.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

UserError system_failure(const fs::path& path, int code = errno) {
  return UserError("cannot write " + path.string() + ": " + games::system_reason(code));
}

void write_all(int file, std::string_view text, const fs::path& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw system_failure(path);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fdatasync(file) != 0) throw system_failure(path);
}

/// Four digits are enough for most matches.
std::string sgf_name(int match, const Match& rules, const PlayedGame& game) {
  return format("%02d-%04d-", match, game.game) + rules.game + "-" + game.seats[0] + "-" +
         game.seats[1] + ".sgf";
}

std::string sgf_of(const games::AnyGame& start, const std::string& event, const PlayedGame& game) {
  return games::record_to_sgf(start, split(game.moves),
                              {{"PB", {game.seats[0]}},
                               {"PW", {game.seats[1]}},
                               {"EV", {event}},
                               {"RO", {std::to_string(game.round)}},
                               {"GN", {std::to_string(game.game)}},
                               {"RE", {game.result}},
                               {"GC", {game.reason}}});
}

}  // namespace

void replace_file(const fs::path& path, const std::string& text) {
  fs::path temporary = path;
  temporary += ".new";
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) throw system_failure(temporary);
  try {
    write_all(file, text, temporary);
  } catch (...) {
    ::close(file);
    ::unlink(temporary.c_str());
    throw;
  }
  ::close(file);
  std::error_code error;
  fs::rename(temporary, path, error);
  if (error) throw system_failure(path, error.value());
}

std::string games_csv(const LedgerContents& contents) {
  std::string out = std::string(csv_header) + "\n";
  const auto games = contents.games();
  for (std::size_t i = 0; i < games.size(); ++i) {
    const Match& match = contents.results.matches()[i].match();
    const std::string rules = rules_text(match);
    const Sides sides = sides_of(match);
    for (const PlayedGame& game : games[i]) {
      out += std::to_string(i + 1) + "," + rules + "," + csv_line(game, sides) + "\n";
    }
  }
  return out;
}

SgfFiles write_sgf(const fs::path& folder, const LedgerContents& contents) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw system_failure(folder, error.value());
  SgfFiles files;
  const auto games = contents.games();
  for (std::size_t i = 0; i < games.size(); ++i) {
    const Match& match = contents.results.matches()[i].match();
    const auto start = match.initial_position();
    if (start->colours().front() != "black") {
      files.left_out += static_cast<int>(games[i].size());
      continue;
    }
    for (const PlayedGame& game : games[i]) {
      const std::string fault = fault_in(match, game);
      if (!fault.empty()) {
        throw UserError("the ledger is damaged: game " + std::to_string(game.game) + " of match " +
                        std::to_string(i + 1) + ": " + fault);
      }
      const fs::path path = folder / sgf_name(static_cast<int>(i) + 1, match, game);
      std::ofstream file(path);
      file << sgf_of(*start, contents.results.experiment().name, game) << "\n" << std::flush;
      if (!file) {
        const UserError failure = system_failure(path);
        fs::remove(path, error);  // a part of a record is none
        throw failure;
      }
      ++files.written;
    }
  }
  return files;
}

void write_records(const fs::path& folder, const LedgerContents& contents,
                   const std::function<void(const std::string&)>& on_written) {
  const auto write = [&](const std::string& name, const std::string& text) {
    replace_file(folder / name, text);
    on_written(name);
  };
  write("games.csv", games_csv(contents));
  write("summary.json", summary_json(contents.results));
  write("report.html", report_html(contents));
  write("machines.json", machines_json(contents));
}

}  // namespace pitboss::clients
