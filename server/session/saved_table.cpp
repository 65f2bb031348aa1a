#include "server/session/saved_table.hpp"

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "games/text_file.hpp"

namespace pitboss::server {

namespace {

using protocol::TimeLeft;
using protocol::TimeSettings;
using protocol::TimeSystem;
using Seconds = TimeSettings::Seconds;

constexpr int version = 1;
constexpr std::string_view ending = ".json";

/// No limit is null, since JSON has no infinity.
nlohmann::json seconds_json(Seconds time) {
  return time == TimeSettings::unlimited ? nlohmann::json(nullptr) : nlohmann::json(time.count());
}
Seconds seconds_of(const nlohmann::json& time) {
  return time.is_null() ? TimeSettings::unlimited : Seconds(time.get<double>());
}

nlohmann::json clock_json(const Clock& clock, int colours) {
  const TimeSettings& settings = clock.settings();
  nlohmann::json left = nlohmann::json::array();
  for (int c = 0; c < colours; ++c) {
    const TimeLeft& its = clock.left(static_cast<games::Colour>(c));
    left.push_back({{"time", seconds_json(its.time)}, {"count", its.count}});
  }
  return {{"system", static_cast<int>(settings.system)},
          {"main", seconds_json(settings.main)},
          {"period", seconds_json(settings.period)},
          {"count", settings.count},
          {"most", seconds_json(settings.most)},
          {"most_a_move", seconds_json(settings.most_a_move)},
          {"left", left}};
}

/// Moves or periods of a clock.
int count_of(const nlohmann::json& count) {
  constexpr double most = 100'000;
  const double number = count.get<double>();
  if (!(number >= 0 && number <= most)) throw std::runtime_error("a clock counts 0 to 100000");
  return static_cast<int>(number);
}

void restore_clock(const nlohmann::json& saved, int colours, Clock& clock) {
  const int system = saved.at("system");
  if (system < 0 || system > static_cast<int>(TimeSystem::fischer)) {
    throw std::runtime_error("there is no time system " + std::to_string(system));
  }
  clock.set({static_cast<TimeSystem>(system), seconds_of(saved.at("main")),
             seconds_of(saved.at("period")), count_of(saved.at("count")),
             seconds_of(saved.at("most")), seconds_of(saved.at("most_a_move"))});
  for (int c = 0; c < colours; ++c) {
    const nlohmann::json& left = saved.at("left").at(static_cast<std::size_t>(c));
    clock.set_left(static_cast<games::Colour>(c),
                   {seconds_of(left.at("time")), count_of(left.at("count"))});
  }
}

games::Record record_of(const nlohmann::json& saved) {
  games::Record record{
      games::make_game(saved.at("game").get<std::string>(),
                       games::parse_parameters(saved.at("parameters").get<std::string>())),
      {}};
  record.start->set_position(saved.at("start").get<std::string>());
  const auto game = record.start->clone();
  for (const nlohmann::json& move : saved.at("moves")) {
    if (game->result().finished()) break;
    record.moves.push_back(game->play(move.get<std::string>()));
  }
  return record;
}

nlohmann::json count_json(std::optional<std::size_t> count) {
  return count ? nlohmann::json(*count) : nlohmann::json(nullptr);
}

/// Older files do not tell what hex's swap has changed.
void remember_swap(const nlohmann::json& saved, GameHistory& history) {
  if (!saved.contains("begun_with")) return;
  const nlohmann::json& changed_at = saved.at("sides_changed_at");
  std::optional<std::size_t> moves;
  if (!changed_at.is_null()) moves = changed_at.get<std::size_t>();
  history.remember(games::parse_parameters(saved.at("begun_with").get<std::string>()), moves);
}

/// Days since 1970.
nlohmann::json day_json(std::optional<std::chrono::sys_days> day) {
  return day ? nlohmann::json(day->time_since_epoch().count()) : nlohmann::json(nullptr);
}
/// Older files do not tell the day.
std::optional<std::chrono::sys_days> day_of(const nlohmann::json& saved) {
  if (!saved.contains("last_day") || saved.at("last_day").is_null()) return std::nullopt;
  return std::chrono::sys_days(std::chrono::days(saved.at("last_day").get<int>()));
}

nlohmann::json seats_json(const ColourSeats& seats) {
  nlohmann::json all = nlohmann::json::array();
  for (const ColourSeats::Held& held : seats.all())
    all.push_back({{"colour", held.colour_name}, {"key", held.key_hash}});
  return all;
}

/// Older files have none.
void restore_seats(const nlohmann::json& saved, Table& table) {
  if (!saved.contains("seats")) return;
  for (const nlohmann::json& held : saved.at("seats")) {
    const auto name = held.at("colour").get<std::string>();
    const auto colour = table.game().colour_named(name);
    if (!colour) throw std::runtime_error("the game has no colour '" + name + "'");
    table.colour_seats().restore({*colour, name, held.at("key")});
  }
}

}  // namespace

std::string saved_table(const Table& table, const TableUse& use) {
  const GameHistory& history = table.history();
  nlohmann::json options = nlohmann::json::array();
  for (const auto& [name, value] : table.changed_options()) options.push_back({name, value});
  const protocol::Ownership& ownership = table.ownership();
  const nlohmann::json saved{{"version", version},
                             {"game", history.game().name()},
                             {"parameters", history.game().parameters().line()},
                             {"start", history.start().position()},
                             {"moves", history.moves()},
                             {"begun_with", history.begun_with().line()},
                             {"sides_changed_at", count_json(history.sides_changed_at())},
                             {"clock", clock_json(table.clock(), history.game().players())},
                             {"options", options},
                             {"owner", ownership.owner},
                             {"others", protocol::name_of(ownership.others)},
                             {"maker", use.maker},
                             {"last_day", day_json(use.last_day)},
                             {"seats", seats_json(table.colour_seats())}};
  return saved.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
}

RestoredTable restored_table(const std::string& text, const SessionConfig& config) {
  try {
    const nlohmann::json saved = nlohmann::json::parse(text);
    if (saved.at("version") != version) throw std::runtime_error("it is of another version");
    std::vector<engine::Assignment> options;
    for (const nlohmann::json& option : saved.at("options"))
      options.push_back({option.at(0), option.at(1)});
    auto table = std::make_shared<Table>(config);
    table->resume(record_of(saved), options);
    remember_swap(saved, table->history());
    restore_clock(saved.at("clock"), table->game().players(), table->clock());
    const auto others = protocol::right_named(saved.at("others").get<std::string>());
    if (!others || *others == protocol::Right::admin)
      throw std::runtime_error("others have no such right");
    table->ownership() = {saved.at("owner"), *others};
    restore_seats(saved, *table);
    return {std::move(table), {saved.at("maker"), day_of(saved)}};
  } catch (const nlohmann::json::exception& error) {
    throw std::runtime_error(std::string("it is not a file that pitbossd has written: ") +
                             error.what());
  }
}

TableFolder::TableFolder(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code error;
  if (std::filesystem::create_directories(path_, error)) {
    std::filesystem::permissions(path_, std::filesystem::perms::owner_all, error);
  }
  if (error || !std::filesystem::is_directory(path_)) {
    throw std::runtime_error("--state must name a folder that can be made and written to, and '" +
                             path_.string() + "' is not one" +
                             (error ? ": " + error.message() : ""));
  }
  lock_ = games::FileLock::try_lock(path_ / ".lock");
  if (!lock_) {
    throw std::runtime_error("cannot use " + path_.string() +
                             " for --state: another pitbossd has it");
  }
}

std::filesystem::path TableFolder::file_of(const std::string& table) const {
  return path_ / (table + std::string(ending));
}

std::vector<std::string> TableFolder::tables() const {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(path_)) {
    std::string name = entry.path().filename().string();
    if (!name.ends_with(ending) || !entry.is_regular_file()) continue;
    name.resize(name.size() - ending.size());
    names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  return names;
}

std::string TableFolder::read(const std::string& table) const {
  return games::read_text_file(file_of(table));
}

void TableFolder::write(const std::string& table, std::string_view text) const {
  const std::filesystem::path file = file_of(table);
  std::filesystem::path fresh = file;
  fresh += ".new";
  errno = 0;
  std::ofstream out(fresh, std::ios::binary | std::ios::trunc);
  out << text;
  out.close();
  if (!out)
    throw std::runtime_error("cannot write " + file.string() + ": " + games::system_reason(errno));
  std::error_code error;
  std::filesystem::rename(fresh, file, error);
  if (error) throw std::runtime_error("cannot write " + file.string() + ": " + error.message());
}

void TableFolder::remove(const std::string& table) const {
  std::error_code error;
  std::filesystem::remove(file_of(table), error);
  if (error) {
    throw std::runtime_error("cannot remove " + file_of(table).string() + ": " + error.message());
  }
}

}  // namespace pitboss::server
