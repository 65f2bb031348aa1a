#pragma once

#include <iosfwd>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "engine/search/search.hpp"
#include "games/any_game.hpp"
#include "games/owned_game.hpp"
#include "games/records/game_record.hpp"

namespace pitboss::clients {

/// A game in a terminal: a person plays one colour, a search in this process plays all others.
class TerminalGame {
 public:
  /// Goes on with a game. Reads what the person types from `in`, and writes to `out`. `options`
  /// bound the search, which has one thread.
  TerminalGame(games::Record begun, games::Colour person, engine::Options options,
               const engine::Models& models, std::istream& in, std::ostream& out);

  /// Plays until the person types `quit` or the input ends. Throws engine::BadOption if the options
  /// do not suit the game.
  void play();

 private:
  struct Move {
    games::Colour mover;
    std::string text;
  };
  struct Command {
    std::string_view name;
    std::string_view help;
    void (TerminalGame::*run)();
  };
  /// THE list of commands.
  [[nodiscard]] static const std::vector<Command>& commands();

  [[nodiscard]] engine::Report searched();
  void engine_moves();
  /// Obeys a word: a move or a command.
  void obey(const std::string& word);
  void play_move(const std::string& word);

  void hint();
  void undo();
  void list_moves();
  void show_board();
  void tell_rules();
  void switch_sides();
  void begin_anew();
  void quit() { is_over_ = true; }
  void help();

  const games::OwnedGame start_;
  std::unique_ptr<games::AnyGame> game_;
  games::Colour person_;
  engine::Options options_;
  std::unique_ptr<engine::Search> search_;
  std::istream& in_;
  std::ostream& out_;
  std::vector<Move> moves_;
  bool is_over_ = false;  ///< the person has had enough
};

}  // namespace pitboss::clients
