#include "clients/match_folder.hpp"

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
void check_place(const GameRecord& record, const Match& match, int game) {
  const auto name = [&](games::Colour c) -> const std::string& {
    return match.players[player_of(game, c)].name;
  };
  if (record.game != game + 1 || record.pair != pair_of(game) + 1) {
    throw std::runtime_error("game " + std::to_string(game + 1) + " is expected here");
  }
  if (record.black != name(games::Colour::black) || record.white != name(games::Colour::white)) {
    throw std::runtime_error("the players have the wrong colours");
  }
  if (record.opening != join(opening_of(match, pair_of(game)))) {
    throw std::runtime_error("the opening is not the one of this pair");
  }
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
  for (std::size_t i = 0; i + 1 < lines.size(); i += 2) {
    try {
      const int game = static_cast<int>(i);
      const GameRecord first = parse_csv_line(lines[i]);
      check_place(first, match, game);
      const GameRecord second = parse_csv_line(lines[i + 1]);
      check_place(second, match, game + 1);
      found_.push_back(first);
      found_.push_back(second);
      size_ += lines[i].size() + lines[i + 1].size() + 2;
    } catch (const std::runtime_error& e) {
      // Only the last pair can be the one that was being written.
      if (i + 2 == lines.size() && rest.empty()) break;
      throw UserError(games_path().string() + " is damaged in line " + std::to_string(i + 2) +
                      " or the next: " + e.what());
    }
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

void MatchFolder::append(const GameRecord& first, const GameRecord& second) {
  write_at_end(csv_line(first) + "\n" + csv_line(second) + "\n");
}

void MatchFolder::write_at_end(const std::string& text) {
  try {
    write_all(games_file_, text, games_path());
  } catch (const UserError&) {
    // Leave no half of a pair; if even that fails, the next run cuts it off.
    [[maybe_unused]] const int ignored = ::ftruncate(games_file_, static_cast<off_t>(size_));
    throw;
  }
  size_ += text.size();
}

void MatchFolder::write_summary(const std::string& text) const {
  replace_file(summary_path(), text);
}

}  // namespace pitboss::clients
