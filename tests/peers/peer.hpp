#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>

#include "clients/experiments/address.hpp"

namespace pitboss::peers {

/// What a peer does, when it is asked for a move if nothing else is said.
enum class Manner : std::uint8_t {
  plays,            ///< a uniformly random legal move
  falls_silent,     ///< never answers again
  crashes,          ///< closes the connection
  half_answers,     ///< closes the connection in the middle of its answer
  plays_illegal,    ///< e9, which no small board has
  plays_nothing,    ///< an empty answer
  talks_garbage,    ///< a line that is no answer
  never_ends,       ///< an answer without end
  answers_twice,    ///< the same answer again
  forgets_id,       ///< an answer without the id
  refuses,          ///< "?"
  refuses_play,     ///< "?" to the other side's moves
  refuses_options,  ///< "?" to any option
  resigns,          ///< RESIGN
  plays_on,         ///< a move too many
  takes_long,       ///< says that a move took an hour
  is_interrupted,   ///< "? interrupted"
  is_busy,          ///< "? busy"
  writes_windows,   ///< a good move, with carriage returns and capitals
  stops_listening   ///< closes everything, for good
};

struct PeerConduct {
  Manner manner = Manner::plays;
  std::int64_t one_in = 1;  ///< only in games whose engine seed is divisible by this
  int from_ply = 0;         ///< and not before
  int max_connections = 1000;
  bool has_game = true;  ///< else `games` does not list any
  /// It knows the command `duel`, and then behaves like this, having played `from_ply` moves well.
  std::optional<Manner> in_duels = std::nullopt;
  int moves_of_duel = 3;  ///< that it tells at a time
  std::string version{};  ///< what it says of itself: nothing if empty
  std::string params{};   ///< likewise, of its options
  /// What it says of itself from game `changes_at` on, of all its games.
  std::string later_version{};
  int changes_at = 0;
  std::string about{};        ///< what it says of build and machine: unknown if empty
  int style = 0;              ///< another one plays other duels
  std::string params_code{};  ///< it fails to tell its options, with this code
  int refusals = 0;           ///< so often in all it refuses to search, with `refusal_code`
  std::string refusal_code{};
  /// How late its answer to `genmove` comes; it has a clock then.
  std::chrono::milliseconds lateness{};
  std::string move_time{};  ///< what it answers to `last_time`: unknown if empty
};

/// A GTP engine behind a loopback port, good or bad, on a thread of its own. It plays at random
/// from its seed, for every game, and is done when destroyed.
class Peer {
 public:
  explicit Peer(PeerConduct conduct = {});
  ~Peer();
  Peer(const Peer&) = delete;
  Peer& operator=(const Peer&) = delete;

  [[nodiscard]] clients::Address address() const { return address_; }
  /// Whether its answers to `genmove` wait until it is not held any more.
  void hold(bool is_held) { is_held_ = is_held; }
  /// How many moves it was asked for.
  [[nodiscard]] int asked() const { return asked_; }
  /// How many duels it was asked for.
  [[nodiscard]] int duels() const { return duels_; }
  /// How many games it was set up for.
  [[nodiscard]] int games() const { return games_; }
  /// How many connections it took.
  [[nodiscard]] int connections() const { return connections_; }

 private:
  PeerConduct conduct_;
  boost::asio::io_context io_{1};
  boost::asio::ip::tcp::acceptor acceptor_;
  clients::Address address_;
  std::atomic<int> asked_ = 0;
  std::atomic<int> duels_ = 0;
  std::atomic<int> connections_ = 0;
  std::atomic<int> games_ = 0;
  std::atomic<int> refused_ = 0;
  std::atomic<bool> is_held_ = false;
  std::thread thread_;
};

}  // namespace pitboss::peers
