#include "clients/referee/game_in_play.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <string_view>

#include "clients/referee/exact_score.hpp"
#include "games/forbidding_rule.hpp"
#include "games/letter_case.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using environment::AwakeClock;
using games::Colour;
using Seconds = protocol::TimeSettings::Seconds;

namespace {

/// How much longer than its clock allows an engine is waited for, so that one that is a little late
/// need not be started anew.
constexpr std::chrono::milliseconds late_answer = std::chrono::seconds(1);

/// Whether a loss might be none if time had not stood still.
bool is_of_time(const Loss& loss) {
  using enum Loss::Kind;
  return loss.kind == time || loss.kind == silent || loss.kind == gone;
}

Loss lost_on_time(int player) { return {player, std::string(time_forfeit), Loss::Kind::time}; }

/// A shorter stop changes little, and none is looked for.
constexpr Seconds long_enough{0.5};

std::string stood_still_for(Seconds time) {
  std::array<char, 64> text;
  std::snprintf(text.data(), text.size(), "time stood still for %.1f s", time.count());
  return text.data();
}

/// Whether a refusal is the server's failure: it cannot do now what it did when the match began.
bool is_servers(const EngineFailure& failure) {
  using enum protocol::FailureCode;
  if (!failure.code()) return false;
  constexpr std::array of_engines{bad_argument, illegal_move, unknown_command, wrong_state};
  return std::ranges::find(of_engines, *failure.code()) == of_engines.end();
}

}  // namespace

asio::awaitable<GameEnd> GameInPlay::play(const ServerWatch& servers) {
  std::optional<Loss> loss;
  try {
    co_await play_to_the_end();
  } catch (const Loss& l) {
    loss = l;
  }
  if (loss && is_of_time(*loss)) {
    if (const auto standstill = standstill_of(loss->loser)) throw *standstill;
  }
  if (loss && (is_silent_ || loss->kind == Loss::Kind::silent)) {
    const Player& who = match_.players[loss->loser];
    const bool is_ours = who.language == Language::pitboss;
    if (is_ours && !co_await servers.answers(who.location)) {
      co_return GameEnd{.silence = Standstill{loss->loser, loss->reason}};
    }
  }
  const bool is_engine_sound = !loss || loss->kind == Loss::Kind::resignation ||
                               loss->kind == Loss::Kind::time;  // a silent one is closed by now
  if (!is_engine_sound) engine_of(loss->loser).close();
  co_await ask_for_figures();
  for (const int player : players()) check_declared(player);
  if (!loss) {
    GameEnd end{.record = ended()};
    co_return end;
  }
  const bool is_gone = loss->kind == Loss::Kind::gone;
  GameEnd end{.record = lost(*loss)};
  if (is_gone) end.gone = loss->loser;
  end.is_before_first_move = !was_asked_[static_cast<std::size_t>(loss->loser)];
  co_return end;
}

/// The rules of a match.
asio::awaitable<void> GameInPlay::play_to_the_end() {
  for (const int player : players()) co_await begin(player);
  for (int c = 0; c < seating_.colours(); ++c) {
    const auto& clock = clock_of(static_cast<Colour>(c));
    if (clock) time_left_[c] = protocol::time_at_start(*clock);
  }

  for (const std::string& move : opening_) {
    const Colour mover = position_->to_move();
    position_->play(move);
    for (const int player : players()) co_await tell(player, mover, move);
  }

  while (!is_over()) {
    const Colour mover = position_->to_move();
    const int player = seating_.player_of(mover);
    const std::string answer = co_await ask_for_move(mover);
    if (games::same_ignoring_case(answer, "resign"))
      throw Loss{player, "resigned", Loss::Kind::resignation};
    play(mover, answer);
    movers_.push_back(player);
    clocks_.push_back(time_left_[games::index(mover)]);
    if (match_.adjudication.is_on()) co_await adjudicate(player);
    // Nobody is told the last move: a game that has ended cannot be lost any more. Whoever has
    // made a move knows it, at all its seats.
    if (!is_over()) co_await tell(1 - player, mover, moves_.back());
  }
}

asio::awaitable<std::optional<PlayedGame>> GameInPlay::set_up_opponent() {
  co_await begin(1);
  co_return std::nullopt;
}

asio::awaitable<std::optional<PlayedGame>> GameInPlay::play_as_duel() {
  Engine& engine = engine_of(0);
  co_await begin(0);
  for (const std::string& move : opening_) {
    co_await engine.play(position_->to_move(), move);
    position_->play(move);
  }
  std::vector<int> owner;
  for (int c = 0; c < seating_.colours(); ++c) {
    owner.push_back(seating_.player_of(static_cast<Colour>(c)));
  }
  while (!is_over()) {
    const int played = static_cast<int>(moves_.size());
    const int most = match_.max_plies > 0 ? match_.max_plies - played : Duellist::most_plies;
    const auto stood_still = AwakeClock::stood_still();
    take(co_await engine.duellist()->duel(match_.players[1], engine_seed(match_, game_, 1), owner,
                                          std::min(most, Duellist::most_plies),
                                          match_.move_timeout));
    for (const int player : {0, 1}) expect_time_went_on(player, stood_still, Seconds{});
  }
  co_return ended();
}

/// Checks and takes over the moves that a server has played.
void GameInPlay::take(const Exchange& exchange) {
  for (std::size_t i = 0; i < exchange.moves.size(); ++i) {
    const Colour mover = position_->to_move();
    const int player = seating_.player_of(mover);
    if (is_over()) throw Loss{player, "plays on"};
    play(mover, exchange.moves[i]);
    values_.push_back(exchange.figures[i].value);
    efforts_[player].push_back(exchange.figures[i].effort);
  }
  for (const int player : {0, 1}) {
    seconds_[player] += exchange.seconds[player];
    if (exchange.longest[player] * 1000 > static_cast<double>(match_.move_timeout.count())) {
      throw Loss{player, "no answer in " + seconds_text(match_.move_timeout)};
    }
  }
}

asio::awaitable<void> GameInPlay::begin(int player) {
  std::optional<EngineFailure> failure;
  try {
    co_await engine_of(player).begin(match_, engine_seed(match_, game_, player));
  } catch (const EngineFailure& f) {
    failure = f;
  }
  check_declared(player);
  if (!failure) co_return;
  // It was set up so when the match began.
  const bool is_ours = match_.players[player].language == Language::pitboss;
  if (is_ours && failure->kind() == EngineFailure::Kind::refused) {
    throw halt(player, std::string("is not set up as before: ") + failure->what());
  }
  fail(player, *failure);
}

void GameInPlay::check_declared(int player) const {
  if (!declared_[player]) return;
  const std::string how = change(*declared_[player], engine_of(player).declaration());
  if (!how.empty()) throw halt(player, how + " when the match began");
}

Halt GameInPlay::halt(int player, const std::string& why) const {
  const Player& who = match_.players[player];
  return {player, "the engine of " + who.name + " at " + match_.game + " (" +
                      text_of(who.location) + ") " + why};
}

void GameInPlay::fail(int player, const EngineFailure& failure) const {
  // A server that has a fault closes the connection.
  const bool is_gone = failure.kind() == EngineFailure::Kind::closed ||
                       failure.code() == protocol::FailureCode::internal;
  if (!is_gone && is_servers(failure)) {
    throw halt(player, std::string("cannot go on: ") + failure.what());
  }
  std::string reason = failure.what();
  if (failure.kind() == EngineFailure::Kind::refused && !reason.starts_with("refused: ")) {
    reason = "refused: " + reason;
  }
  const bool is_silent = failure.kind() == EngineFailure::Kind::silent;
  throw Loss{player, reason,
             is_gone     ? Loss::Kind::gone
             : is_silent ? Loss::Kind::silent
                         : Loss::Kind::forfeit};
}

asio::awaitable<std::string> GameInPlay::ask_for_move(Colour colour) {
  const int player = seating_.player_of(colour);
  Engine& engine = engine_of(player);
  was_asked_[player] = true;
  for (int c = 0; c < seating_.colours(); ++c)
    engine.tell_time(static_cast<Colour>(c), time_left_[c]);
  const auto asked = AwakeClock::now();
  const auto stood_still = AwakeClock::stood_still();
  try {
    std::string answer = co_await engine.genmove(colour, patience(colour));
    const Seconds all = AwakeClock::now() - asked;
    const Seconds used = std::min(engine.move_time().value_or(all), all);
    seconds_[player] += used.count();
    latency_[player] += (all - used).count();
    expect_time_went_on(player, stood_still, all);
    spend(colour, used);
    check_declared(player);
    co_return answer;
  } catch (const EngineFailure& failure) {
    is_silent_ = failure.kind() == EngineFailure::Kind::silent;
    if (is_silent_ && clock_of(colour)) throw lost_on_time(player);
    fail(player, failure);
  }
}

void GameInPlay::expect_time_went_on(int player, AwakeClock::duration before, Seconds taken) {
  const Player& who = match_.players[player];
  if (!is_timed(who, declared_[player])) return;
  const Seconds gap = AwakeClock::stood_still() - before;
  if (gap > Seconds{}) throw Standstill{player, stood_still_for(gap)};
  if (taken >= long_enough && engine_of(player).was_stopped()) {
    throw Standstill{player, "its program was stopped"};
  }
}

std::optional<Standstill> GameInPlay::standstill_of(int player) const {
  const Seconds gap = AwakeClock::stood_still() - stood_still_;
  if (gap > Seconds{}) return Standstill{player, stood_still_for(gap)};
  if (engine_of(player).was_stopped()) return Standstill{player, "its program was stopped"};
  return std::nullopt;
}

/// How long an answer is waited for.
std::chrono::milliseconds GameInPlay::patience(Colour colour) const {
  const auto& clock = clock_of(colour);
  if (!clock) return match_.move_timeout;
  const Seconds longest = protocol::longest_move(*clock, *time_left_[games::index(colour)]);
  // Ours tell how long they took, and the answer may be late without their fault.
  const bool is_ours = match_.players[seating_.player_of(colour)].language == Language::pitboss;
  return std::chrono::ceil<std::chrono::milliseconds>(longest) + match_.time_margin +
         (is_ours ? command_timeout : late_answer);
}

/// Takes the time of a move off the mover's clock. Throws Loss if that had less.
void GameInPlay::spend(Colour colour, Seconds used) {
  const auto& clock = clock_of(colour);
  if (!clock) return;
  auto& left = time_left_[games::index(colour)];
  if (used > protocol::longest_move(*clock, *left) + match_.time_margin) {
    throw lost_on_time(seating_.player_of(colour));
  }
  left = protocol::time_after(*clock, *left, used);
  left->time = std::max(left->time, Seconds{});
}

asio::awaitable<void> GameInPlay::tell(int listener, Colour mover, std::string move) {
  try {
    co_await engine_of(listener).play(mover, move);
  } catch (const EngineFailure& failure) {
    fail(listener, failure);
  }
}

asio::awaitable<void> GameInPlay::adjudicate(int player) {
  if (match_.adjudication.hears_values()) co_await hear_value(player);
  const bool is_open = verdict_ == Verdict::none && !position_->result().finished();
  if (match_.adjudication.exact && is_open) co_await look_for_proof();
}

asio::awaitable<void> GameInPlay::look_for_proof() {
  const auto score = co_await exact_score(*position_);
  if (!score) co_return;
  const bool is_first = (seating_.player_of(position_->to_move()) == 0) == (*score > 0);
  verdict_ = *score == 0 ? Verdict::draw : is_first ? Verdict::first_wins : Verdict::second_wins;
  is_proven_ = true;
}

asio::awaitable<void> GameInPlay::hear_value(int player) {
  try {
    const auto figures = co_await engine_of(player).figures();
    verdict_ = adjudicator_.hear(player, figures.empty() ? std::nullopt : figures.back().value,
                                 static_cast<int>(moves_.size()));
  } catch (const EngineFailure& failure) {
    fail(player, failure);
  }
}

/// The figures of the moves, and who has evaluated, as far as the engines have told or can still be
/// asked. Nobody loses a game that is over by not telling.
asio::awaitable<void> GameInPlay::ask_for_figures() {
  values_.resize(moves_.size());
  for (const int player : {0, 1}) {
    Engine& engine = engine_of(player);
    try {
      if (engine.is_open()) {
        static_cast<void>(co_await engine.figures());
        co_await engine.finish();
      }
    } catch (const EngineFailure&) {
      engine.close();
    }
    evaluations_[player] = engine.evaluations();
    const std::vector<MoveFigures> figures = co_await engine.figures();
    auto next = figures.begin();
    for (std::size_t i = 0; i < movers_.size() && next != figures.end(); ++i) {
      if (movers_[i] != player) continue;
      values_[opening_.size() + i] = next->value;
      efforts_[player].push_back(next->effort);
      ++next;
    }
  }
}

/// Plays the legal move that an answer means.
void GameInPlay::play(Colour mover, const std::string& answer) {
  try {
    moves_.push_back(position_->play(answer));
  } catch (const games::BadGame&) {
    const std::string rule = games::forbidding_rule(*position_, moves_, answer);
    throw Loss{seating_.player_of(mover),
               "illegal move: " + (answer.empty() ? "(nothing)" : printable(answer, 40)) +
                   (rule.empty() ? "" : ", forbidden by " + rule)};
  }
}

PlayedGame GameInPlay::record() const {
  PlayedGame record;
  record.game = game_ + 1;
  record.round = round_of(match_, game_) + 1;
  record.opening = join(opening_);
  record.seats = seats_in(match_, game_);
  record.plies = static_cast<int>(moves_.size());
  record.moves = join(moves_);
  record.seconds = seconds_;
  record.latency = latency_;
  record.clocks = clocks_text(clocks_);
  record.values = values_text(values_);
  for (const std::size_t player : {0, 1}) record.efforts[player] = efforts_text(efforts_[player]);
  record.evaluations = evaluations_;
  return record;
}

PlayedGame GameInPlay::lost(const Loss& loss) const {
  PlayedGame out = record();
  out.result = won_by(1 - loss.loser, loss.kind == Loss::Kind::resignation ? "+R"
                                      : loss.kind == Loss::Kind::time      ? "+T"
                                                                           : "+F");
  out.reason = loss.reason;
  settle(out, sides_of(match_));
  return out;
}

PlayedGame GameInPlay::ended() const {
  PlayedGame out = record();
  if (position_->result().finished()) {
    out.reason = "rules";
    out.result = games::score_text(*position_);
  } else if (verdict_ != Verdict::none) {
    out.reason = is_proven_ ? exact_verdict : "adjudicated";
    out.result =
        verdict_ == Verdict::draw ? "0" : won_by(verdict_ == Verdict::first_wins ? 0 : 1, "+A");
  } else {
    out.reason = "length";
    out.result = "0";
  }
  settle(out, sides_of(match_));
  return out;
}

}  // namespace pitboss::clients
