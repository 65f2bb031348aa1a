#include "clients/referee/match_folder.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <fstream>
#include <iterator>
#include <optional>
#include <system_error>
#include <utility>

#include "clients/user_error.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
using nlohmann::ordered_json;

UserError system_failure(const std::string& what, const fs::path& path, int code = errno) {
  return UserError(what + " " + path.string() + ": " + std::generic_category().message(code));
}

/// The file's bytes; nothing if there is no such file.
std::optional<std::string> read_file(const fs::path& path) {
  if (!fs::exists(path)) return std::nullopt;
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw system_failure("cannot read", path);
  return text;
}

void write_all(int file, std::string_view text, const fs::path& path) {
  while (!text.empty()) {
    const ssize_t written = ::write(file, text.data(), text.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) throw system_failure("cannot write", path);
    text.remove_prefix(static_cast<std::size_t>(written));
  }
  if (::fdatasync(file) != 0) throw system_failure("cannot write", path);
}

/// Replaces a file as a whole: a reader, or a crash, meets the old one or the new one.
void replace_file(const fs::path& path, const std::string& text) {
  fs::path temporary = path;
  temporary += ".new";
  const int file = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (file < 0) throw system_failure("cannot write", temporary);
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
  if (error) throw UserError("cannot write " + path.string() + ": " + error.message());
}

std::string difference(const ordered_json& there, const ordered_json& here) {
  for (const auto& [key, value] : here.items()) {
    const auto other = there.find(key);
    if (other == there.end()) return key + " is missing there";
    if (*other != value)
      return key + " is " + other->dump() + " there and " + value.dump() + " here";
  }
  return "it has more entries";
}

/// Throws unless `record` can be the game number `game` (from 0) of the match.
void check_place(const GameRecord& record, const Match& match, int game,
                 const std::string& opening) {
  if (record.game != game + 1 || record.round != round_of(match, game) + 1) {
    throw std::runtime_error("game " + std::to_string(game + 1) + " is expected here");
  }
  if (record.seats != seats_in(match, game)) {
    throw std::runtime_error("the players have the wrong seats");
  }
  if (record.opening != opening) throw std::runtime_error("the opening is not the round's");
}

/// Reads the lines of a round that begins with game number `game` (from 0). Throws
/// std::runtime_error, which tells the line, unless all belong there.
std::vector<GameRecord> parse_round(std::span<const std::string_view> lines, const Match& match,
                                    int game) {
  const Sides sides = sides_of(match);
  const std::string opening = join(opening_of(match, round_of(match, game)));
  std::vector<GameRecord> round;
  for (const std::string_view line : lines) {
    try {
      round.push_back(parse_csv_line(line, sides));
      check_place(round.back(), match, game, opening);
    } catch (const std::runtime_error& e) {
      throw std::runtime_error("line " + std::to_string(game + 2) + ": " + e.what());
    }
    ++game;
  }
  return round;
}

}  // namespace

MatchFolder::MatchFolder(fs::path path, const Match& match)
    : path_(std::move(path)), configuration_(configuration(match).dump(2) + "\n") {
  read_configuration();
  read_games(match);
}

MatchFolder::~MatchFolder() {
  if (games_file_ >= 0) ::close(games_file_);
}

void MatchFolder::read_configuration() {
  const auto text = read_file(match_path());
  if (!text) {
    if (fs::exists(games_path())) {
      throw UserError(path_.string() + " holds games.csv without match.json; choose another --out");
    }
    return;
  }
  const ordered_json there = ordered_json::parse(*text, nullptr, false);
  if (!there.is_object()) throw UserError(match_path().string() + " is damaged");
  const ordered_json here = ordered_json::parse(configuration_);
  if (there != here) {
    throw UserError(path_.string() + " holds another match: " + difference(there, here) +
                    "; choose another --out");
  }
}

void MatchFolder::read_games(const Match& match) {
  const auto text = read_file(games_path());
  if (!text) return;
  size_read_ = text->size();
  const std::string header = std::string(csv_header) + "\n";
  if (!text->starts_with(header)) {
    // A header that was being written when the power failed.
    if (header.starts_with(*text)) return;
    throw UserError(games_path().string() + " does not begin with the header of a games file");
  }
  size_ = header.size();
  std::vector<std::string_view> lines;
  std::string_view rest = std::string_view(*text).substr(size_);
  for (std::size_t end = 0; (end = rest.find('\n')) != std::string_view::npos;) {
    lines.push_back(rest.substr(0, end));
    rest.remove_prefix(end + 1);
  }
  const auto round = static_cast<std::size_t>(match.round());
  for (std::size_t i = 0; i + round <= lines.size(); i += round) {
    const auto here = std::span(lines).subspan(i, round);
    try {
      for (GameRecord& game : parse_round(here, match, static_cast<int>(i))) {
        found_.push_back(std::move(game));
      }
    } catch (const std::runtime_error& e) {
      // Only the last round can be the one that was being written.
      if (i + round == lines.size() && rest.empty()) break;
      throw UserError(games_path().string() + " is damaged in " + e.what());
    }
    for (const std::string_view line : here) size_ += line.size() + 1;
  }
  if (static_cast<int>(found_.size()) > match.games) {
    throw UserError(path_.string() + " holds " + std::to_string(found_.size()) +
                    " games, more than --games " + std::to_string(match.games));
  }
}

void MatchFolder::open_for_writing() {
  std::error_code error;
  fs::create_directories(path_, error);
  if (error) throw UserError("cannot create " + path_.string() + ": " + error.message());

  games_file_ = ::open(games_path().c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (games_file_ < 0) throw system_failure("cannot write", games_path());
  if (::flock(games_file_, LOCK_EX | LOCK_NB) != 0) {
    throw UserError("another referee is writing to " + path_.string());
  }
  const off_t size_now = ::lseek(games_file_, 0, SEEK_END);
  if (size_now != static_cast<off_t>(size_read_)) {
    throw UserError("another referee has just written to " + path_.string());
  }
  if (!fs::exists(match_path())) replace_file(match_path(), configuration_);
  if (::ftruncate(games_file_, static_cast<off_t>(size_)) != 0) {
    throw system_failure("cannot write", games_path());
  }
  if (size_ == 0) write_at_end(std::string(csv_header) + "\n");
}

void MatchFolder::append(std::span<const GameRecord> round) {
  std::string text;
  for (const GameRecord& game : round) text += csv_line(game) + "\n";
  write_at_end(text);
}

void MatchFolder::write_at_end(const std::string& text) {
  try {
    write_all(games_file_, text, games_path());
  } catch (const UserError&) {
    // Leave no part of a round; if even that fails, the next run cuts it off.
    [[maybe_unused]] const int ignored = ::ftruncate(games_file_, static_cast<off_t>(size_));
    throw;
  }
  size_ += text.size();
}

void MatchFolder::write_summary(const std::string& text) const {
  replace_file(summary_path(), text);
}

}  // namespace pitboss::clients
