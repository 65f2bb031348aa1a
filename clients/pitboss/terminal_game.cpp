#include "clients/pitboss/terminal_game.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <istream>
#include <ostream>
#include <sstream>
#include <utility>

#include "clients/referee/ledger/played_game.hpp"
#include "engine/wakeup.hpp"
#include "games/in_words.hpp"
#include "games/rules_text.hpp"
#include "games/suggestion.hpp"

namespace pitboss::clients {

namespace {

/// Moves of an expected line that are shown.
constexpr std::size_t longest_line = 6;

/// " (it expects to score 62 %)": the value of the move to be played.
std::string expectation(const engine::Report& report, std::string_view who) {
  const auto move = std::ranges::find(report.moves, report.move, &engine::MoveReport::move);
  if (move == report.moves.end() || move->visits == 0) return "";
  const auto percent = std::lround(100 * std::clamp(move->value, 0.0, 1.0));
  return " (" + std::string(who) + " to score " + std::to_string(percent) + " %)";
}

}  // namespace

TerminalGame::TerminalGame(games::Record begun, games::Colour person, engine::Options options,
                           const engine::Models& models, std::istream& in, std::ostream& out)
    : start_(std::move(begun.start)),
      game_(start_->clone()),
      person_(person),
      options_(std::move(options)),
      search_(engine::make_search(*start_, models)),
      in_(in),
      out_(out) {
  for (const std::string& move : begun.moves) {
    const games::Colour mover = game_->to_move();
    moves_.push_back({mover, game_->play(move)});
  }
}

const std::vector<TerminalGame::Command>& TerminalGame::commands() {
  static const std::vector<Command> list{
      {"hint", "what the engine would play", &TerminalGame::hint},
      {"undo", "takes back your last move and what followed", &TerminalGame::undo},
      {"moves", "the legal moves", &TerminalGame::list_moves},
      {"board", "the board once more", &TerminalGame::show_board},
      {"rules", "the rules in short", &TerminalGame::tell_rules},
      {"switch", "changes sides: the engine moves for you from now on",
       &TerminalGame::switch_sides},
      {"new", "begins the game anew", &TerminalGame::begin_anew},
      {"help", "this list", &TerminalGame::help},
      {"quit", "ends (so does Ctrl-D)", &TerminalGame::quit},
  };
  return list;
}

void TerminalGame::play() {
  out_ << games::rules_text(*start_) << "\n";
  tell_rules();
  out_ << "You play " << start_->name_of(person_) << ". Type a move, or help.\n\n";
  show_board();
  while (!is_over_) {
    const bool has_ended = game_->result().finished();
    if (!has_ended && game_->to_move() != person_) {
      engine_moves();
      continue;
    }
    out_ << (has_ended ? "new, undo or quit" : game_->name_of(person_)) << "> " << std::flush;
    std::string line;
    if (!std::getline(in_, line)) {
      out_ << "\n";
      return;
    }
    std::istringstream words(line);
    std::string word;
    std::string rest;
    if (!(words >> word)) continue;
    if (words >> rest) {
      out_ << "One word at a time: a move or a command (help lists them).\n";
    } else {
      obey(word);
    }
  }
}

void TerminalGame::obey(const std::string& word) {
  const std::string name = word == "exit" ? "quit" : word;
  const auto command = std::ranges::find(commands(), name, &Command::name);
  if (command != commands().end()) return (this->*command->run)();
  play_move(word);
}

void TerminalGame::play_move(const std::string& word) {
  try {
    const games::Colour mover = game_->to_move();
    moves_.push_back({mover, game_->play(word)});
    const bool goes_on = !game_->result().finished();
    if (goes_on && game_->to_move() != person_) return;  // the engine's answer shows the board
    show_board();
  } catch (const games::BadSyntax&) {
    std::vector<std::string_view> names;
    for (const Command& command : commands()) names.push_back(command.name);
    const std::string similar = games::did_you_mean(word, names);
    out_ << "'" << word << "' is neither a move nor a command"
         << (similar.empty() ? "; help lists the commands, moves the moves" : similar) << "\n";
  } catch (const games::BadGame&) {
    out_ << (game_->result().finished() ? "The game is over: new, undo or quit?"
                                        : "'" + word + "' is not legal here; moves lists what is.")
         << "\n";
  }
}

engine::Report TerminalGame::searched() {
  engine::Wakeup wakeup;
  search_->begin(*game_, static_cast<int>(moves_.size()), options_, engine::limits_of(options_),
                 wakeup.waker());
  wakeup.finish(*search_);
  return search_->report(1);
}

void TerminalGame::engine_moves() {
  const games::Colour mover = game_->to_move();
  out_ << game_->name_of(mover) << " thinks ..." << std::flush;
  const engine::Report report = searched();
  moves_.push_back({mover, game_->play(report.move)});
  out_ << " and plays " << report.move << expectation(report, "it expects") << "\n\n";
  show_board();
}

void TerminalGame::hint() {
  if (game_->result().finished()) {
    out_ << "The game is over.\n";
    return;
  }
  const engine::Report report = searched();
  out_ << "The engine would play " << report.move << expectation(report, "you may expect");
  if (report.pv.size() > 1) {
    std::vector<std::string> line = report.pv;
    line.resize(std::min<std::size_t>(line.size(), longest_line));
    out_ << ", and expects " << join(line);
  }
  out_ << "\n";
}

void TerminalGame::undo() {
  const bool has_moved = std::ranges::count(moves_, person_, &Move::mover) > 0;
  if (!has_moved) {
    out_ << "There is no move of yours to take back.\n";
    return;
  }
  while (moves_.back().mover != person_) moves_.pop_back();
  moves_.pop_back();
  game_ = start_->clone();
  for (const Move& move : moves_) static_cast<void>(game_->play(move.text));
  show_board();
}

void TerminalGame::list_moves() {
  if (game_->result().finished()) {
    out_ << "None: the game is over.\n";
    return;
  }
  out_ << join(game_->legal_moves()) << "\n";
}

void TerminalGame::show_board() {
  out_ << game_->board_text() << "\n";
  if (!game_->result().finished()) return;
  const double share = game_->result().share(person_);
  const bool is_draw = share > 0 && share < 1;
  if (!is_draw) out_ << (share == 0 ? "The engine has won.\n" : "You have won.\n");
}

void TerminalGame::tell_rules() { out_ << games::rules_in_words(start_->name()) << "\n"; }

void TerminalGame::switch_sides() {
  if (game_->result().finished()) {
    out_ << "The game is over: new, undo or quit?\n";
    return;
  }
  person_ = static_cast<games::Colour>((games::index(person_) + 1) % start_->players());
  out_ << "You play " << start_->name_of(person_) << ".\n";
}

void TerminalGame::begin_anew() {
  moves_.clear();
  game_ = start_->clone();
  search_->forget();
  show_board();
}

void TerminalGame::help() {
  out_ << "A move is written as `moves` lists it. Commands:\n";
  constexpr std::size_t width = 8;
  for (const Command& command : commands()) {
    out_ << "  " << command.name << std::string(width - command.name.size(), ' ') << command.help
         << "\n";
  }
}

}  // namespace pitboss::clients
