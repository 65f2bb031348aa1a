#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "games/any_game.hpp"

namespace pitboss::server {

/// The colours of a table that people hold, each by a key, which outlives their connections. Where
/// a colour is held, moves alone change the game, each made by who sits at its colour. Belongs to
/// the thread that handles lines.
class ColourSeats {
 public:
  struct Held {
    games::Colour colour{};
    std::string colour_name;
    std::string key_hash;          ///< SHA-256
    const void* sitter = nullptr;  ///< the session that sits there; null: it is away
  };

  /// In the order in which they were taken first.
  [[nodiscard]] const std::vector<Held>& all() const { return held_; }
  /// Also for the command that has the table: none is taken meanwhile.
  [[nodiscard]] bool are_held() const { return !held_.empty(); }

  /// Whether a session sits at a colour.
  [[nodiscard]] bool is_held_by(const void* session) const;

  /// Has a session sit there. The first key that is shown for a colour is its key. Throws
  /// CommandError for another key, and while another session sits there.
  void take(games::Colour colour, std::string_view colour_name, std::string_view key,
            const void* session);
  /// Throws the CommandError that says why the session may not move for the colour, unless it may.
  void check_mover(games::Colour colour, std::string_view colour_name, const void* session) const;
  /// The session leaves the table.
  void leave(const void* session);
  /// Adds what was saved.
  void restore(Held held) { held_.push_back(std::move(held)); }

 private:
  std::vector<Held> held_;
};

}  // namespace pitboss::server
