#include "clients/referee/played_game.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <stdexcept>

namespace pitboss::clients {

namespace {

std::string quoted(const std::string& field) {
  const auto is_special = [](char c) { return c == ',' || c == '"'; };
  if (std::ranges::none_of(field, is_special)) return field;
  std::string out = "\"";
  for (const char c : field) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

int number(const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) {
    throw std::runtime_error("\"" + text + "\" is no number");
  }
  return value;
}

/// Counts words separated by single blanks.
int count_words(const std::string& text) {
  if (text.starts_with(' ') || text.ends_with(' ') || text.find("  ") != std::string::npos) {
    throw std::runtime_error("a stray blank");
  }
  return text.empty() ? 0 : static_cast<int>(std::ranges::count(text, ' ')) + 1;
}

Seating seating_of(const PlayedGame& record, const Sides& sides) {
  check_record(record.seats.size() == sides.letters.size(),
               "there are not as many seats as colours");
  ColourSet second = 0;
  for (std::size_t c = 0; c < record.seats.size(); ++c) {
    const bool is_second = record.seats[c] == sides.players[1];
    check_record(is_second || record.seats[c] == sides.players[0], "a seat is neither player's");
    if (is_second) second |= 1U << c;
  }
  check_record(second != 0 && second != sides.all(), "a player has no seat");
  return {sides.colours(), second};
}

/// Removes letters of colours, in turn order, from the front of `text`.
ColourSet take_colours(std::string_view& text, const Sides& sides) {
  ColourSet colours = 0;
  for (std::size_t c = 0; c < sides.letters.size(); ++c) {
    if (!text.starts_with(sides.letters[c])) continue;
    colours |= 1U << c;
    text.remove_prefix(1);
  }
  return colours;
}

/// A number for each move, or "-" where there is none; empty if there is none at all.
template <class T, class Number>
std::string text_of(const std::vector<std::optional<T>>& moves, Number number_of) {
  if (std::ranges::none_of(moves, [](const auto& move) { return move.has_value(); })) return {};
  std::vector<std::string> words;
  for (const auto& move : moves) {
    words.push_back(move ? std::to_string(number_of(*move)) : "-");
  }
  return join(words);
}

/// "0", "0.25", "0.333333", ..., "1".
std::string points_text(int twelfths) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6g", static_cast<double>(twelfths) / whole_point);
  return text;
}

}  // namespace

void check_record(bool holds, const char* what) {
  if (!holds) throw std::runtime_error(what);
}

const std::string& PlayedGame::loser() const {
  return *std::ranges::find_if(seats, [&](const std::string& name) { return name != winner; });
}

Shares shares_of(const PlayedGame& record, const Sides& sides) {
  const Seating seating = seating_of(record, sides);
  if (record.reason == "length") {
    check_record(record.result == "0", "a game without an end has a winner");
    return shared_by_players(seating);
  }
  const bool is_by_rules = record.reason == "rules";
  const bool is_adjudicated = record.reason == "adjudicated";
  if (record.result == "0") {
    check_record(is_by_rules || is_adjudicated, "nobody has lost the game");
    return shared_among(sides.all());
  }

  std::string_view rest = record.result;
  const ColourSet winners = take_colours(rest, sides);
  check_record(winners != 0 && winners != sides.all() && rest.starts_with('+'),
               "the result is none");
  const std::string how(rest.substr(1));
  if (is_by_rules) {
    check_record((number(how) > 0) == (std::popcount(winners) == 1), "the result is none");
  } else {
    const char* const letter = record.reason == "resigned"     ? "R"
                               : record.reason == time_forfeit ? "T"
                               : is_adjudicated                ? "A"
                                                               : "F";
    check_record(how == letter, "the result is not for the reason");
    check_record(winners == seating.seats_of(0) || winners == seating.seats_of(1),
                 "the result is not a player's");
  }
  return shared_among(winners);
}

void settle(PlayedGame& record, const Sides& sides) {
  record.twelfths = seating_of(record, sides).points_of(0, shares_of(record, sides));
  record.winner = record.twelfths == whole_point ? sides.players[0]
                  : record.twelfths == 0         ? sides.players[1]
                                                 : "draw";
}

std::string csv_line(const PlayedGame& record) {
  std::string out = std::to_string(record.game) + "," + std::to_string(record.round);
  for (const auto& field : {record.opening, join(record.seats), record.winner, record.result,
                            points_text(record.twelfths), record.reason}) {
    out += "," + quoted(field);
  }
  return out + "," + std::to_string(record.plies) + "," + quoted(record.moves);
}

void check_game(const PlayedGame& record, const Sides& sides) {
  check_record(!record.reason.empty(), "the reason is missing");
  check_record(record.plies == count_words(record.moves),
               "the number of plies is not that of the moves");
  PlayedGame settled = record;
  settle(settled, sides);
  const auto values = split(record.values);
  check_record(values.empty() || values.size() == split(record.moves).size(),
               "there are not as many values as moves");
  for (const std::string& value : values) {
    check_record(value == "-" || number(value) <= 1000, "a value is none");
  }
  const auto clocks = split(record.clocks);
  check_record(clocks.empty() || clocks.size() == split(record.moves).size(),
               "there are not as many clocks as moves");
  for (const std::string& clock : clocks) {
    check_record(clock == "-" || number(clock) >= 0, "a clock is none");
  }
  check_record(record == settled, "the winner or the points are not the result's");
}

std::string values_text(const std::vector<std::optional<double>>& values) {
  return text_of(values, [](double value) { return std::lrint(value * 1000); });
}

std::string clocks_text(const std::vector<std::optional<protocol::TimeLeft>>& clocks) {
  return text_of(
      clocks, [](const protocol::TimeLeft& left) { return std::lrint(left.time.count() * 1000); });
}

std::vector<std::optional<double>> values_of(const PlayedGame& record) {
  std::vector<std::optional<double>> values;
  for (const std::string& word : split(record.values)) {
    values.push_back(word == "-" ? std::nullopt : std::optional(number(word) / 1000.0));
  }
  return values;
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    words.push_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return words;
}

std::string join(const std::vector<std::string>& words) {
  std::string out;
  for (const std::string& word : words) {
    if (!out.empty()) out += ' ';
    out += word;
  }
  return out;
}

}  // namespace pitboss::clients
