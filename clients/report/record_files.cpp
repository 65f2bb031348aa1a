#include "clients/report/record_files.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>
#include <system_error>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/verify_games.hpp"
#include "clients/report/report.hpp"
#include "clients/report/summary.hpp"
#include "games/records/game_record.hpp"

namespace pitboss::clients {

namespace fs = std::filesystem;

namespace {

UserError system_failure(const fs::path& path, int code = errno) {
  return UserError("cannot write " + path.string() + ": " + std::generic_category().message(code));
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
    for (const PlayedGame& game : games[i]) {
      out += std::to_string(i + 1) + "," + rules + "," + csv_line(game) + "\n";
    }
  }
  return out;
}

std::string games_sgf(const LedgerContents& contents) {
  std::string out;
  const auto games = contents.games();
  for (std::size_t i = 0; i < games.size(); ++i) {
    const auto start = contents.results.matches()[i].match().initial_position();
    if (start->colours().front() != "black") continue;
    for (const PlayedGame& game : games[i]) {
      const std::string fault = fault_in(contents.results.matches()[i].match(), game);
      if (!fault.empty()) {
        throw UserError("the ledger is damaged: game " + std::to_string(game.game) + " of match " +
                        std::to_string(i + 1) + ": " + fault);
      }
      out += games::record_to_sgf(*start, split(game.moves),
                                  {{"PB", {game.seats[0]}},
                                   {"PW", {game.seats[1]}},
                                   {"EV", {contents.results.experiment().name}},
                                   {"RO", {std::to_string(game.round)}},
                                   {"GN", {std::to_string(game.game)}},
                                   {"RE", {game.result}},
                                   {"GC", {game.reason}}}) +
             "\n";
    }
  }
  return out;
}

void write_records(const fs::path& folder, const LedgerContents& contents) {
  replace_file(folder / "games.csv", games_csv(contents));
  replace_file(folder / "summary.json", summary_json(contents.results));
  replace_file(folder / "report.html",
               report_html(contents.results, contents.incidents, contents.games()));
}

}  // namespace pitboss::clients
