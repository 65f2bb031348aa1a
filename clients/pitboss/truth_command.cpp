#include <algorithm>
#include <boost/program_options.hpp>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "clients/experiments/match.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/commands.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/results/document/formatting.hpp"
#include "clients/results/record_files.hpp"
#include "engine/exact/exact_solver.hpp"
#include "engine/exact/teeko_solution.hpp"
#include "environment/folders.hpp"
#include "games/records/game_record.hpp"
#include "games/records/record_file.hpp"
#include "games/text_file.hpp"

namespace pitboss::clients {

namespace {

namespace po = boost::program_options;
using Json = nlohmann::ordered_json;

constexpr std::string_view truth_usage =
    "What positions come to when both sides play their best, by a proof (connect4, hex, teeko; "
    "small\n"
    "boards of atarigo, breakthrough and knightthrough; the ends of every other game for two "
    "but\n"
    "cannon, Chinese checkers and fanorona).\n\n"
    "  pitboss truth game.sgf                         each position of a record: SGF, GGF, PSQ;\n"
    "                                                 --game names the game of one that does not\n"
    "  pitboss truth positions.txt --game othello     positions, one a line, as the command\n"
    "                                                 position of a daemon reads them\n"
    "  pitboss truth --make-table teeko               the table from which daemons of the same "
    "user\n"
    "                                                 and this command read teeko's results\n\n";

struct TruthFlags {
  std::string game;
  double seconds = 10;
  int table_mb = 256;
  std::string table;  ///< of this game; empty: none
  bool of_moves = false;
  bool as_json = false;
};

po::options_description describe(TruthFlags& a) {
  po::options_description all("Options", 100, 50);
  auto add = all.add_options();
  add("game", po::value(&a.game)->value_name("NAME"),
      "the game of the file, perhaps with parameters: \"othello size=6\"");
  add("moves", po::bool_switch(&a.of_moves), "tell of each legal move, too");
  add("seconds", po::value(&a.seconds)->value_name("N"), "for a position at most (default: 10)");
  add("table-mb", po::value(&a.table_mb)->value_name("N"),
      "MiB for what a solver remembers (default: 256)");
  add("make-table", po::value(&a.table)->value_name("GAME"),
      "make the table of teeko in ~/.cache/pitboss: 13 MB, some ten seconds");
  add("json", po::bool_switch(&a.as_json), "one object of JSON");
  add("help", "this text");
  return all;
}

/// A position, and what is known of it.
struct Truth {
  std::unique_ptr<games::AnyGame> position;
  std::string played{};        ///< the move of the record; empty: none
  std::optional<int> score{};  ///< of the side to move, and of a best move
  std::string best{};
  std::vector<engine::ExactMove> moves{};  ///< if they are asked for, as far as they are known
  bool counts_points = false;
};

/// Looks for the score of the position, and of each move if that `needs_moves`. Where no proof is
/// to be expected in the time, a bite tells what threats decide.
void solve(Truth& truth, const TruthFlags& a, bool needs_moves) {
  const games::AnyGame& position = *truth.position;
  constexpr double error = 10;  // of what is expected
  const bool is_promising = engine::expected_positions(position).value() <=
                            error * engine::positions_a_second(position) * a.seconds;
  const auto solver =
      engine::make_exact_solver(position, static_cast<std::size_t>(a.table_mb) << 20U);
  using Clock = environment::AwakeClock;
  const std::chrono::duration<double> time(a.seconds);
  const auto end = Clock::now() + std::chrono::duration_cast<Clock::duration>(time);
  auto limit =
      is_promising ? engine::Patience(end) : engine::Patience(end, {}, engine::positions_a_bite);
  truth.counts_points = solver->counts_points();
  if (const auto best = solver->best(limit)) {
    truth.score = best->score;
    truth.best = best->move;
  }
  if (!needs_moves) return;
  static_cast<void>(solver->run(limit));
  truth.moves = solver->moves();
}

/// What the move played comes to for its mover: the position after it, seen from the other side.
std::optional<int> score_played(const Truth& truth, const Truth* after) {
  for (const engine::ExactMove& move : truth.moves) {
    if (move.move == truth.played) return move.score;
  }
  return after != nullptr && after->score ? std::optional(-*after->score) : std::nullopt;
}

void make_table(const std::string& game) {
  if (game != games::Teeko::name) {
    throw UserError("--make-table: there is a table of teeko, not of '" + game + "'");
  }
  const auto folder = environment::cache_folder();
  const auto file = folder / engine::TeekoSolution::file_name;
  std::filesystem::create_directories(folder);
  replace_file(file, engine::TeekoTable::made().bytes());
  std::cout << "the table of teeko is in " << file.string() << "\n";
}

// ---- what is asked

Truth truth_of(const games::AnyGame& position) { return {.position = position.clone()}; }

/// The positions of a record before each of its moves and, unless the game is over, after them.
std::vector<Truth> of_record(const games::FileAndGame& which, std::string_view text,
                             const games::AnyGame& now) {
  std::vector<Truth> truths;
  const auto all = games::read_records(text);
  const auto read = games::record_from_sgf(games::chosen_game(all, which.game, which.file), now);
  const auto position = read.game.start->clone();
  for (const std::string& move : read.game.moves) {
    truths.push_back(truth_of(*position));
    truths.back().played = position->play(move);
  }
  if (!position->result().finished()) truths.push_back(truth_of(*position));
  return truths;
}

/// A position a line; blank lines and those that begin with # are left out.
std::vector<Truth> of_positions(const std::string& file, const std::string& text,
                                const games::AnyGame& start) {
  std::vector<Truth> truths;
  std::istringstream lines(text);
  int number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    if (line.find_first_not_of(" \t\r") == std::string::npos || line.front() == '#') continue;
    truths.push_back(truth_of(start));
    const std::string where = file + ", line " + std::to_string(number) + ": ";
    try {
      truths.back().position->set_position(line);
    } catch (const games::BadGame& bad) {
      throw UserError(where + bad.what());
    }
    if (truths.back().position->result().finished()) {
      throw UserError(where + "the game is over: no move has a result");
    }
  }
  if (truths.empty()) throw UserError(file + " holds no position");
  return truths;
}

void expect_solver(const games::AnyGame& game) {
  if (!engine::expected_positions(game)) throw UserError(engine::why_unsolved(game));
}

std::vector<Truth> truths_asked_for(const TruthFlags& a, const std::string& word) {
  Match match;
  set_game(match, a.game.empty() ? "connect4" : a.game);
  const auto start = match.initial_position();
  expect_solver(*start);
  try {
    const games::FileAndGame which = games::file_and_game(word);
    const std::string text = games::read_text_file(which.file);
    const bool is_record = a.game.empty() || which.game || games::begins_like_record(text);
    auto truths =
        is_record ? of_record(which, text, *start) : of_positions(which.file, text, *start);
    if (!truths.empty()) expect_solver(*truths.front().position);
    return truths;
  } catch (const games::UnreadableFile& bad) {
    throw UserError(bad.what());
  } catch (const games::BadRecord& bad) {
    const std::string advice =
        a.game.empty() ? "; for positions, one a line, say their game: --game NAME" : "";
    throw UserError(word + ": " + bad.what() + advice);
  }
}

// ---- what is told

std::string text_of(const std::optional<int>& score, bool counts_points) {
  std::string text(engine::word_of_score(score));
  if (score && *score != 0 && counts_points) text += " by " + std::to_string(std::abs(*score));
  return text;
}

void print(const Truth& truth, const Truth* after, std::size_t number, bool of_moves) {
  const auto text = [&](const auto& score) { return text_of(score, truth.counts_points); };
  const games::AnyGame& position = *truth.position;
  std::cout << format("%4zu  %-6s %-12s", number,
                      std::string(position.name_of(position.to_move())).c_str(),
                      text(truth.score).c_str());
  if (!truth.best.empty()) std::cout << "  best " << truth.best;
  if (!truth.played.empty()) {
    std::cout << "  played " << truth.played << ": " << text(score_played(truth, after));
  }
  std::cout << "\n";
  if (of_moves) {
    for (const engine::ExactMove& move : truth.moves) {
      std::cout << "      " << move.move << ": " << text(move.score) << "\n";
    }
  }
  std::cout << std::flush;  // the next one may take long
}

void add_score(Json& json, const std::optional<int>& score, bool counts_points) {
  json["exact"] = engine::word_of_score(score);
  if (score && counts_points) json["points"] = *score;
}

Json json_of(const Truth& truth, const Truth* after, bool of_moves) {
  const games::AnyGame& position = *truth.position;
  Json json{{"position", position.position()}, {"to_move", position.name_of(position.to_move())}};
  add_score(json, truth.score, truth.counts_points);
  json["best"] = truth.best.empty() ? Json() : Json(truth.best);
  if (!truth.played.empty()) {
    json["played"] = {{"move", truth.played}};
    add_score(json["played"], score_played(truth, after), truth.counts_points);
  }
  if (!of_moves) return json;
  json["moves"] = Json::array();
  for (const engine::ExactMove& move : truth.moves) {
    add_score(json["moves"].emplace_back(Json{{"move", move.move}}), move.score,
              truth.counts_points);
  }
  return json;
}

}  // namespace

int truth_command(const std::vector<std::string>& arguments) {
  TruthFlags flags;
  std::vector<std::string> words;
  if (!read_flags("truth", truth_usage, describe(flags), arguments, &words)) return 0;
  if (!flags.table.empty()) {
    if (arguments.size() != 2) throw UserError("--make-table goes with nothing else");
    make_table(flags.table);
    return 0;
  }
  if (words.size() != 1) throw UserError("expected one file; see pitboss truth --help");
  if (!(flags.seconds > 0 && flags.seconds <= 86400)) {
    throw UserError("--seconds must be above 0 and at most 86400");
  }
  if (flags.table_mb < 1 || flags.table_mb > 65536) {
    throw UserError("--table-mb must be from 1 to 65536");
  }
  auto truths = truths_asked_for(flags, words[0]);
  Json positions = Json::array();
  const auto tell = [&](std::size_t i, const Truth* after) {
    if (flags.as_json) {
      positions.push_back(json_of(truths[i], after, flags.of_moves));
    } else {
      print(truths[i], after, i + 1, flags.of_moves);
    }
  };
  for (std::size_t i = 0; i < truths.size(); ++i) {
    const bool ends_the_game = i + 1 == truths.size() && !truths[i].played.empty();
    solve(truths[i], flags, flags.of_moves || ends_the_game);
    if (i > 0 && !truths[i - 1].played.empty()) tell(i - 1, &truths[i]);
    // What the move played comes to is known with the next position.
    const bool awaits_next = i + 1 < truths.size() && !truths[i].played.empty();
    if (!awaits_next) tell(i, nullptr);
  }
  if (!flags.as_json) return 0;
  std::cout << Json{{"version", 1}, {"positions", std::move(positions)}}.dump() << "\n";
  return 0;
}

}  // namespace pitboss::clients
