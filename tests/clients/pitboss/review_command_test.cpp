#include <doctest/doctest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "games/random.hpp"
#include "games/records/game_record.hpp"
#include "games/records/record_file.hpp"
#include "tests/clients/pitboss/words.hpp"
#include "tests/clients/scratch_folder.hpp"
#include "tests/folders.hpp"
#include "tests/games/set_up.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/daemon.hpp"
#include "tests/text.hpp"

namespace pitboss::clients {

using nlohmann::json;
using peers::ProgramEnd;
namespace {

namespace fs = std::filesystem;

ProgramEnd review(const Words& words) { return peers::ended(command("review", words)); }

using tests::contains;

/// A game of random moves, at most so many.
std::string random_game(const std::string& rules, std::uint64_t seed, int moves = 1000) {
  games::Random random(seed);
  const auto start = games::game_of(rules);
  const auto position = start->clone();
  Words played;
  while (!position->result().finished() && static_cast<int>(played.size()) < moves) {
    played.push_back(position->random_move(random));
    position->play(played.back());
  }
  return games::record_to_sgf(*start, played, {{"PB", {"Ada"}}, {"PW", {"Bob"}}}) + "\n";
}

/// All that a review has written, but what it goes on from.
std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string name = entry.path().filename();
    if (!entry.is_regular_file() || name == "positions.jsonl" || name == "review.lock") continue;
    files[fs::relative(entry.path(), folder)] = read_text(entry.path());
  }
  return files;
}

std::size_t lines_in(const fs::path& path) {
  const std::string text = read_text(path);
  return static_cast<std::size_t>(std::ranges::count(text, '\n'));
}

const std::string of_connect4 = "connect4";

}  // namespace

TEST_CASE("pitboss review: values, best lines, mistakes and turning points of each game") {
  const ScratchFolder folder;
  const std::string file = (folder / "games.sgf").string();
  // The second game begins as the first one does.
  write_text(file, random_game(of_connect4, 1) + random_game(of_connect4, 1, 12) +
                       random_game(of_connect4, 2));
  const fs::path out = folder / "out";
  const tests::Daemon daemon({"--listen", "127.0.0.1:0", "--workers", "2"});
  tests::Daemon& running = const_cast<tests::Daemon&>(daemon);
  const std::string server = tests::Daemon::address_of(running.output_line());
  const ProgramEnd end = review({file, "--out", out.string(), "--server", server, "--preset", "uct",
                                 "--simulations", "300", "--set", "exact=false"});
  CAPTURE(end.err);
  REQUIRE(end.code == 0);
  const auto files = files_in(out);
  CHECK(files.size() == 5);
  const json told = json::parse(files.at("review.json"));
  REQUIRE(told["games"].size() == 3);

  // Each position is there once, and was searched once.
  std::set<std::string> positions;
  for (const json& position : told["positions"]) {
    CHECK(positions.insert(position["position"]).second);
    CHECK(position["visits"] == 300);
    CHECK(position["lines"][0]["moves"].size() >= 1);
    CHECK(position["lines"].size() <= 3);
    const double sum =
        position["values"]["black"].get<double>() + position["values"]["white"].get<double>();
    CHECK(sum == doctest::Approx(1).epsilon(0.001));
  }
  CHECK(lines_in(out / "positions.jsonl") == positions.size() + 1);
  const auto& first = told["games"][0]["positions"];
  const auto& second = told["games"][1]["positions"];
  CHECK(std::equal(second.begin(), second.end(), first.begin()));

  // What is a mistake follows from the values that are told.
  int mistakes = 0;
  for (const json& game : told["games"]) {
    const json& places = game["positions"];
    for (std::size_t i = 0; i < game["moves"].size(); ++i) {
      const json& move = game["moves"][i];
      const json& before = told["positions"][places[i].get<std::size_t>()];
      CHECK(before["to_move"] == move["colour"]);
      mistakes += move["mistake"].get<bool>() ? 1 : 0;
      if (i + 1 >= places.size()) continue;
      const json& after = told["positions"][places[i + 1].get<std::size_t>()];
      const std::string colour = move["colour"];
      const double loss =
          before["values"][colour].get<double>() - after["values"][colour].get<double>();
      const bool is_best = before["lines"][0]["moves"][0] == move["move"];
      CHECK(move["loss"].get<double>() == doctest::Approx(is_best ? 0 : std::max(0.0, loss)));
      CHECK(move["mistake"].get<bool>() == (!is_best && loss >= 0.1 - 1e-9));
    }
  }
  CHECK(mistakes > 0);

  // SGF has the same: the game, its marks, a better move for each mistake.
  const auto records = games::read_records(files.at("games/0001.sgf"));
  const auto read = games::record_from_sgf(records.front(), *games::game_of("othello"));
  CHECK(read.players[0] == "Ada");
  CHECK(read.game.moves.size() == told["games"][0]["moves"].size());
  REQUIRE(read.annotations.size() == read.game.moves.size() + 1);
  for (std::size_t i = 0; i < read.game.moves.size(); ++i) {
    const json& move = told["games"][0]["moves"][i];
    CHECK(read.game.moves[i] == move["move"]);
    CHECK(read.annotations[i + 1].is_mistake == move["mistake"]);
    CHECK(read.annotations[i + 1].is_turning_point == move["turning_point"]);
    if (!move["mistake"].get<bool>()) continue;
    const json& before = told["positions"][first[i].get<std::size_t>()];
    REQUIRE(read.annotations[i].variations.size() == 1);
    CHECK(read.annotations[i].variations[0][0] == before["lines"][0]["moves"][0]);
    CHECK(contains(read.annotations[i + 1].comment, "Mistake: "));
  }
  CHECK(contains(files.at("review.html"), "Review of 3 games"));
  CHECK(contains(files.at("review.html"), "#game-1-1-ply-"));

  // Done twice: nothing is searched, and nothing differs; also without a server.
  const ProgramEnd again =
      review({file, "--out", out.string(), "--server", "127.0.0.1:1", "--preset", "uct",
              "--simulations", "300", "--set", "exact=false"});
  CAPTURE(again.err);
  CHECK(again.code == 0);
  CHECK(files_in(out) == files);
}

TEST_CASE("pitboss review: killed twice, by one daemon or several, it writes the same bytes") {
  const ScratchFolder folder;
  const std::string file = (folder / "games.sgf").string();
  std::string games;
  for (std::uint64_t seed = 1; seed <= 12; ++seed) games += random_game("othello size=6", seed);
  write_text(file, games);
  const auto words = [&](const fs::path& out, const Words& servers) {
    Words all{file, "--out", out.string(), "--preset", "reference", "--simulations", "400"};
    for (const std::string& server : servers) all.insert(all.end(), {"--server", server});
    return all;
  };
  const fs::path undisturbed = folder / "undisturbed";
  tests::Daemon one({"--listen", "127.0.0.1:0", "--workers", "1"});
  tests::Daemon two({"--listen", "127.0.0.1:0", "--workers", "2"});
  const std::string at_one = tests::Daemon::address_of(one.output_line());
  const std::string at_two = tests::Daemon::address_of(two.output_line());
  REQUIRE(review(words(undisturbed, {at_one})).code == 0);

  const fs::path killed = folder / "killed";
  std::size_t known = 0;
  for (const int signal : {SIGKILL, SIGKILL, SIGINT}) {
    peers::Process program(command("review", words(killed, {at_one, at_two})));
    while (!fs::exists(killed / "positions.jsonl") ||
           lines_in(killed / "positions.jsonl") < known + 40) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    program.signal(signal);
    CHECK(program.wait() == (signal == SIGINT ? 130 : 128 + signal));
    if (signal == SIGINT) CHECK(contains(program.errors(), "the same command goes on"));
    known = lines_in(killed / "positions.jsonl");
    CHECK(files_in(killed).empty());
  }
  const ProgramEnd end = review(words(killed, {at_two, at_one}));
  CAPTURE(end.err);
  REQUIRE(end.code == 0);
  CHECK(files_in(killed) == files_in(undisturbed));
  CHECK(lines_in(killed / "positions.jsonl") == lines_in(undisturbed / "positions.jsonl"));

  // Other settings make another review.
  Words other = words(killed, {at_one});
  other.insert(other.end(), {"--seed", "2"});
  const ProgramEnd refused = review(other);
  CHECK(refused.code == 2);
  CHECK(contains(refused.err, "other settings"));
}

TEST_CASE("pitboss review: a daemon that goes away is replaced by the others, or ends it") {
  const ScratchFolder folder;
  const std::string file = (folder / "games.sgf").string();
  write_text(file, random_game("othello", 1) + random_game("othello", 2));
  const Words words{file,  "--out", (folder / "out").string(), "--preset", "uct", "--simulations",
                    "2000"};
  auto first = std::make_unique<tests::Daemon>();
  tests::Daemon second;
  Words with_both = words;
  with_both.insert(with_both.end(), {"--server", tests::Daemon::address_of(first->output_line()),
                                     "--server", tests::Daemon::address_of(second.output_line())});
  peers::Process program(command("review", with_both));
  while (!fs::exists(folder / "out" / "positions.jsonl") ||
         lines_in(folder / "out" / "positions.jsonl") < 10) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  first.reset();
  CHECK(program.wait() == 0);
  CHECK(files_in(folder / "out").size() == 4);

  Words with_none = words;
  with_none[2] = (folder / "other").string();
  with_none.insert(with_none.end(), {"--server", "127.0.0.1:1"});
  const ProgramEnd nobody = review(with_none);
  CHECK(nobody.code == 2);
  CHECK(contains(nobody.err, "no daemon at 127.0.0.1:1"));
}

TEST_CASE("pitboss review: what is wrong with one game costs no other") {
  const ScratchFolder folder;
  const auto put = [&](const std::string& name, const std::string& text) {
    write_text(folder / name, text);
    return (folder / name).string();
  };
  const std::string good = put("good.sgf", random_game("connect4", 1, 8));
  const std::string one_move = put("one.sgf", random_game("connect4", 3, 1));
  const std::string small = put("small.sgf", random_game("othello size=6", 1, 4));
  const std::string mixed =
      put("mixed.sgf", random_game("connect4", 4, 6) +
                           "(;FF[4]AP[Pitboss:2]SZ[7]RU[connect4];B[dg];B[dg])\n" +
                           random_game("connect4", 5, 6));
  const std::string empty = put("empty.sgf", "");
  const std::string no_moves = put("start.sgf", random_game("connect4", 1, 0));
  const fs::path out = folder / "out";
  const ProgramEnd end =
      review({good, one_move, small, mixed, empty, no_moves, (folder / "none.sgf").string(),
              "--out", out.string(), "--preset", "uct", "--simulations", "20", "--threads", "1"});
  CAPTURE(end.err);
  CHECK(end.code == 1);
  const json told = json::parse(read_text(out / "review.json"));
  Words places;
  for (const json& game : told["games"]) {
    places.push_back(fs::path(game["place"].get<std::string>()).filename());
  }
  CHECK(places == Words{"good.sgf", "one.sgf", "small.sgf", "mixed.sgf:1", "mixed.sgf:3"});
  CHECK(told["left_out"].size() == 4);
  CHECK(contains(end.err, "mixed.sgf:2: move 2 ('dg') is by the side that is not to move"));
  CHECK(contains(end.err, "empty.sgf: the text holds no game"));
  CHECK(contains(end.err, "start.sgf: it has no move"));
  CHECK(contains(end.err, "none.sgf"));

  const ProgramEnd of_one =
      review({good, small, "--game", "othello", "--out", (folder / "othello").string(), "--preset",
              "uct", "--simulations", "20", "--threads", "1"});
  CHECK(of_one.code == 1);
  CHECK(contains(of_one.err, "good.sgf: it records connect4, not othello"));
  CHECK(json::parse(read_text(folder / "othello" / "review.json"))["games"].size() == 1);

  // Options that a game cannot have leave it out, and the others stay.
  const ProgramEnd options = review({good, put("amazons.sgf", random_game("amazons", 1, 6)),
                                     "--out", (folder / "static").string(), "--preset", "network",
                                     "--simulations", "20", "--threads", "1"});
  CAPTURE(options.err);
  CHECK(options.code == 1);
  CHECK(contains(options.err, "left out: amazons size=10: "));
  CHECK(json::parse(read_text(folder / "static" / "review.json"))["games"].size() == 1);
}

TEST_CASE("pitboss review: a dry run writes nothing; what is refused") {
  const ScratchFolder folder;
  const std::string file = (folder / "game.sgf").string();
  write_text(file, random_game("othello size=6", 1));
  const fs::path out = folder / "out";
  const ProgramEnd dry = review({file, "--dry-run", "--preset", "uct", "--simulations", "50",
                                 "--out", out.string(), "--threads", "1"});
  CAPTURE(dry.err);
  CHECK(dry.code == 0);
  CHECK(contains(dry.out, "1 game, "));
  CHECK(contains(dry.out, " positions/s, measured on "));
  CHECK_FALSE(fs::exists(out));
  // Where no search ends in time, there is no estimate, and there is an end.
  const ProgramEnd slow = review({file, "--dry-run", "--preset", "uct", "--set", "exact=false",
                                  "--simulations", "100000000", "--threads", "1"});
  CHECK(slow.code == 0);
  CHECK(contains(slow.out, "no estimate: 0 positions searched in "));

  const auto refusal = [&](const Words& words) {
    const ProgramEnd end = review(words);
    CHECK(end.code == 2);
    return end.err;
  };
  CHECK(contains(refusal({"--out", out.string()}), "expected files with games"));
  CHECK(contains(refusal({file}), "--out must name a folder"));
  CHECK(contains(refusal({file, "--out", folder.path().string()}), "--out must name a new folder"));
  CHECK(contains(refusal({file, "--out", file}), "is no folder"));
  CHECK(contains(refusal({file, "--out", file + "/out"}), "cannot create"));
  CHECK(contains(refusal({file, "--out", out.string(), "--mistake", "0"}), "--mistake"));
  CHECK(contains(refusal({file, "--out", out.string(), "--set", "alhpa=1"}), "alpha"));
  CHECK(contains(refusal({file, "--out", out.string(), "--set", "seed=1"}), "--seed"));
  CHECK(contains(refusal({file, "--out", out.string(), "--set", "SEED=1"}), "--seed"));
  CHECK(
      contains(refusal({file, "--out", out.string(), "--set", "Simulations=1"}), "--simulations"));
  CHECK(contains(refusal({file, "--out", out.string(), "--preset", "uct", "--set", "ALHPA=1"}),
                 "alpha"));
  CHECK(contains(refusal({(folder / "none.sgf").string(), "--out", out.string()}),
                 "there is no game to review"));
  CHECK_FALSE(fs::exists(out));
}

TEST_CASE("pitboss review: a folder keeps what is not the review's") {
  const ScratchFolder folder;
  const std::string two = (folder / "two.sgf").string();
  const std::string one = (folder / "one.sgf").string();
  write_text(one, "(;GM[4]SZ[5]RE[B+R];B[cc];W[bb])\n");
  write_text(two, read_text(one) + random_game("othello size=6", 1, 3));
  const fs::path out = folder / "out";
  const auto run = [&](const std::string& file) {
    return review({file, "--out", out.string(), "--simulations", "20", "--threads", "1"});
  };
  fs::create_directory(out);
  write_text(out / "review.lock", "");  // of a review that was ended at once
  REQUIRE(run(two).code == 0);
  CHECK(contains(read_text(out / "positions.jsonl"), R"("preset":"reference")"));
  CHECK(contains(read_text(out / "review.html"), "best preset (gomoku"));
  const fs::path games = out / "games";
  write_text(games / "mine.sgf", "(;AN[Pitboss])");
  write_text(games / "0007.sgf", "(;GM[2];B[fe])");
  CHECK(fs::exists(games / "0002.sgf"));
  const ProgramEnd end = run(one);
  CAPTURE(end.err);
  CHECK(end.code == 0);
  CHECK_FALSE(fs::exists(games / "0002.sgf"));
  CHECK(fs::exists(games / "mine.sgf"));
  CHECK(fs::exists(games / "0007.sgf"));
  // The rules have not ended this game, the players have.
  CHECK(contains(read_text(out / "review.html"),
                 R"("how":"won","result":"B+R","reason":"resigned")"));
  for (const fs::path& input : {games / "mine.sgf", games, out / "." / "games" / "mine.sgf"}) {
    const ProgramEnd refused = run(input.string());
    CHECK(refused.code == 2);
    CHECK(contains(refused.err, "is where the review writes its games"));
  }
}

TEST_CASE(
    "pitboss review: a server that never answers, and one that refuses a game, cost nothing") {
  const ScratchFolder folder;
  const std::string file = (folder / "game.sgf").string();
  write_text(file, random_game("connect4", 1, 4));
  tests::Daemon daemon;
  const std::string server = tests::Daemon::address_of(daemon.output_line());
  const ProgramEnd end =
      review({file, "--out", (folder / "out").string(), "--preset", "uct", "--simulations", "20",
              "--server", "127.0.0.1:1", "--server", server});
  CAPTURE(end.err);
  CHECK(end.code == 0);
  CHECK(contains(end.err, "no daemon at 127.0.0.1:1"));
  // The first server has no features, the second one has; alone the first one leaves the game out.
  tests::Daemon with({"--listen", "127.0.0.1:0", "--features", tests::data_folder() + "/features"});
  Words words{file,
              "--out",
              (folder / "features").string(),
              "--preset",
              "uct",
              "--simulations",
              "20",
              "--set",
              "features=connect4",
              "--set",
              "PRIOR=features",
              "--server",
              server};
  const ProgramEnd alone = review(words);
  CHECK(alone.code == 2);
  CHECK(contains(alone.err, "left out: connect4: "));
  CHECK(contains(alone.err, "there are no features"));
  words.insert(words.end(), {"--server", tests::Daemon::address_of(with.output_line())});
  const ProgramEnd both = review(words);
  CAPTURE(both.err);
  CHECK(both.code == 0);
  CHECK(lines_in(folder / "features" / "positions.jsonl") == 6);
}

}  // namespace pitboss::clients
