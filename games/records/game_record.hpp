#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "games/any_game.hpp"
#include "games/dialect.hpp"
#include "games/owned_game.hpp"
#include "games/records/sgf.hpp"

/// What the nodes of SGF say of a game (docs/protocol.md, "Records of games").
namespace pitboss::games {

/// A game: the position in which it began, and its moves so far.
struct Record {
  OwnedGame start;
  std::vector<std::string> moves;
};

/// What is said of a position of a game, and of the move that led there.
struct Annotation {
  int ply = 0;                    ///< after so many moves
  std::string comment{};          ///< SGF's C; perhaps several lines
  std::optional<double> value{};  ///< for the first player, in [0, 1]; Sabaki's SBKV, in percent
  bool is_mistake = false;        ///< of the move; SGF's BM
  bool is_turning_point = false;  ///< SGF's HO
  std::vector<std::vector<std::string>> variations{};  ///< moves that might have been played there
  friend bool operator==(const Annotation&, const Annotation&) = default;
};

/// The position after the moves of a record, which are legal.
[[nodiscard]] std::unique_ptr<AnyGame> last_position(const Record& record);

/// The record as SGF, without an empty line. The property RU has the game's name and parameters;
/// each point of a move is a node of its own, and the board lies as GoGui draws it. The first value
/// of each property of `root` goes into the root node: the players, the event, a result (RE) other
/// than that of the rules. `annotations` are in the order of their plies, of which each has one at
/// most; moves of their variations are legal. Throws BadRecord for a game with other colours than
/// SGF's black and white.
[[nodiscard]] std::string record_to_sgf(const AnyGame& start, const std::vector<std::string>& moves,
                                        const SgfNode& root = {},
                                        std::span<const Annotation> annotations = {});

/// How a record is read.
struct RecordReading {
  /// Whose notation a record is in that does not tell itself (AP, GM, RU). Nothing: unknown, and a
  /// point that has another place in another dialect is refused.
  std::optional<Dialect> dialect = std::nullopt;
  /// Up to the node before this move, counted in nodes with moves from 1; nothing: to the end.
  std::optional<int> before = std::nullopt;
};

/// A game as it was read.
struct ReadRecord {
  Record game;
  std::array<std::string, 2> players{};  ///< who plays black and white; empty: the record is silent
  std::string result{};                  ///< RE, "B+3", for this game's colours; empty: silent
  std::vector<std::string> notes{};      ///< what differs from the record: sentences for people
  /// Of the positions of which the record says anything, in the order of their plies. A variation
  /// has the moves up to the first that is not legal.
  std::vector<Annotation> annotations{};
};

/// Whether a record names its game: of Pitboss (RU), or by SGF's number (GM) other than Go's, which
/// programs give to all games. Throws BadRecord for the number of another game.
[[nodiscard]] bool names_game(const SgfGame& game);

/// Reads the main line of a record in the notation of who wrote it (docs/dialects.md, "Records of
/// other programs"). A record that names no game of Pitboss is read as a game of `now`'s kind, of
/// the record's size. Throws BadRecord for nodes that are no such record.
[[nodiscard]] ReadRecord record_from_sgf(const SgfGame& game, const AnyGame& now,
                                         const RecordReading& reading = {});

}  // namespace pitboss::games
