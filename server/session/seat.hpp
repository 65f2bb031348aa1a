#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "protocol/access.hpp"
#include "protocol/arguments.hpp"
#include "protocol/dialect.hpp"
#include "server/session/findings.hpp"
#include "server/session/gogui_pieces.hpp"
#include "server/session/table.hpp"
#include "server/session/tables.hpp"

namespace pitboss::server {

/// The other engine of `duel`.
struct Opponent {
  std::shared_ptr<Table> table;  ///< null before the first duel
  std::uint64_t game = 0;        ///< GameHistory::number of the game it plays
};

/// The state of one connection: its table, its dialect, the opponent of its duels.
struct Seat {
  std::shared_ptr<Table> table;             ///< never null
  std::shared_ptr<Tables> tables;           ///< those with a name; never null
  SessionConfig config;                     ///< what the connection began with
  protocol::Identity client;                ///< for whom the connection speaks
  std::shared_ptr<const TableView> view{};  ///< for a line that looks at a table that is taken
  int wrong_tokens = 0;                     ///< that it has shown
  bool tells_codes = false;                 ///< failures begin with their code
  bool live_graphics = false;               ///< a search draws itself while it runs
  /// What the last command that takes time took, from its line to its answer.
  std::optional<std::chrono::nanoseconds> last_time{};
  protocol::Dialect dialect = protocol::Dialect::plain;
  bool dialect_is_set = false;  ///< by the command `dialect`
  Opponent opponent;

  /// Leaves the table and sits down at another one.
  void change_to(std::shared_ptr<Table> other) {
    dismiss_opponent();
    table->colour_seats().leave(this);
    Tables::sit(*other, client);
    tables->leave(std::exchange(table, std::move(other)), client);
  }

  /// For whom this connection's searches are made.
  [[nodiscard]] Caller caller() const { return {config.waker, client.key()}; }

  /// What searches for this client have told of positions.
  [[nodiscard]] ClientFindings findings() const { return {config.shared.findings, client.name}; }

  /// Processor time of the searches of the table and of the opponent.
  [[nodiscard]] std::chrono::nanoseconds processor_time() const {
    return table->search().processor_time() + (opponent.table
                                                   ? opponent.table->search().processor_time()
                                                   : std::chrono::nanoseconds::zero());
  }
  void dismiss_opponent() {
    if (opponent.table) tables->leave(std::exchange(opponent.table, nullptr), client);
  }

  /// What a line that only looks sees of the table.
  [[nodiscard]] std::shared_ptr<const TableView> looks_at() const {
    return view ? view : table->view();
  }

  /// The colour that an argument names; nothing for any other word.
  [[nodiscard]] std::optional<games::Colour> colour_if_any(const protocol::Arguments& arguments,
                                                           std::size_t i) const {
    if (dialect == protocol::Dialect::gogui) {
      if (const auto meant = gogui_colour(table->game(), arguments.word(i))) return meant;
    }
    return arguments.colour_if_any(i, table->game());
  }
  /// The same. Throws CommandError for any other word.
  [[nodiscard]] games::Colour colour(const protocol::Arguments& arguments, std::size_t i) const {
    if (const auto named = colour_if_any(arguments, i)) return *named;
    return arguments.colour(i, table->game());
  }
  /// A move or a point as this connection writes it.
  [[nodiscard]] std::string spoken(std::string_view move) const {
    return protocol::spoken(dialect, table->game().shape(), move);
  }
  [[nodiscard]] std::vector<std::string> spoken(std::vector<std::string> moves) const {
    for (std::string& move : moves) move = spoken(move);
    return moves;
  }
  /// A move or a point that this connection has written, in the program's own notation.
  [[nodiscard]] std::string heard(std::string_view move) const {
    return protocol::heard(dialect, table->game().shape(), move);
  }
};

}  // namespace pitboss::server
