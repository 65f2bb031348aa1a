/// A program that plays a game on its standard streams, well or badly:
///
///     pitboss_scripted_engine gtp|uci|gomocup|nboard MANNER GAME [key=value ...]
///
/// It plays the first legal move. What it misbehaves in, unless said otherwise, is its answer to
/// the first request for a move. A manner of GTP may be several traits, joined by `+`:
///
///     top, i              row 1 is the top one, and the ninth column is i
///     capitals            takes no small letters
///     dash, blank, cross, slash, brackets
///                         "d2-e3", "d2 e3", "d2xe3", "d1-d7/g7", "d1-d7(g7)": takes moves in no
///                         other form
///     plays-last          the last legal move, not the first
///     sees-N, seed-N      a move that ends the game in N of 100 cases where there is one, else any
///                         move; the same ones each time with a seed
///     lenient             takes every text, and does nothing where it is no move
///     lists, rules, shows has legal_moves, gogui-rules_legal_moves, showboard
///     lies                lists and shows the rows from the other side
///     says-WORD           passes by WORD, and takes no other for a pass
///     passes-WORD         passes by itself, and answers WORD then
///     refuses-to-pass     passes by itself, and refuses to move then
///     moves-for-other     passes by itself, and makes a move for the other side then
///     swap-pieces, swap-sides
///                         its word for swap
///     knows-no-swap       it has none

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <chrono>
#include <csignal>
#include <iostream>
#include <memory>
#include <optional>
#include <random>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "clients/players/uci_games.hpp"
#include "games/any_game.hpp"
#include "games/grid.hpp"
#include "games/notation.hpp"
#include "games/random.hpp"

namespace pitboss::peers {

namespace {

std::string manner;  // NOLINT(cppcoreguidelines-avoid-non-const-global-variables): of the program

std::vector<std::string> traits() {
  std::vector<std::string> out;
  std::istringstream in(manner);
  for (std::string one; std::getline(in, one, '+');) out.push_back(one);
  return out;
}

/// Whether the manner has that trait.
bool is(std::string_view name) {
  const std::vector<std::string> all = traits();
  return std::ranges::find(all, name) != all.end();
}

/// What follows that beginning of a trait; nothing if none begins so.
std::optional<std::string> behind(std::string_view beginning) {
  for (const std::string& one : traits()) {
    if (one.starts_with(beginning)) return one.substr(beginning.size());
  }
  return std::nullopt;
}

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
    if (is("lists")) out += "\nlegal_moves";
    if (is("rules")) out += "\ngogui-rules_legal_moves";
    if (is("shows")) out += "\nshowboard";
    if (manner != "has-no-clock") out += "\ntime_settings\ntime_left";
    if (manner == "has-kata-clock") out += "\nkata-time_settings";
    return out;
  }

  std::optional<std::string> answer_to(const std::string& command, std::istringstream& words) {
    std::string first;
    std::string rest;
    words >> first >> std::ws;
    std::getline(words, rest);
    try {
      if (command == "protocol_version") return manner == "speaks-gtp-1" ? "1" : "2";
      if (command == "list_commands") return commands();
      const bool is_clock = command.ends_with("time_settings") || command == "time_left";
      if (is_clock && manner != "has-no-clock") return "";
      if (command == "boardsize") {
        games::Parameters parameters = initial_->parameters();
        parameters.set("size", first);
        initial_ = games::make_game(initial_->name(), parameters);
        return "";
      }
      if (command == "clear_board") {
        position_ = initial_->clone();
        may_swap_ = true;
        return "";
      }
      if (command == "komi") return "";
      if (command == "legal_moves" || command == "gogui-rules_legal_moves") return list();
      if (command == "showboard") return board();
      if (command == "play") return play(first, rest);
      if (command == "genmove") {
        before_move();
        return move_of(first);
      }
    } catch (const games::BadGame&) {
      return {};
    }
    return {};
  }

  std::optional<std::string> play(const std::string& colour, const std::string& text) {
    if (passes_by_itself() && text == "pass") return {};
    // A stone of white's at first is one that has been swapped.
    may_swap_ = may_swap_ && position_->colour_named(colour) == position_->to_move();
    try {
      position_->play(heard(text));
      pass_by_itself();
    } catch (const games::BadGame&) {
      if (!is("lenient")) return {};
    }
    return "";
  }

  std::optional<std::string> move_of(const std::string& colour) {
    if (passes_by_itself() && position_->colour_named(colour) != position_->to_move()) {
      if (is("refuses-to-pass")) return {};
      if (const auto word = behind("passes-")) return word;
    }
    const std::string move = chosen();
    position_->play(move);
    pass_by_itself();
    return spoken(move, points());
  }

  /// The legal moves that the program knows.
  [[nodiscard]] std::vector<std::string> moves() const {
    std::vector<std::string> moves = position_->legal_moves();
    if (!may_swap_ || is("knows-no-swap")) std::erase(moves, "swap");
    return moves;
  }

  /// Of a hundred, how many moves that end the game are seen.
  [[nodiscard]] std::string seen(int of_hundred) {
    const std::vector<std::string> all = moves();
    if (random_.below(100) < of_hundred) {
      for (const std::string& move : all) {
        const auto next = position_->clone();
        next->play(move);
        if (next->result().finished()) return move;
      }
    }
    return all[static_cast<std::size_t>(random_.below(static_cast<int>(all.size())))];
  }

  static std::uint64_t seed() {
    if (const auto given = behind("seed-")) return std::stoul(*given);
    return std::random_device()();
  }

  [[nodiscard]] std::string chosen() {
    if (const auto share = behind("sees-")) return seen(std::stoi(*share));
    return is("plays-last") ? moves().back() : moves().front();
  }

  [[nodiscard]] games::Notation points(bool is_lie = false) const {
    const games::BoardShape shape = position_->shape();
    const bool may_turn = shape.lattice != games::Lattice::hexagonal_falling;
    return {is("i"), may_turn && is("top") != is_lie ? shape.height : 0};
  }

  /// What stands between the points of a move, and round the third.
  [[nodiscard]] static std::array<std::string_view, 3> separators() {
    if (is("dash")) return {"-", "-", ""};
    if (is("blank")) return {" ", " ", ""};
    if (is("cross")) return {"x", "x", ""};
    if (is("slash")) return {"-", "/", ""};
    if (is("brackets")) return {"-", "(", ")"};
    return {"", "", ""};
  }

  /// A move as this program writes it, in capitals.
  [[nodiscard]] static std::string spoken(const std::string& move, const games::Notation& points) {
    if (move == "pass") return behind("says-").value_or("PASS");
    if (move == "swap")
      return is("swap-pieces") ? "SWAP-PIECES" : is("swap-sides") ? "SWAP-SIDES" : "SWAP";
    const auto [between, before_third, behind_third] = separators();
    const std::vector<std::string> all = games::points_of(move);
    std::string text;
    for (std::size_t i = 0; i < all.size(); ++i) {
      text.append(i == 0 ? "" : i == 1 ? between : before_third).append(all[i]);
      if (i == 2) text += behind_third;
    }
    text += move.substr(move.rfind(all.back()) + all.back().size());
    return upper(games::rewritten(text, {}, points));
  }

  /// The legal move that a text means to this program. Throws BadGame if there is none.
  [[nodiscard]] std::string heard(const std::string& text) const {
    for (const std::string& move : moves()) {
      const bool is_own_word = move == "pass" && behind("says-") && !is("says-resign");
      const std::string word = move == "pass" && !is_own_word ? "PASS" : spoken(move, points());
      if (word == (is("capitals") || is_own_word ? text : upper(text))) return move;
    }
    throw games::BadGame("no move");
  }

  [[nodiscard]] static std::string upper(std::string text) {
    for (char& c : text) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    return text;
  }

  /// The legal moves, in lines.
  [[nodiscard]] std::string list() const {
    std::string out;
    for (const std::string& move : moves()) {
      out += spoken(move, points(is("lies"))) + "\n";
    }
    if (!out.empty()) out.pop_back();
    return out;
  }

  /// The board's letters and numbers.
  [[nodiscard]] std::string board() const {
    const games::Notation notation = points(is("lies"));
    const games::BoardShape shape = position_->shape();
    std::string out = "\n  ";
    for (int x = 0; x < shape.width; ++x) {
      out += " " + games::rewritten(games::point_text(x, 0), {}, notation).substr(0, 1);
    }
    for (int row = 1; row <= shape.height; ++row) {
      out += "\n" + std::to_string(notation.rows_from_top > 0 ? row : shape.height + 1 - row);
      for (int x = 0; x < shape.width; ++x) out += " .";
    }
    return out;
  }

  [[nodiscard]] static bool passes_by_itself() {
    return behind("passes-") || is("refuses-to-pass") || is("moves-for-other");
  }

  void pass_by_itself() {
    const auto moves = position_->legal_moves();
    if (passes_by_itself() && moves.size() == 1 && moves.front() == "pass") position_->play("pass");
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
    if (is_pondering_ && manner == "ponders-aloud") {
      for (int i = 0; i < 100'000; ++i) std::cout << "info string the long thoughts of an engine\n";
      std::cerr << "has said all" << std::endl;
    }
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
  games::Random random_{seed()};
  bool may_swap_ = true;
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
