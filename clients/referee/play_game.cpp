#include "clients/referee/play_game.hpp"

#include <algorithm>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <memory>
#include <optional>
#include <string>

namespace pitboss::clients {

namespace asio = boost::asio;
using games::Colour;
using std::chrono::milliseconds;
using Clock = std::chrono::steady_clock;

namespace {

/// A player loses this game by something other than the rules.
struct Loss {
  enum class Kind { forfeit, resignation };
  int loser;
  std::string reason;
  Kind kind = Kind::forfeit;
};

asio::awaitable<void> pause(milliseconds duration) {
  asio::steady_timer timer(co_await asio::this_coro::executor, duration);
  co_await timer.async_wait(asio::use_awaitable);
}

/// Connects, trying again for `patience`.
asio::awaitable<void> reconnect_to(GtpClient& engine, const Address& server,
                                   milliseconds patience) {
  const auto deadline = Clock::now() + patience;
  for (milliseconds delay(50);; delay = std::min(2 * delay, milliseconds(1000))) {
    try {
      co_await engine.connect(server, std::min(connect_timeout, patience));
      co_return;
    } catch (const GtpFailure&) {
      if (Clock::now() + delay > deadline) throw;
    }
    co_await pause(delay);
  }
}

bool is_resignation(const std::string& answer) {
  return std::ranges::equal(answer, std::string_view("resign"), {}, [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
}

/// One game in progress.
class Game {
 public:
  Game(const Match& match, int game, Table& table, milliseconds reconnect)
      : match_(match),
        game_(game),
        table_(table),
        reconnect_(reconnect),
        seating_(seating_of(match, game)),
        position_(match.initial_position()),
        opening_(opening_of(match, round_of(match, game))),
        moves_(opening_) {}

  asio::awaitable<GameRecord> play();

 private:
  asio::awaitable<void> play_to_the_end();
  asio::awaitable<void> seat(int player);
  asio::awaitable<std::string> ask_for_move(Colour colour);
  asio::awaitable<void> tell(int listener, Colour mover, std::string move);

  [[nodiscard]] std::string check(Colour mover, const std::string& answer) const;
  [[nodiscard]] bool is_too_long() const {
    return match_.max_plies > 0 && static_cast<int>(moves_.size()) >= match_.max_plies;
  }
  [[nodiscard]] bool is_over() const { return position_->result().finished() || is_too_long(); }
  /// The players in the order in which they come to the table.
  [[nodiscard]] std::array<int, 2> players() const {
    const int first = seating_.player_of(Colour{});
    return {first, 1 - first};
  }

  [[nodiscard]] GameRecord record() const;
  [[nodiscard]] GameRecord lost(const Loss& loss) const;
  [[nodiscard]] GameRecord ended() const;

  const Match& match_;
  int game_;
  Table& table_;
  milliseconds reconnect_;
  Seating seating_;
  std::unique_ptr<games::AnyGame> position_;
  std::vector<std::string> opening_;
  std::vector<std::string> moves_;
};

asio::awaitable<GameRecord> Game::play() {
  std::optional<Loss> loss;
  try {
    co_await play_to_the_end();
  } catch (const Loss& l) {
    loss = l;
  }
  if (!loss) co_return ended();
  if (loss->kind == Loss::Kind::forfeit) table_.engines[loss->loser].close();
  co_return lost(*loss);
}

/// The rules of a match.
asio::awaitable<void> Game::play_to_the_end() {
  for (const int player : players()) co_await seat(player);

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
    const std::string move = check(mover, answer);
    position_->play(move);
    moves_.push_back(move);
    // Nobody is told the last move: a game that has ended cannot be lost any more. Whoever has
    // made a move knows it, at all its seats.
    if (!is_over()) co_await tell(1 - player, mover, move);
  }
}

/// Brings the player's engine to the table, with a fresh connection if there is none. A connection
/// that ends before the game has begun is nobody's fault (servers close idle ones, a dying one may
/// still accept) and tried again as long as a server that cannot be reached is.
asio::awaitable<void> Game::seat(int player) {
  GtpClient& client = table_.engines[player];
  const std::int64_t seed = engine_seed(match_, game_, player);
  const auto deadline = Clock::now() + reconnect_;
  for (;;) {
    if (!client.is_connected()) {
      try {
        co_await reconnect_to(client, std::get<Address>(match_.players[player].place), reconnect_);
      } catch (const GtpFailure&) {
        throw Loss{player, std::string(unreachable)};
      }
    }
    try {
      co_await prepare(client, match_, match_.players[player], seed);
      co_return;
    } catch (const GtpFailure& failure) {
      if (failure.kind() != GtpFailure::Kind::closed || Clock::now() > deadline) {
        throw Loss{player, failure.what()};
      }
      client.close();
    }
    co_await pause(milliseconds(50));
  }
}

asio::awaitable<std::string> Game::ask_for_move(Colour colour) {
  const std::string command = "genmove " + std::string(position_->letter_of(colour));
  const int player = seating_.player_of(colour);
  try {
    co_return co_await table_.engines[player].demand(command, match_.move_timeout);
  } catch (const GtpFailure& failure) {
    throw Loss{player, failure.what()};
  }
}

asio::awaitable<void> Game::tell(int listener, Colour mover, std::string move) {
  const std::string command = "play " + std::string(position_->letter_of(mover)) + " " + move;
  try {
    co_await table_.engines[listener].demand(command, command_timeout);
  } catch (const GtpFailure& failure) {
    throw Loss{listener, failure.what()};
  }
}

/// The legal move an answer means.
std::string Game::check(Colour mover, const std::string& answer) const {
  try {
    return position_->canonical(answer);
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
  return record;
}

GameRecord Game::lost(const Loss& loss) const {
  const Sides sides = sides_of(match_);
  GameRecord out = record();
  out.result = sides.letters_of(seating_.seats_of(1 - loss.loser)) +
               (loss.kind == Loss::Kind::resignation ? "+R" : "+F");
  out.reason = loss.reason;
  settle(out, sides);
  return out;
}

GameRecord Game::ended() const {
  const Sides sides = sides_of(match_);
  const games::Result result = position_->result();
  GameRecord out = record();
  out.reason = result.finished() ? "rules" : "length";
  out.result = result.finished() ? games::score_text(*position_) : "0";
  settle(out, sides);
  return out;
}

}  // namespace

asio::awaitable<void> prepare(GtpClient& engine, const Match& match, const Player& player,
                              std::int64_t seed) {
  std::string rules = "game " + match.game;
  for (const auto& [name, text] : match.parameters.values()) rules += " " + name + "=" + text;
  co_await engine.demand(rules, command_timeout);
  for (const auto& [name, value] : player.options) {
    co_await engine.demand("setoption name " + name + " value " + value, command_timeout);
  }
  co_await engine.demand("setoption name seed value " + std::to_string(seed), command_timeout);
}

asio::awaitable<GameRecord> play_game(const Match& match, int game, Table& table,
                                      milliseconds reconnect) {
  Game g(match, game, table, reconnect);
  co_return co_await g.play();
}

}  // namespace pitboss::clients
