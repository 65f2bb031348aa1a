#include "clients/experiments/openings.hpp"

#include <bit>
#include <set>
#include <sstream>

#include "clients/experiments/derived_seed.hpp"
#include "clients/experiments/number_in.hpp"
#include "clients/experiments/program_folders.hpp"
#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/experiments/user_path.hpp"
#include "games/rules_text.hpp"

namespace pitboss::clients {

namespace {

using Lines = Openings::Lines;

constexpr std::string_view heading_begins = "# Openings of ";
constexpr int max_turns = 1000;
constexpr int max_attempts = 1000;

std::vector<std::string> words_of(std::string_view text) {
  std::istringstream in{std::string(text)};
  std::vector<std::string> words;
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
  return text;
}

/// One try: nothing if the game ended on the way.
std::optional<std::vector<std::string>> try_opening(const games::AnyGame& start, int turns,
                                                    games::Random& random) {
  std::vector<std::string> moves;
  const auto position = start.clone();
  for (int turn = 0; turn < start.players() * turns; ++turn) {
    const games::Colour mover = position->to_move();
    while (position->to_move() == mover) {
      moves.push_back(position->random_move(random));
      position->play(moves.back());
      if (position->result().finished()) return std::nullopt;
    }
  }
  return moves;
}

/// The place of `i` in a random-looking permutation of [0, n): a Feistel network over the next
/// power of four, applied until the result is in range (Black, Rogaway 2002). So no game has to
/// draw a permutation of a million openings.
std::uint64_t shuffled(std::uint64_t i, std::uint64_t n, std::uint64_t seed) {
  const auto half = (std::bit_width(n - 1) + 1) / 2;
  const std::uint64_t mask = (std::uint64_t{1} << half) - 1;
  do {
    for (std::uint64_t pass = 0; pass < 6; ++pass) {
      const std::uint64_t right = i & mask;
      i = right << half | ((i >> half) ^ (games::mix(seed + 8 * right + pass) & mask));
    }
  } while (i >= n);
  return i;
}

/// The moves as the rules write them. Throws UserError.
std::vector<std::string> checked(const std::vector<std::string>& moves,
                                 const games::AnyGame& start) {
  std::vector<std::string> canonical;
  const auto position = start.clone();
  for (const std::string& move : moves) {
    try {
      canonical.push_back(position->canonical(move));
      position->play(move);
    } catch (const games::BadGame&) {
      throw UserError("\"" + move + "\" is not a legal move of " + std::string(start.name()) +
                      (canonical.empty() ? "" : " after " + joined(canonical)));
    }
    if (position->result().finished()) {
      throw UserError("the game is over after " + joined(canonical));
    }
  }
  return canonical;
}

/// Checks openings one by one; `place_of(i)` tells where number i was found.
template <class PlaceOf>
Openings listed(const std::vector<std::string>& openings, const games::AnyGame& start,
                PlaceOf place_of) {
  Lines lines;
  for (std::size_t i = 0; i < openings.size(); ++i) {
    try {
      lines.push_back(checked(words_of(openings[i]), start));
    } catch (const UserError& e) {
      throw UserError(place_of(i) + ": " + e.what());
    }
  }
  if (lines.empty()) throw UserError("there are no openings in the list");
  return {0, Openings::Kind::listed, std::make_shared<const Lines>(std::move(lines))};
}

Openings all_openings(const games::AnyGame& start, int turns) {
  auto lines = start.distinct_lines(turns, most_openings);
  const std::string name = "all:" + std::to_string(turns);
  if (!lines) {
    throw UserError("openings " + name + " of " + std::string(start.name()) + " are more than " +
                    std::to_string(most_openings) +
                    "; take fewer turns, or random:" + std::to_string(turns));
  }
  if (lines->empty()) {
    throw UserError("no opening " + name + " of " + std::string(start.name()) +
                    " leaves a game to play; take fewer turns");
  }
  return {turns, Openings::Kind::all, std::make_shared<const Lines>(*std::move(lines))};
}

/// The openings of a book that comes with Pitboss.
Openings named_book(std::string_view name, const games::AnyGame& start) {
  namespace fs = std::filesystem;
  const std::string game(start.name());
  const fs::path folder = data_folder() / "books" / game;
  std::set<std::string> known;
  if (fs::is_directory(folder)) {
    for (const auto& entry : fs::directory_iterator(folder)) {
      if (entry.path().extension() == ".txt") known.insert(entry.path().stem());
    }
  }
  if (known.empty()) {
    throw UserError("no book of " + game + " comes with Pitboss; pitboss books makes one");
  }
  if (!known.contains(std::string(name))) {
    std::string names;
    for (const std::string& one : known) names += (names.empty() ? "" : ", ") + one;
    throw UserError("there is no book \"" + std::string(name) + "\" of " + game +
                    "; known: " + names);
  }
  return read_openings(folder / (std::string(name) + ".txt"), start);
}

/// The number after `prefix`; nothing if `text` is not of that form.
std::optional<int> turns_behind(std::string_view text, std::string_view prefix) {
  if (!text.starts_with(prefix)) return std::nullopt;
  const auto turns = number_in<int>(text.substr(prefix.size()));
  return turns && *turns >= 0 && *turns <= max_turns ? turns : std::nullopt;
}

}  // namespace

std::string Openings::text() const {
  if (kind == Kind::all) return "all:" + std::to_string(turns);
  if (kind == Kind::random) return turns == 0 ? "none" : "random:" + std::to_string(turns);
  std::string text = "list:";
  for (const auto& line : *lines) text += (&line == &lines->front() ? "" : ";") + joined(line);
  return text;
}

std::string Openings::summary() const {
  if (kind == Kind::random) return text();
  const std::string count = std::to_string(lines->size()) +
                            (kind == Kind::listed ? " listed" : "") +
                            (lines->size() == 1 ? " opening" : " openings");
  return kind == Kind::listed ? count : text() + " (" + count + ")";
}

Openings parse_openings(std::string_view text, const games::AnyGame& start,
                        const std::filesystem::path& folder) {
  if (text == "none") return {0};
  if (const auto turns = turns_behind(text, "random:")) return {*turns};
  if (const auto turns = turns_behind(text, "all:")) return all_openings(start, *turns);
  constexpr std::string_view list = "list:";
  if (text.starts_with(list)) {
    std::vector<std::string> lines;
    std::istringstream in{std::string(text.substr(list.size()))};
    for (std::string line; std::getline(in, line, ';');) lines.push_back(line);
    return listed_openings(lines, start);
  }
  constexpr std::string_view book = "book:";
  if (text.starts_with(book)) return named_book(text.substr(book.size()), start);
  constexpr std::string_view file = "file:";
  if (text.size() > file.size() && text.starts_with(file)) {
    return read_openings(folder / user_path(std::string(text.substr(file.size()))), start);
  }
  throw UserError("unknown openings \"" + std::string(text) +
                  "\"; use none, random:N (N random moves of each side), all:N (every opening of N "
                  "moves of each side; N from 0 to " +
                  std::to_string(max_turns) + "), book:NAME, file:PATH or list:MOVES;MOVES");
}

Openings listed_openings(const std::vector<std::string>& lines, const games::AnyGame& start) {
  return listed(lines, start, [](std::size_t i) { return "opening " + std::to_string(i + 1); });
}

std::string book_heading(const games::AnyGame& start) {
  return std::string(heading_begins) + games::rules_text(start) + "\n";
}

Openings read_openings(const std::filesystem::path& file, const games::AnyGame& start) {
  const std::string text = read_text_file(file);
  if (text.starts_with(heading_begins) && !text.starts_with(book_heading(start))) {
    const std::string heading = text.substr(0, text.find('\n'));
    throw UserError(file.string() + " is a book of " + heading.substr(heading_begins.size()) +
                    ", not of " + games::rules_text(start));
  }
  std::istringstream in(text);
  std::vector<std::string> openings;
  std::vector<int> numbers;
  int number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    line.erase(std::min(line.find('#'), line.size()));
    if (words_of(line).empty()) continue;
    openings.push_back(line);
    numbers.push_back(number);
  }
  if (openings.empty()) throw UserError(file.string() + " has no openings");
  return listed(openings, start, [&](std::size_t i) {
    return file.string() + ", line " + std::to_string(numbers[i]);
  });
}

std::optional<std::size_t> distinct_openings(const Openings& openings,
                                             const games::AnyGame& start) {
  if (openings.kind == Openings::Kind::all) return openings.lines->size();
  if (openings.kind == Openings::Kind::random) {
    const auto lines = start.distinct_lines(openings.turns, most_counted);
    return lines ? std::optional(lines->size()) : std::nullopt;
  }
  std::set<std::string> positions;
  for (const auto& line : *openings.lines) {
    const auto position = start.clone();
    for (const std::string& move : line) position->play(move);
    positions.insert(position->position());
  }
  return positions.size();
}

int round_in_random_order(const Openings& openings, std::int64_t seed, int round) {
  if (openings.kind == Openings::Kind::random) return round;
  const auto n = static_cast<std::uint64_t>(openings.lines->size());
  const auto number = static_cast<std::uint64_t>(round);
  const std::uint64_t place = number % n;
  const std::uint64_t order = derived_seed(seed, use_tuning_order, number / n);
  return static_cast<int>(number - place + shuffled(place, n, order));
}

std::vector<int> numbers_in_random_order(const Openings& openings, std::int64_t seed, int rounds) {
  std::vector<int> out(static_cast<std::size_t>(rounds));
  const int pass = openings.lines ? static_cast<int>(openings.lines->size()) : 1;
  for (int number = 0; number < rounds + pass - 1; ++number) {
    const int round = round_in_random_order(openings, seed, number);
    if (round < rounds) out[static_cast<std::size_t>(round)] = number;
  }
  return out;
}

std::vector<std::string> draw_opening(const games::AnyGame& start, const Openings& openings,
                                      std::int64_t seed, int round) {
  const auto number = static_cast<std::uint64_t>(round);
  if (openings.kind != Openings::Kind::random) {
    const std::uint64_t n = openings.lines->size();
    const bool shuffles = openings.kind == Openings::Kind::all;
    const std::uint64_t order = derived_seed(seed, use_order, 0);
    return (*openings.lines)[shuffles ? shuffled(number % n, n, order) : number % n];
  }
  games::Random random(derived_seed(seed, use_opening, number));
  for (int attempt = 0; attempt < max_attempts; ++attempt) {
    if (auto moves = try_opening(start, openings.turns, random)) return *std::move(moves);
  }
  throw UserError("no opening " + openings.text() + " of " + std::string(start.name()) +
                  " was found that leaves a game to play; use a shorter one");
}

}  // namespace pitboss::clients
