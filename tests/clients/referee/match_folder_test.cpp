#include "clients/referee/match_folder.hpp"

#include <doctest/doctest.h>
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <string>
#include <vector>

#include "clients/user_error.hpp"
#include "tests/clients/scratch_folder.hpp"

namespace pitboss::clients {

namespace {

Match small_match(const char* game = "connect4") {
  Match match;
  set_game(match, game);
  match.players[0].name = "A";
  match.players[1].name = "B";
  match.games = 3 * match.round();
  return match;
}

/// Some games of the match; nobody looks at the moves after the opening.
GameRecord game_of(const Match& match, int game) {
  GameRecord record;
  record.game = game + 1;
  record.round = round_of(match, game) + 1;
  record.opening = join(opening_of(match, round_of(match, game)));
  record.seats = seats_in(match, game);
  const Sides sides = sides_of(match);
  const ColourSet of_first = seating_of(match, game).seats_of(0);
  record.result = game % 3 == 0 ? "0" : sides.letters_of(of_first) + "+F";
  record.reason = game % 3 == 0 ? "rules" : "garbage: \"x\", y";
  record.moves = record.opening + " d3";
  record.plies = static_cast<int>(std::ranges::count(record.moves, ' ')) + 1;
  settle(record, sides);
  return record;
}

/// The round that begins with game number `game`.
std::vector<GameRecord> round_from(const Match& match, int game) {
  std::vector<GameRecord> round;
  for (int i = 0; i < match.round(); ++i) round.push_back(game_of(match, game + i));
  return round;
}

/// Continues the match in a folder to its end, and says how many games it found.
int play_on(const std::filesystem::path& path, const Match& match) {
  MatchFolder folder(path, match);
  const int found = static_cast<int>(folder.found().size());
  folder.open_for_writing();
  for (int game = found; game < match.games; game += match.round()) {
    folder.append(round_from(match, game));
  }
  return found;
}

}  // namespace

TEST_CASE("MatchFolder continues after a file cut off at any byte") {
  for (const char* game : {"connect4", "rolit players=3"}) {
    CAPTURE(game);
    const Match match = small_match(game);
    const int round = match.round();
    const ScratchFolder whole;
    CHECK(play_on(whole.path(), match) == 0);
    CHECK(play_on(whole.path(), match) == match.games);
    const std::string text = read_text(whole / "games.csv");
    CHECK(std::ranges::count(text, '\n') == match.games + 1);

    const ScratchFolder cut;
    play_on(cut.path(), match);
    for (std::size_t length = 0; length <= text.size(); ++length) {
      CAPTURE(length);
      write_text(cut / "games.csv", text.substr(0, length));
      const auto lines = static_cast<int>(std::ranges::count(text.substr(0, length), '\n'));
      REQUIRE(MatchFolder(cut.path(), match).found().size() ==
              std::max(0, lines - 1) / round * round);
      // To wait for the disk takes its time: not at every byte.
      if (length % (11 * round / 2) != 0) continue;
      play_on(cut.path(), match);
      REQUIRE(read_text(cut / "games.csv") == text);
    }
  }
}

TEST_CASE("MatchFolder plays a last round of rubbish again, and refuses any other") {
  const Match match = small_match();
  const ScratchFolder folder;
  play_on(folder.path(), match);
  const std::string text = read_text(folder / "games.csv");
  const auto with = [&](std::size_t at, const std::string& what) {
    std::string damaged = text;
    damaged.replace(at, what.size(), what);
    write_text(folder / "games.csv", damaged);
    return damaged;
  };
  // As a disk leaves it that has lost the data but not the length.
  const std::size_t last_round = text.find("\n5,") + 1;
  with(last_round, std::string(text.size() - last_round, '\0'));
  CHECK(play_on(folder.path(), match) == 4);
  CHECK(read_text(folder / "games.csv") == text);

  with(text.find("\n5,") + 1, "7");
  CHECK(play_on(folder.path(), match) == 4);

  for (const char* place : {"\n1,", "\n3,", "\n4,"}) {
    const std::string damaged = with(text.find(place) + 1, "9");
    CHECK_THROWS_AS(play_on(folder.path(), match), UserError);
    CHECK(read_text(folder / "games.csv") == damaged);
  }
  with(0, "G");
  CHECK_THROWS_AS(play_on(folder.path(), match), UserError);
}

TEST_CASE("MatchFolder keeps matches apart") {
  const Match match = small_match();
  const ScratchFolder folder;
  play_on(folder.path(), match);
  const std::string text = read_text(folder / "games.csv");

  const auto check_refused = [&](auto change, const char* word) {
    Match other = match;
    change(other);
    std::string message;
    try {
      play_on(folder.path(), other);
    } catch (const UserError& e) {
      message = e.what();
    }
    CAPTURE(message);
    CHECK(message.find(word) != std::string::npos);
    CHECK(read_text(folder / "games.csv") == text);
  };
  check_refused([](Match& m) { m.seed = 2; }, "seed is 1 there and 2 here");
  check_refused([](Match& m) { m.players[1].name = "C"; }, "players");
  check_refused([](Match& m) { m.players[0].options.push_back({"k", "1"}); }, "players");
  check_refused([](Match& m) { m.openings = {2}; }, "openings");
  check_refused([](Match& m) { m.max_plies = 9; }, "max_plies");
  check_refused([](Match& m) { m.move_timeout = std::chrono::seconds(9); }, "move_timeout");
  check_refused([](Match& m) { set_game(m, "othello"); }, "game is");
  check_refused([](Match& m) { m.games = 4; }, "more than --games");

  Match more = match;
  more.games = 8;
  more.players[0].place = Address{"elsewhere", 1};
  CHECK(play_on(folder.path(), more) == 6);
  CHECK(read_text(folder / "games.csv").starts_with(text));
  CHECK(play_on(folder.path(), more) == 8);
}

TEST_CASE("MatchFolder admits one referee at a time") {
  const Match match = small_match();
  const ScratchFolder folder;
  MatchFolder first(folder.path(), match);
  first.open_for_writing();
  MatchFolder second(folder.path(), match);
  CHECK_THROWS_AS(second.open_for_writing(), UserError);
  first.append(round_from(match, 0));
  MatchFolder third(folder.path(), match);
  CHECK(third.found().size() == 2);
}

TEST_CASE("MatchFolder says when a folder cannot be written") {
  const Match match = small_match();
  const ScratchFolder folder;
  write_text(folder / "file", "");
  CHECK_THROWS_AS(play_on(folder / "file", match), UserError);
  CHECK_THROWS_AS(play_on(folder / "file/below", match), UserError);
  CHECK_THROWS_AS(play_on("/proc/no-folder", match), UserError);
}

TEST_CASE("MatchFolder keeps whole rounds when the disk is full") {
  const Match match = small_match();
  const ScratchFolder folder;
  MatchFolder games(folder.path(), match);
  games.open_for_writing();
  games.append(round_from(match, 0));
  const std::string text = read_text(folder / "games.csv");

  // A limit on the size of files fails like a disk without room: in the middle of a write.
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  ::getrlimit(RLIMIT_FSIZE, &old_limit);
  const rlimit limit{text.size() + 20, old_limit.rlim_max};
  ::setrlimit(RLIMIT_FSIZE, &limit);
  CHECK_THROWS_AS(games.append(round_from(match, 2)), UserError);
  ::setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);

  CHECK(read_text(folder / "games.csv") == text);
  games.append(round_from(match, 2));
  CHECK(read_text(folder / "games.csv").starts_with(text));
  CHECK(MatchFolder(folder.path(), match).found().size() == 4);
}

}  // namespace pitboss::clients
