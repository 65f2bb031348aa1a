#include "clients/referee/ledger/played_game.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <stdexcept>

#include "clients/experiments/number_in.hpp"

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
  const auto value = number_in<int>(text);
  if (!value || *value < 0) throw std::runtime_error("\"" + text + "\" is no number");
  return *value;
}

/// Counts words separated by single blanks.
int count_words(const std::string& text) {
  if (text.starts_with(' ') || text.ends_with(' ') || text.find("  ") != std::string::npos) {
    throw std::runtime_error("the moves must be separated by single blanks");
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

/// Nothing for "-".
std::optional<std::int64_t> figure(const std::string& text) {
  if (text == "-") return std::nullopt;
  const auto value = number_in<std::int64_t>(text);
  check_record(value && *value >= 0, "a figure is not a whole number");
  return value;
}

std::string figure_text(const std::optional<std::int64_t>& figure) {
  return figure ? std::to_string(*figure) : "-";
}

/// The simulations of a player's moves, "5000 - 5000".
std::string simulations_text(const std::string& efforts) {
  std::vector<std::string> words;
  for (const Effort& effort : efforts_in(efforts)) words.push_back(figure_text(effort.simulations));
  return join(words);
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

std::string seconds_field(double seconds) {
  char text[32];
  std::snprintf(text, sizeof text, "%.6f", seconds);
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
  const bool is_adjudicated = record.reason == "adjudicated" || record.reason == exact_verdict;
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
    check_record(how == letter, "the result does not fit the reason");
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

std::string csv_line(const PlayedGame& record, const Sides& sides) {
  std::string out = std::to_string(record.game) + "," + std::to_string(record.round);
  for (const auto& field :
       {sides.players[0], sides.players[1], record.opening, join(record.seats), record.winner,
        record.result, points_text(record.twelfths), points_text(whole_point - record.twelfths),
        record.reason, std::to_string(record.plies), record.moves, record.values,
        simulations_text(record.efforts[0]), simulations_text(record.efforts[1]),
        seconds_field(record.seconds[0]), seconds_field(record.seconds[1])}) {
    out += "," + quoted(field);
  }
  return out;
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
  std::size_t told = 0;
  for (const std::string& efforts : record.efforts) told += efforts_in(efforts).size();
  check_record(told <= split(record.moves).size(), "more moves have figures than were made");
  const auto clocks = split(record.clocks);
  check_record(clocks.empty() || clocks.size() == split(record.moves).size(),
               "there are not as many clocks as moves");
  for (const std::string& clock : clocks) {
    check_record(clock == "-" || number(clock) >= 0, "a clock is not a number of milliseconds");
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

/// Of a move that an exact solver has found.
constexpr std::string_view exact_suffix = "/exact";

std::string efforts_text(const std::vector<Effort>& efforts) {
  if (std::ranges::count(efforts, Effort{}) == std::ssize(efforts)) return {};
  std::vector<std::string> words;
  for (const auto& [simulations, depth, processor_us, search_us, is_exact] : efforts) {
    words.push_back(figure_text(simulations) + "/" + figure_text(depth) + "/" +
                    figure_text(processor_us) + "/" + figure_text(search_us) +
                    std::string(is_exact ? exact_suffix : ""));
  }
  return join(words);
}

std::vector<Effort> efforts_in(const std::string& text) {
  std::vector<Effort> efforts;
  for (std::string word : split(text)) {
    const bool is_exact = word.ends_with(exact_suffix);
    if (is_exact) word.erase(word.size() - exact_suffix.size());
    std::array<std::optional<std::int64_t>, 4> figures;
    std::size_t begin = 0;
    for (auto& one : figures) {
      check_record(begin <= word.size(), "a move does not have four figures");
      const std::size_t end = std::min(word.find('/', begin), word.size());
      one = figure(word.substr(begin, end - begin));
      begin = end + 1;
    }
    check_record(begin == word.size() + 1, "a move does not have four figures");
    efforts.push_back({figures[0], figures[1], figures[2], figures[3], is_exact});
  }
  return efforts;
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
