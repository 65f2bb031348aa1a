#include "clients/players/plain_gtp_engine.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "games/bad_game.hpp"
#include "games/letter_case.hpp"
#include "games/move_words.hpp"
#include "games/notation.hpp"
#include "games/records/game_record.hpp"
#include "games/swap.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using games::Colour;

namespace {

constexpr std::string_view pass = games::pass_text;
constexpr std::string_view swap = games::SwapRule::text;
constexpr std::string_view stone_moves = games::swap_pieces_text;

std::unique_ptr<games::AnyGame> position_after(const games::AnyGame& initial,
                                               const std::vector<std::string>& moves) {
  return games::last_position({initial.clone(), moves});
}

bool is_word(std::string_view move) { return games::points_of(move).empty(); }

}  // namespace

asio::awaitable<Declaration> PlainGtpEngine::examine(const Match& match) {
  if (match.colours.size() != 2) {
    throw refusal("an engine that speaks plain GTP cannot play " + match.game +
                  ": it is not a game for two");
  }
  for (const char* const command : {"clear_board", "play", "genmove"}) {
    if (!has_line(commands_, command)) {
      throw refusal("the engine does not have the command " + std::string(command));
    }
  }
  co_await watch(set_up(match, 0));
  if (is_hex() && initial_->parameters().text("swap") != "off") co_await watch(expect_swap());
  co_return declaration_;
}

/// It may be another program than before, with other commands for clocks.
asio::awaitable<void> PlainGtpEngine::greet() {
  forget_clock();
  found_for_.clear();
  co_await GtpEngine::greet();
  commands_ = co_await demand("list_commands");
}

asio::awaitable<void> PlainGtpEngine::look_for_clock() {
  std::string systems;
  if (has_line(commands_, "kata-list_time_settings")) {
    systems = co_await demand("kata-list_time_settings");
  }
  set_clock(clock_of_others(*player().clock, commands_, systems));
}

asio::awaitable<void> PlainGtpEngine::set_up(const Match& match, std::int64_t) {
  begin_game(match);
  figures_.clear();
  moves_.clear();
  initial_ = match.initial_position();
  position_ = initial_->clone();
  for (const std::string& command : player().setup) co_await demand(command);
  if (match.parameters.has("size")) co_await demand("boardsize " + match.parameters.text("size"));
  if (player().clock && !clock()) co_await look_for_clock();
  co_await start_over();
  if (found_for_ != rules_text(match)) co_await find_notation(match);
  const std::vector<std::string> questions(program_questions.begin(), program_questions.end());
  declaration_ = {};
  declaration_.set_program(hear_program(co_await client().ask_all(questions, patience())));
  if (const std::string found = notation_->text(); !player().dialect && !found.empty()) {
    declaration_.add_option(dialect_option, found);
  }
  if (clock()) declaration_.add_option("clock", clock()->text());
}

asio::awaitable<void> PlainGtpEngine::start_over() {
  co_await demand("clear_board");
  if (clock() && !clock()->settings.empty()) co_await demand(clock()->settings);
}

/// By what the engine lists and draws, by first moves that it takes or refuses, and, if it takes
/// those of several notations, by a move of its own.
asio::awaitable<void> PlainGtpEngine::find_notation(const Match& match) {
  found_for_ = rules_text(match);
  pass_words_ = {pass, "PASS", "null"};
  swap_words_ = {swap, stone_moves};
  if (is_hex()) swap_words_ = {swap_of_hex()};
  if (player().dialect) {
    notation_.emplace(*player().dialect, initial_->shape());
    co_return;
  }
  notation_.emplace(*initial_);
  co_await hear_what_it_lists();
  while (const auto question = notation_->next_question(*initial_)) {
    const bool is_taken = co_await takes(*question);
    if (is_taken) {
      notation_->accept(question->text);
    } else if (!notation_->refuse(*position_after(*initial_, question->line), question->text)) {
      break;
    }
  }
  if (!notation_->is_open()) co_return;
  const std::string command = genmove_command(initial_->to_move());
  const GtpAnswer answer = co_await client().ask(command, match.move_timeout);
  if (answer.ok) notation_->hear(*initial_, {}, answer.text);
  co_await start_over();
}

/// An engine may list moves otherwise than it plays them: this only puts the questions in order.
asio::awaitable<void> PlainGtpEngine::hear_what_it_lists() {
  if (has_line(commands_, "showboard")) {
    const GtpAnswer answer = co_await client().ask("showboard", patience());
    if (answer.ok) notation_->prefer_by_board(answer.text);
  }
  for (const char* const command : {"gogui-rules_legal_moves", "legal_moves"}) {
    if (!has_line(commands_, command)) continue;
    const GtpAnswer answer = co_await client().ask(command, patience());
    if (answer.ok) notation_->prefer_by_moves(*initial_, answer.text);
  }
}

asio::awaitable<bool> PlainGtpEngine::takes(const NotationQuestion& question) {
  const auto position = initial_->clone();
  std::vector<std::string> commands;
  for (const std::string& move : question.line) {
    commands.push_back(play_command(position->to_move(), notation_->to_program(move)));
    position->play(move);
  }
  commands.push_back(play_command(position->to_move(), question.text));
  const std::vector<GtpAnswer> answers = co_await client().ask_all(commands, patience());
  co_await start_over();
  co_return std::ranges::all_of(answers, &GtpAnswer::ok);
}

/// The word for the swap of the game of hex.
std::string_view PlainGtpEngine::swap_of_hex() const {
  return initial_->parameters().text("swap") == "pieces" ? stone_moves : swap;
}

/// In hex `swap` and `swap-pieces` are two rules: with the second the stone moves to the other side
/// of the long diagonal.
asio::awaitable<void> PlainGtpEngine::expect_swap() {
  const std::string_view right = swap_of_hex();
  const std::string_view wrong = right == swap ? stone_moves : swap;
  NotationQuestion question{{initial_->legal_moves().front()}, std::string(right)};
  const bool is_right = co_await takes(question);
  question.text = wrong;
  const bool is_wrong = co_await takes(question);
  if (is_right) co_return;
  if (right == stone_moves) {
    throw refusal("the program does not take swap-pieces, as swap=pieces asks; play with swap=off");
  }
  if (!is_wrong) co_return;
  throw refusal(
      "swap-pieces is not the swap of hex, which leaves the stone where it is; play with "
      "swap=pieces, or off");
}

asio::awaitable<void> PlainGtpEngine::tell_all() {
  if (std::vector<std::string> commands = take_untold(); !commands.empty()) {
    co_await watch(client().demand_all(std::move(commands), patience()));
  }
}

bool PlainGtpEngine::must_pass() const {
  const std::vector<std::string> legal = position_->legal_moves();
  return legal.size() == 1 && legal.front() == pass;
}

/// Moves whose notation is known are told with the next question.
asio::awaitable<void> PlainGtpEngine::play(Colour mover, std::string move) {
  moves_.push_back(move);
  if (is_word(move) || notation_->is_unsure(move)) {
    co_await tell_all();
    const bool is_taken = co_await watch(takes_move(*position_, mover, move));
    if (!is_taken) co_await watch(replay());
  } else {
    tell(play_command(mover, notation_->to_program(move)));
  }
  position_->play(move);
}

/// False if it has to be told the game anew, in another notation or with a swap told otherwise.
asio::awaitable<bool> PlainGtpEngine::takes_move(const games::AnyGame& position, Colour mover,
                                                 const std::string& move) {
  if (is_word(move)) {
    const bool is_taken = co_await takes_word(mover, move == pass ? pass_words_ : swap_words_);
    co_return is_taken || move == pass;
  }
  const std::string text = notation_->to_program(move);
  const std::string command = play_command(mover, text);
  const GtpAnswer answer = co_await client().ask(command, patience());
  if (answer.ok) {
    notation_->accept(text);
  } else if (!notation_->refuse(position, text)) {
    expect_success({&command, 1}, {&answer, 1});
  }
  co_return answer.ok;
}

asio::awaitable<bool> PlainGtpEngine::takes_word(Colour mover,
                                                 std::vector<std::string_view>& words) {
  while (!words.empty()) {
    const std::string command = play_command(mover, std::string(words.front()));
    const GtpAnswer answer = co_await client().ask(command, patience());
    if (answer.ok) co_return true;
    words.erase(words.begin());
  }
  co_return false;
}

/// Tells the moves of this game from the beginning, as they are written now.
asio::awaitable<void> PlainGtpEngine::replay() {
  static_cast<void>(take_untold());
  for (bool is_told = false; !is_told;) {
    co_await start_over();
    const auto position = initial_->clone();
    is_told = true;
    for (std::size_t i = 0; is_told && i < moves_.size(); ++i) {
      const bool is_taken_over =
          swap_words_.empty() && i + 1 < moves_.size() && moves_[i + 1] == swap;
      const Colour mover = position->to_move();
      is_told = co_await takes_move(*position, is_taken_over ? opponent(mover) : mover, moves_[i]);
      position->play(moves_[i]);
      if (is_taken_over) position->play(moves_[++i]);
    }
  }
}

/// None of an engine that does not comment.
asio::awaitable<std::vector<MoveFigures>> PlainGtpEngine::figures() {
  const bool has_told =
      std::ranges::any_of(figures_, [](const MoveFigures& one) { return one.effort != Effort{}; });
  co_return has_told ? figures_ : std::vector<MoveFigures>();
}

asio::awaitable<std::string> PlainGtpEngine::genmove(Colour mover,
                                                     std::chrono::milliseconds timeout) {
  std::string answer(pass);
  MoveFigures figures;
  if (!must_pass() || !pass_words_.empty()) {
    answer = co_await hear_move(mover, timeout);
    figures = figures_of(client().told());
  }
  figures_.push_back(figures);
  std::string move = notation_->from_program(answer);
  // The words for a swap are two rules there.
  if (move == swap && is_hex() && !games::same_ignoring_case(answer, swap_of_hex())) {
    move = games::in_lower_case(answer);
  }
  try {
    moves_.push_back(position_->play(move));
  } catch (const games::BadSyntax&) {
    co_return is_word(move) ? move : answer;  // the referee judges it
  } catch (const games::BadGame&) {
    co_return move;
  }
  if (games::same_ignoring_case(answer, games::swap_sides_text)) {
    swap_words_.clear();
    co_await watch(replay());
  }
  co_return move;
}

/// The engine's answer, before which it may have to be told the game anew; "pass" where it must.
asio::awaitable<std::string> PlainGtpEngine::hear_move(Colour mover,
                                                       std::chrono::milliseconds timeout) {
  std::string answer = co_await ask_for_move(mover, timeout);
  if (must_pass()) {
    // Whatever an engine answers where it must pass but a point, is a pass.
    if (is_word(answer)) co_return std::string(pass);
    if (is_other_sides(answer)) {
      pass_words_.clear();
      co_await watch(replay());
      co_return std::string(pass);
    }
  }
  while (!is_word(answer) && notation_->hear(*position_, moves_, answer)) {
    co_await watch(replay());
    answer = co_await ask_for_move(mover, timeout);
  }
  co_return answer;
}

/// An engine that passes by itself takes the turn for the other's, and may refuse to move.
asio::awaitable<std::string> PlainGtpEngine::ask_for_move(Colour mover,
                                                          std::chrono::milliseconds timeout) {
  if (!must_pass()) co_return co_await GtpEngine::genmove(mover, timeout);
  co_await tell_all();
  try {
    co_return co_await GtpEngine::genmove(mover, timeout);
  } catch (const EngineFailure& failure) {
    if (failure.kind() != EngineFailure::Kind::refused) throw;
  }
  co_return std::string(pass);
}

/// Whether it is a move of the side that is to move behind a pass.
bool PlainGtpEngine::is_other_sides(const std::string& answer) const {
  const auto position = position_->clone();
  position->play(pass);
  try {
    position->play(notation_->from_program(answer));
    return true;
  } catch (const games::BadGame&) {
    return false;
  }
}

}  // namespace pitboss::clients
