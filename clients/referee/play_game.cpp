#include "clients/referee/play_game.hpp"

#include <algorithm>
#include <chrono>
#include <string>

#include "clients/referee/adjudicator.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using games::Colour;
using Clock = std::chrono::steady_clock;

namespace {

/// A player loses this game by something other than the rules.
struct Loss {
  enum class Kind { resignation, forfeit, gone };
  int loser;
  std::string reason;
  Kind kind = Kind::forfeit;
};

Loss loss_by(int player, const GtpFailure& failure) {
  const bool is_gone = failure.kind() == GtpFailure::Kind::closed;
  std::string reason = failure.what();
  if (failure.kind() == GtpFailure::Kind::refused && !reason.starts_with("refused: ")) {
    reason = "refused: " + reason;
  }
  return {player, reason, is_gone ? Loss::Kind::gone : Loss::Kind::forfeit};
}

bool is_resignation(const std::string& answer) {
  return std::ranges::equal(answer, std::string_view("resign"), {}, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

/// One game in progress.
class Game {
 public:
  Game(const Match& match, int game, Engines* engines)
      : match_(match),
        game_(game),
        engines_(engines),
        seating_(seating_of(match, game)),
        position_(match.initial_position()),
        opening_(opening_of(match, round_of(match, game))),
        moves_(opening_),
        adjudicator_(match.adjudication) {}

  asio::awaitable<GameEnd> play();

  // A game that a server plays by itself.
  asio::awaitable<void> begin_duel(Engine& engine);
  void challenge(Duellist& duellist) const;
  void take(const Exchange& exchange);

  [[nodiscard]] bool is_over() const {
    return position_->result().finished() || is_too_long() || verdict_ != Verdict::none;
  }
  [[nodiscard]] GameRecord ended() const;

 private:
  using Verdict = Adjudicator::Verdict;

  asio::awaitable<void> play_to_the_end();
  asio::awaitable<void> begin(int player);
  asio::awaitable<std::string> ask_for_move(Colour colour);
  asio::awaitable<void> tell(int listener, Colour mover, std::string move);
  asio::awaitable<void> adjudicate(int player);

  [[nodiscard]] Engine& engine_of(int player) const { return *(*engines_)[player]; }
  void play(Colour mover, const std::string& answer);
  [[nodiscard]] bool is_too_long() const {
    return match_.max_plies > 0 && static_cast<int>(moves_.size()) >= match_.max_plies;
  }
  /// The players in the order in which they come to the table.
  [[nodiscard]] std::array<int, 2> players() const {
    const int first = seating_.player_of(Colour{});
    return {first, 1 - first};
  }

  [[nodiscard]] GameRecord record() const;
  [[nodiscard]] GameRecord lost(const Loss& loss) const;
  [[nodiscard]] std::string won_by(int player, const char* how) const {
    return sides_of(match_).letters_of(seating_.seats_of(player)) + how;
  }

  const Match& match_;
  int game_;
  Engines* engines_;  ///< null if a server plays by itself
  Seating seating_;
  std::unique_ptr<games::AnyGame> position_;
  std::vector<std::string> opening_;
  std::vector<std::string> moves_;
  std::array<double, 2> seconds_{};
  std::array<bool, 2> was_asked_{};
  Adjudicator adjudicator_;
  Verdict verdict_ = Verdict::none;
};

asio::awaitable<GameEnd> Game::play() {
  std::optional<Loss> loss;
  try {
    co_await play_to_the_end();
  } catch (const Loss& l) {
    loss = l;
  }
  if (!loss) {
    GameEnd end{ended(), std::nullopt, false};
    co_return end;
  }
  if (loss->kind != Loss::Kind::resignation) engine_of(loss->loser).close();
  const bool is_gone = loss->kind == Loss::Kind::gone;
  GameEnd end{lost(*loss), std::nullopt, false};
  if (is_gone) end.gone = loss->loser;
  end.is_before_first_move = !was_asked_[static_cast<std::size_t>(loss->loser)];
  co_return end;
}

/// The rules of a match.
asio::awaitable<void> Game::play_to_the_end() {
  for (const int player : players()) co_await begin(player);

  for (const std::string& move : opening_) {
    const Colour mover = position_->to_move();
    position_->play(move);
    for (const int player : players()) co_await tell(player, mover, move);
  }

  while (!is_over()) {
    const Colour mover = position_->to_move();
    const int player = seating_.player_of(mover);
    const std::string answer = co_await ask_for_move(mover);
    if (is_resignation(answer)) throw Loss{player, "resigned", Loss::Kind::resignation};
    play(mover, answer);
    if (match_.adjudication.is_on()) co_await adjudicate(player);
    // Nobody is told the last move: a game that has ended cannot be lost any more. Whoever has
    // made a move knows it, at all its seats.
    if (!is_over()) co_await tell(1 - player, mover, moves_.back());
  }
}

asio::awaitable<void> Game::begin_duel(Engine& engine) {
  Duellist& duellist = *engine.duellist();
  duellist.announce(match_, engine_seed(match_, game_, 0));
  for (const std::string& move : opening_) {
    co_await engine.play(position_->to_move(), move);
    position_->play(move);
  }
  challenge(duellist);
}

void Game::challenge(Duellist& duellist) const {
  std::vector<int> owner;
  for (int c = 0; c < seating_.colours(); ++c) {
    owner.push_back(seating_.player_of(static_cast<Colour>(c)));
  }
  const int played = static_cast<int>(moves_.size());
  const int most = match_.max_plies > 0 ? match_.max_plies - played : Duellist::most_plies;
  duellist.challenge(match_.players[1], engine_seed(match_, game_, 1), owner,
                     std::min(most, Duellist::most_plies));
}

void Game::take(const Exchange& exchange) {
  for (const std::string& move : exchange.moves) {
    const Colour mover = position_->to_move();
    if (is_over()) throw Loss{seating_.player_of(mover), "plays on"};
    play(mover, move);
  }
  for (const int player : {0, 1}) {
    seconds_[player] += exchange.seconds[player];
    if (exchange.longest[player] * 1000 > static_cast<double>(match_.move_timeout.count())) {
      throw Loss{player, "no answer in " + seconds_text(match_.move_timeout)};
    }
  }
}

asio::awaitable<void> Game::begin(int player) {
  try {
    co_await engine_of(player).begin(match_, engine_seed(match_, game_, player));
  } catch (const GtpFailure& failure) {
    throw loss_by(player, failure);
  }
}

asio::awaitable<std::string> Game::ask_for_move(Colour colour) {
  const int player = seating_.player_of(colour);
  was_asked_[player] = true;
  const auto asked = Clock::now();
  try {
    std::string answer = co_await engine_of(player).genmove(colour, match_.move_timeout);
    seconds_[player] += std::chrono::duration<double>(Clock::now() - asked).count();
    co_return answer;
  } catch (const GtpFailure& failure) {
    throw loss_by(player, failure);
  }
}

asio::awaitable<void> Game::tell(int listener, Colour mover, std::string move) {
  try {
    co_await engine_of(listener).play(mover, move);
  } catch (const GtpFailure& failure) {
    throw loss_by(listener, failure);
  }
}

asio::awaitable<void> Game::adjudicate(int player) {
  try {
    const auto value = co_await engine_of(player).value();
    verdict_ = adjudicator_.hear(player, value, static_cast<int>(moves_.size()));
  } catch (const GtpFailure& failure) {
    throw loss_by(player, failure);
  }
}

/// Plays the legal move that an answer means.
void Game::play(Colour mover, const std::string& answer) {
  try {
    moves_.push_back(position_->play(answer));
  } catch (const games::BadGame&) {
    throw Loss{seating_.player_of(mover),
               "illegal move: " + (answer.empty() ? "(nothing)" : printable(answer, 40))};
  }
}

GameRecord Game::record() const {
  GameRecord record;
  record.game = game_ + 1;
  record.round = round_of(match_, game_) + 1;
  record.opening = join(opening_);
  record.seats = seats_in(match_, game_);
  record.plies = static_cast<int>(moves_.size());
  record.moves = join(moves_);
  record.seconds = seconds_;
  return record;
}

GameRecord Game::lost(const Loss& loss) const {
  GameRecord out = record();
  out.result = won_by(1 - loss.loser, loss.kind == Loss::Kind::resignation ? "+R" : "+F");
  out.reason = loss.reason;
  settle(out, sides_of(match_));
  return out;
}

GameRecord Game::ended() const {
  GameRecord out = record();
  if (position_->result().finished()) {
    out.reason = "rules";
    out.result = games::score_text(*position_);
  } else if (verdict_ != Verdict::none) {
    out.reason = "adjudicated";
    out.result =
        verdict_ == Verdict::draw ? "0" : won_by(verdict_ == Verdict::first_wins ? 0 : 1, "+A");
  } else {
    out.reason = "length";
    out.result = "0";
  }
  settle(out, sides_of(match_));
  return out;
}

}  // namespace

asio::awaitable<GameEnd> play_game(const Match& match, int game, Engines& engines) {
  Game g(match, game, &engines);
  co_return co_await g.play();
}

bool may_duel(const Match& match) {
  const auto is_simple = [](const Player& player) {  // can be said in one line
    return player.dialect == Dialect::pitboss && std::holds_alternative<Address>(player.place) &&
           std::ranges::all_of(player.options, [](const engine::Assignment& option) {
             return !option.value.empty() && option.value.find(' ') == std::string::npos;
           });
  };
  const auto& [first, second] = match.players;
  return is_simple(first) && is_simple(second) && first.place == second.place &&
         !match.adjudication.is_on();
}

asio::awaitable<DuelEnd> play_duels(const Match& match, std::span<const int> games,
                                    Engine& engine) {
  DuelEnd end;
  try {
    std::vector<Game> all;
    for (const int game : games) all.emplace_back(match, game, nullptr);
    for (Game& game : all) co_await game.begin_duel(engine);
    Duellist& duellist = *engine.duellist();
    std::vector<Exchange> exchanges = co_await duellist.fight(match.move_timeout);
    for (std::size_t i = 0; i < all.size(); ++i) {
      all[i].take(exchanges[i]);
      if (!all[i].is_over()) break;
      end.records.push_back(all[i].ended());
    }
    while (all.size() == 1 && end.records.empty()) {  // one alone goes on
      all[0].challenge(duellist);
      exchanges = co_await duellist.fight(match.move_timeout);
      all[0].take(exchanges[0]);
      if (all[0].is_over()) end.records.push_back(all[0].ended());
    }
    co_return end;
  } catch (const GtpFailure& failure) {
    end.failure = failure.what();
    // A server that is being stopped interrupts what it plays.
    const bool is_interrupted = end.failure.ends_with(": interrupted");
    end.is_refusal = failure.kind() == GtpFailure::Kind::refused && !is_interrupted;
  } catch (const Loss& loss) {
    end.failure = loss.reason;
  }
  if (!end.is_refusal) engine.close();
  co_return end;
}

}  // namespace pitboss::clients
