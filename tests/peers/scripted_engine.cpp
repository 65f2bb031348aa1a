/// A program that plays a game on its standard streams, well or badly:
///
///     pitboss_scripted_engine gtp|uci|gomocup|nboard MANNER GAME [key=value ...]
///
/// It plays the first legal move. What it misbehaves in, unless said otherwise, is its answer to
/// the first request for a move.

#include <unistd.h>

#include <cctype>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "clients/players/uci_games.hpp"
#include "games/any_game.hpp"
#include "games/grid.hpp"
#include "games/notation.hpp"
#include "protocol/dialect.hpp"

namespace pitboss::peers {

namespace {

std::string manner;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): of the program

/// The manners that show before any move; and the others, when a move is asked for.
void begin() {
  if (manner == "exits") {
    std::cerr << "no weights file\n";
    ::_exit(3);
  }
  if (manner == "starts-slowly") ::usleep(500'000);
  if (manner == "ignores-sigterm" || manner == "has-stubborn-child") {
    std::signal(SIGTERM, SIG_IGN);
    if (manner == "has-stubborn-child") {
      std::signal(SIGHUP, SIG_IGN);
      const pid_t child = ::fork();
      if (child == 0) {
        for (;;) ::pause();
      }
      std::cerr << "child " << child << std::endl;
    }
  }
  if (manner == "writes-errors") std::cerr << "ready\nplaying \x07 badly" << std::endl;
}

void before_move() {
  if (manner == "crashes") {
    std::cerr << "assertion failed" << std::endl;
    std::signal(SIGABRT, SIG_DFL);
    ::raise(SIGKILL);
  }
  if (manner == "stalls" || manner == "ignores-sigterm") {
    for (;;) ::pause();
  }
  if (manner == "thinks-long") std::this_thread::sleep_for(std::chrono::milliseconds(300));
  if (manner == "half-answers") {
    std::cout << "= d" << std::flush;
    ::_exit(0);
  }
  if (manner == "floods") {
    for (const std::string chunk(65536, 'a'); std::cout;) std::cout << chunk;
    ::_exit(1);
  }
  if (manner == "floods-lines") {
    for (;;) std::cout << "nonsense upon nonsense\n";
  }
  if (manner == "floods-errors") {
    for (int i = 0; i < 20000; ++i) std::cerr << "warning " << i << " of many\n";
  }
}

class Program {
 public:
  explicit Program(std::unique_ptr<games::AnyGame> position)
      : initial_(std::move(position)), position_(initial_->clone()) {}

  void speak_gtp() {
    for (std::string line; std::getline(std::cin, line);) {
      std::istringstream words(line);
      std::string id;
      std::string command;
      words >> id >> command;
      const std::optional<std::string> answer = answer_to(command, words);
      std::cout << (answer ? "=" : "?") << id << " " << answer.value_or("cannot") << "\n\n"
                << std::flush;
      if (command == "quit") return;
    }
  }

  void speak_uci() {
    for (std::string line; std::getline(std::cin, line);) {
      std::istringstream words(line);
      std::string command;
      words >> command;
      if (command == "uci") {
        std::cout << "id name Scripted\noption name Hash type spin default 16 min 1 max 64\n"
                     "option name Use Book type check default false\n"
                     "option name Style type combo default Very Solid var Very Solid var Risky\n"
                     "option name Book File type string default <empty>\n"
                     "option name Clear Hash type button\n";
        if (ponders()) std::cout << "option name Ponder type check default false\n";
        std::cout << "option name UCI_Variant type combo "
                     "default chess var chess var breakthrough "
                     "var cfour var flipello var amazons\nuciok\n";
      }
      if (command == "isready") std::cout << "readyok\n";
      if (command == "position") read_moves(words);
      if (command == "go") go(words);
      if (command == "ponderhit" || command == "stop") end_pondering();
      std::cout << std::flush;
      if (command == "quit") return;
    }
  }

  /// Gomocup's protocol.
  void speak_gomocup() {
    bool is_board = false;
    for (std::string line; std::getline(std::cin, line);) {
      std::istringstream words(line);
      std::string command;
      std::string value;
      words >> command >> value;
      if (is_board && command != "DONE") {
        put_stone(command);
      } else if (command == "ABOUT") {
        std::cout << "name=\"Scripted\", version=\"1.0\", author=\"\", country=\"\"\n";
      } else if (command == "START") {
        start(value);
      } else if (command == "RESTART") {
        position_ = initial_->clone();
        std::cout << "OK\n";
      } else if (command == "BOARD") {
        is_board = true;
      } else if (command == "TURN") {
        put_stone(value);
      }
      if (command == "BEGIN" || command == "TURN" || command == "DONE") {
        is_board = false;
        before_move();
        const std::string move = position_->play(position_->legal_moves().front());
        const games::Place place = games::place_of(move).value();
        std::cout << "MESSAGE depth 1 nodes 34\n" << place.x << "," << place.y << "\n";
      }
      std::cout << std::flush;
    }
  }

  /// NBoard's protocol: a1 is the corner on top.
  void speak_nboard() {
    for (std::string line; std::getline(std::cin, line);) {
      std::istringstream words(line);
      std::string command;
      std::string value;
      words >> command >> value;
      if (command == "ping") std::cout << "set myname Scripted\npong " << value << "\n";
      if (command == "set" && value == "game") position_ = initial_->clone();
      if (command == "move") {
        position_->play(value == "PA" ? "pass" : games::rewritten(value, from_top, {}));
      }
      if (command == "go") {
        before_move();
        const std::string move = position_->legal_moves().front();
        std::cout << "status Scripted thinks\nnodestats 34 0.1\n=== "
                  << (move == "pass" ? "PA" : games::rewritten(move, {}, from_top)) << " 1.5 0.1\n";
      }
      std::cout << std::flush;
    }
  }

 private:
  static constexpr games::Notation from_top{true, 8};

  void start(const std::string& size) {
    games::Parameters parameters = initial_->parameters();
    parameters.set("size", size);
    parameters.set("opening", "free");
    try {
      initial_ = games::make_game(initial_->name(), parameters);
      position_ = initial_->clone();
      std::cout << (manner == "plays-on-20-only" && size != "20" ? "ERROR unsupported size\n"
                                                                 : "OK - everything is good\n");
    } catch (const games::BadGame&) {
      std::cout << "ERROR no such board\n";
    }
  }

  /// "7,8", or "7,8,1" of a board.
  void put_stone(const std::string& text) {
    const std::size_t comma = text.find(',');
    position_->play(
        games::point_text(std::stoi(text.substr(0, comma)), std::stoi(text.substr(comma + 1))));
  }

  [[nodiscard]] static std::string commands() {
    std::string out = "boardsize\nclear_board\nkomi\nplay\ngenmove";
    if (manner != "has-no-clock") out += "\ntime_settings\ntime_left";
    if (manner == "has-kata-clock") out += "\nkata-time_settings";
    return out;
  }

  std::optional<std::string> answer_to(const std::string& command, std::istringstream& words) {
    std::string first;
    std::string second;
    words >> first >> second;
    try {
      if (command == "protocol_version") return manner == "speaks-gtp-1" ? "1" : "2";
      if (command == "list_commands") return commands();
      const bool is_clock = command.ends_with("time_settings") || command == "time_left";
      if (is_clock && manner != "has-no-clock") return "";
      if (command == "boardsize") {
        games::Parameters parameters;
        parameters.set("size", first);
        initial_ = games::make_game(initial_->name(), parameters);
        return "";
      }
      if (command == "clear_board") {
        position_ = initial_->clone();
        return "";
      }
      if (command == "komi") return "";
      if (command == "play") {
        if (passes_by_itself() && second == "pass") return {};
        position_->play(heard(second));
        pass_by_itself();
        return "";
      }
      if (command == "genmove") {
        before_move();
        if (passes_by_itself() && position_->colour_named(first) != position_->to_move()) {
          if (manner == "refuses-to-pass") return {};
          return manner.substr(7);  // passes-null
        }
        std::string move = chosen();
        position_->play(move);
        pass_by_itself();
        move = protocol::spoken(dialect(), position_->shape(), move);
        for (char& c : move) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
        return move;
      }
    } catch (const games::BadGame&) {
      return {};
    }
    return {};
  }

  /// Engines with a column i play the last legal move, which is behind that column on large boards.
  [[nodiscard]] std::string chosen() const {
    const std::vector<std::string> moves = position_->legal_moves();
    return dialect() == protocol::Dialect::hexgui ? moves.back() : moves.front();
  }

  [[nodiscard]] std::string heard(const std::string& move) const {
    return protocol::heard(dialect(), position_->shape(), move);
  }

  [[nodiscard]] static bool passes_by_itself() {
    return manner.starts_with("passes-") || manner == "refuses-to-pass";
  }

  void pass_by_itself() {
    const auto moves = position_->legal_moves();
    if (passes_by_itself() && moves.size() == 1 && moves.front() == "pass") position_->play("pass");
  }

  [[nodiscard]] static protocol::Dialect dialect() {
    return manner == "writes-hexgui" ? protocol::Dialect::hexgui : protocol::Dialect::plain;
  }

  void read_moves(std::istringstream& words) {
    position_ = initial_->clone();
    std::string word;
    words >> word >> word;  // startpos moves
    while (words >> word) {
      const std::optional<std::string> move = clients::from_uci(game(), word);
      if (!move) return;
      position_->play(*move);
    }
  }

  void go(std::istringstream& words) {
    std::string mode;
    words >> mode;
    is_pondering_ = mode == "ponder" && manner != "ponders-briefly";
    if (!is_pondering_) search();
  }

  void end_pondering() {
    if (std::exchange(is_pondering_, false)) search();
  }

  void search() const {
    before_move();
    const std::string move = position_->legal_moves().front();
    std::cout << "info depth 1 score cp 12 nodes 34 pv x\ninfo string nodes 5\nbestmove "
              << clients::to_uci(game(), *position_, move, clients::UciArrow::with_piece)
              << " ponder " << expected_after(move) << "\n";
  }

  /// The reply that the program expects: the first legal one.
  [[nodiscard]] std::string expected_after(const std::string& move) const {
    if (!ponders()) return "a1a2";
    const auto next = position_->clone();
    next->play(move);
    if (next->result().finished()) return "0000";
    return clients::to_uci(game(), *next, next->legal_moves().front(),
                           clients::UciArrow::with_piece);
  }

  [[nodiscard]] static bool ponders() { return manner.starts_with("ponders"); }

  [[nodiscard]] const clients::UciGame& game() const {
    return *clients::find_uci_game(initial_->name(), initial_->parameters());
  }

  std::unique_ptr<games::AnyGame> initial_;
  std::unique_ptr<games::AnyGame> position_;
  bool is_pondering_ = false;
};

int run(const std::vector<std::string>& arguments) {
  if (arguments.size() < 3) return 2;
  manner = arguments[1];
  begin();
  games::Parameters parameters;
  for (std::size_t i = 3; i < arguments.size(); ++i) {
    const std::size_t equals = arguments[i].find('=');
    parameters.set(arguments[i].substr(0, equals), arguments[i].substr(equals + 1));
  }
  Program program(games::make_game(arguments[2], parameters));
  if (arguments[0] == "uci") {
    program.speak_uci();
  } else if (arguments[0] == "gomocup") {
    program.speak_gomocup();
  } else if (arguments[0] == "nboard") {
    program.speak_nboard();
  } else {
    program.speak_gtp();
  }
  return 0;
}

}  // namespace

}  // namespace pitboss::peers

int main(int count, char** words) { return pitboss::peers::run({words + 1, words + count}); }
