#include "clients/game_record.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <stdexcept>

namespace pitboss::clients {

namespace {

constexpr std::size_t field_count = 10;

std::string quoted(const std::string& field) {
  if (field.find_first_of(",\"") == std::string::npos) return field;
  std::string out = "\"";
  for (const char c : field) out += c == '"' ? std::string("\"\"") : std::string(1, c);
  return out + "\"";
}

/// Takes one field from the front of `line`; false at the last one.
bool take_field(std::string_view& line, std::string& field) {
  field.clear();
  if (!line.starts_with('"')) {
    const std::size_t comma = line.find(',');
    field = line.substr(0, comma);
    if (field.find('"') != std::string::npos) throw std::runtime_error("a stray quote");
    line.remove_prefix(std::min(field.size(), line.size()));
  } else {
    for (line.remove_prefix(1);; line.remove_prefix(1)) {
      if (line.empty()) throw std::runtime_error("a quote that is not closed");
      if (line.front() == '"') {
        line.remove_prefix(1);
        if (!line.starts_with('"')) break;
      }
      field += line.front();
    }
  }
  if (line.empty()) return false;
  if (line.front() != ',') throw std::runtime_error("text after a closing quote");
  line.remove_prefix(1);
  return true;
}

int number(const std::string& text) {
  int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) {
    throw std::runtime_error("\"" + text + "\" is no number");
  }
  return value;
}

/// Words with single blanks between them.
int count_words(const std::string& text) {
  if (text.starts_with(' ') || text.ends_with(' ') || text.find("  ") != std::string::npos) {
    throw std::runtime_error("a stray blank");
  }
  return text.empty() ? 0 : static_cast<int>(std::ranges::count(text, ' ')) + 1;
}

void check(const GameRecord& record) {
  const auto expect = [](bool holds, const char* what) {
    if (!holds) throw std::runtime_error(what);
  };
  expect(!record.black.empty() && !record.white.empty(), "a player is missing");
  expect(!record.reason.empty(), "the reason is missing");
  expect(record.plies == count_words(record.moves), "the number of plies is not that of the moves");
  if (record.winner == "draw") {
    expect(record.result == "0", "a draw with a winner's result");
  } else {
    expect(record.winner == record.black || record.winner == record.white,
           "the winner is neither player");
    expect(record.result.size() > 2 &&
               record.result.starts_with(record.winner == record.black ? "B+" : "W+"),
           "the result is not the winner's");
  }
}

}  // namespace

std::string csv_line(const GameRecord& record) {
  std::string out = std::to_string(record.game) + "," + std::to_string(record.pair);
  for (const auto* field : {&record.opening, &record.black, &record.white, &record.winner,
                            &record.result, &record.reason}) {
    out += "," + quoted(*field);
  }
  return out + "," + std::to_string(record.plies) + "," + quoted(record.moves);
}

GameRecord parse_csv_line(std::string_view line) {
  std::vector<std::string> fields(1);
  while (take_field(line, fields.back())) fields.emplace_back();
  if (fields.size() != field_count) {
    throw std::runtime_error(std::to_string(fields.size()) + " fields instead of " +
                             std::to_string(field_count));
  }
  GameRecord record{number(fields[0]), number(fields[1]), fields[2], fields[3],         fields[4],
                    fields[5],         fields[6],         fields[7], number(fields[8]), fields[9]};
  check(record);
  return record;
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
