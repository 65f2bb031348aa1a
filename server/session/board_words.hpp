#pragma once

#include <map>
#include <string>
#include <string_view>

#include "games/any_game.hpp"
#include "protocol/dialect.hpp"

namespace pitboss::server {

/// A board as GoGui reads it: the square around it, top row first, one word per point, separated by
/// blanks. Points without a word, and places that are no points of the board, show the word
/// `empty`.
class BoardWords {
 public:
  BoardWords(const games::BoardShape& shape, protocol::Dialect dialect, std::string empty)
      : shape_(shape), dialect_(dialect), empty_(std::move(empty)) {}

  /// A point in this program's own notation, and a word without blanks.
  void set(std::string_view point, std::string word);
  /// Begins with a line feed, since the first line of an answer follows its "=".
  [[nodiscard]] std::string text() const;

 private:
  games::BoardShape shape_;
  protocol::Dialect dialect_;
  std::string empty_;
  std::map<std::string, std::string, std::less<>> words_;
};

/// The points of the board with what lies there: '.', 'X', 'O'.
[[nodiscard]] std::map<std::string, char, std::less<>> contents(const games::AnyGame& game);

}  // namespace pitboss::server
