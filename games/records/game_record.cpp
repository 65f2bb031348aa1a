#include "games/records/game_record.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <span>

#include "games/grid.hpp"
#include "games/letter_case.hpp"
#include "games/notation.hpp"
#include "games/records/move_steps.hpp"
#include "games/records/position_editor.hpp"
#include "games/records/sgf.hpp"

namespace pitboss::games {

namespace {

/// SGF's letters for columns from the left and rows from the top.
constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// The board of an SGF record. Our rectangle lies in the lower left corner of a square, as GoGui
/// shows it.
struct SgfSize {
  int width;
  int height;
};

SgfSize square_round(BoardShape shape) { return {shape.side(), shape.side()}; }

/// Our records are in GoGui's notation. Those whose AP tells no version are in the plain one.
constexpr std::string_view our_program = "Pitboss";
constexpr std::string_view our_version = "2";

std::string pair(Place p, const BoardShape& shape) {
  const bool first_row_on_top = draws_upside_down(Dialect::gogui, shape);
  return {letters[p.x], letters[first_row_on_top ? p.y : shape.side() - 1 - p.y]};
}

// ---- writing

std::string node(std::string_view name, std::string_view value) {
  return std::string(name) + sgf_value(value);
}

/// A legal move, with a node for each point.
std::string move_nodes(const AnyGame& game, const std::string& move) {
  const std::string_view colour = game.to_move() == Colour::black ? "B" : "W";
  std::string text;
  for (const std::string& step : steps_of(game, move)) {
    const auto point = place_of(step);
    text += ";" + node(colour, step == "pass" ? "" : point ? pair(*point, game.shape()) : step);
  }
  return text;
}

/// The differences from the initial position. SGF has only black and white stones; a position with
/// other pieces is written as a whole, in our own property.
std::string setup_text(const AnyGame& start) {
  const PositionEditor usual(*make_game(start.name(), start.parameters()));
  const PositionEditor here(start);
  std::string empty;
  std::string black;
  std::string white;
  for (const Place p : here.places()) {
    const char what = here.at(p);
    if (what == usual.at(p)) continue;
    if (std::string_view(".XO").find(what) == std::string_view::npos ||
        std::string_view(".XO").find(usual.at(p)) == std::string_view::npos) {
      return node("XP", start.position());
    }
    std::string& points = what == PositionEditor::empty                  ? empty
                          : what == PositionEditor::stone(Colour::black) ? black
                                                                         : white;
    points += sgf_value(pair(p, start.shape()));
  }
  std::string text;
  if (!empty.empty()) text += "AE" + empty;
  if (!black.empty()) text += "AB" + black;
  if (!white.empty()) text += "AW" + white;
  if (here.to_move != usual.to_move) text += here.to_move == Colour::black ? "PL[B]" : "PL[W]";
  if (here.extra != usual.extra) text += node("EX", here.extra);
  return text;
}

// ---- reading

int number(std::string_view text) {
  int n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error == std::errc{} && end == text.data() + text.size() && n >= 1 &&
      n <= static_cast<int>(letters.size())) {
    return n;
  }
  throw BadSgf("the board's size must be a number from 1 to 52, or two of them");
}

SgfSize size_of(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos) return {number(text), number(text)};
  return {number(text.substr(0, colon)), number(text.substr(colon + 1))};
}

const std::string* find(const SgfNode& node, std::string_view name) {
  const auto found = std::ranges::find(node, name, &SgfProperty::name);
  return found == node.end() ? nullptr : &found->values.front();
}

/// A game that SGF numbers (GM), and the size of its board where a record tells none.
struct NumberedGame {
  std::string_view number;
  std::string_view name;
  int size;
};
constexpr std::array<NumberedGame, 4> numbered_games{
    {{"2", "othello", 8}, {"4", "gomoku", 19}, {"11", "hex", 11}, {"18", "amazons", 10}}};
constexpr int usual_size = 19;

std::string_view value_of(const SgfNode& node, std::string_view name) {
  const std::string* value = find(node, name);
  return value == nullptr ? std::string_view() : std::string_view(*value);
}

/// The game that the root's GM names; null for Go's number, which programs give to all games.
const NumberedGame* numbered_game(const SgfNode& root) {
  const std::string_view number = value_of(root, "GM");
  if (number.empty() || number == "1") return nullptr;
  const auto* const found = std::ranges::find(numbered_games, number, &NumberedGame::number);
  if (found == numbered_games.end()) {
    throw BadSgf("the record's game, number " + std::string(number) +
                 " of SGF (GM), is none of these games");
  }
  return found;
}

bool is_game_of_ours(std::string_view rules) {
  return std::ranges::find(game_names(), rules.substr(0, rules.find(' '))) != game_names().end();
}

/// The game that the root node names, in its initial position.
std::unique_ptr<AnyGame> game_of(const SgfNode& root, const SgfSize& size, const AnyGame& now) {
  const std::string rules(value_of(root, "RU"));
  if (is_game_of_ours(rules)) {
    const std::string name = rules.substr(0, rules.find(' '));
    return make_game(name, parse_parameters(rules.substr(name.size())));
  }
  const NumberedGame* const numbered = numbered_game(root);
  const std::string_view name = numbered == nullptr ? now.name() : numbered->name;
  Parameters parameters = name == now.name() ? now.parameters() : make_game(name)->parameters();
  if (parameters.has("size")) parameters.set("size", std::to_string(size.width));
  return make_game(name, parameters);
}

/// Whose notation the record is in, by what its root tells; nothing if it does not tell.
std::optional<Dialect> dialect_of(const SgfNode& root, std::optional<Dialect> told) {
  const std::string_view program = value_of(root, "AP");
  const std::string_view name = program.substr(0, program.find(':'));
  if (name == our_program) {
    return program.size() > name.size() ? Dialect::gogui : Dialect::plain;
  }
  if (name == "HexGui" || value_of(root, "GM") == "11") return Dialect::hexgui;
  if (name == "GoGui") return Dialect::gogui;
  if (is_game_of_ours(value_of(root, "RU"))) return Dialect::plain;
  if (told) return told;
  // It writes the points that the programs say, which speak GTP as it is unless told otherwise.
  if (name == "gogui-twogtp") return Dialect::plain;
  return std::nullopt;
}

bool is_letter(char c) { return letters.find(c) != std::string_view::npos; }

/// Follows a main line node by node.
class RecordReader {
 public:
  RecordReader(const SgfGame& nodes, const AnyGame& now, std::optional<Dialect> told)
      : nodes_(nodes), dialect_(dialect_of(nodes.front(), told)) {
    const SgfNode& root = nodes.front();
    const std::string* size = find(root, "SZ");
    const NumberedGame* const numbered = numbered_game(root);
    const int usual = numbered == nullptr ? usual_size : numbered->size;
    board_ = size == nullptr ? SgfSize{usual, usual} : size_of(*size);
    record_.start = game_of(root, board_, now);
    shape_ = record_.start->shape();
    if (size == nullptr && is_game_of_ours(value_of(root, "RU"))) board_ = square_round(shape_);
    const SgfSize square = square_round(shape_);
    const bool fits = (board_.width == shape_.width && board_.height == shape_.height) ||
                      (board_.width == square.width && board_.height == square.height);
    if (!fits) {
      throw BadSgf("the record's board has " + std::to_string(board_.width) + " columns and " +
                   std::to_string(board_.height) + " rows, that of " +
                   std::string(record_.start->name()) + " " + std::to_string(shape_.width) +
                   " and " + std::to_string(shape_.height));
    }
    game_ = record_.start->clone();
    editor_.emplace(*game_);
    // In records of amazons (by their numbers) the root's stones replace the usual ones.
    const bool has_stones = std::ranges::any_of(
        root, [](const SgfProperty& p) { return p.name == "AB" || p.name == "AW"; });
    if (numbered != nullptr && numbered->name == "amazons" && has_stones) editor_->clear();
  }

  Record read(int before) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!take(i, before)) break;
    }
    if (!steps_.chosen().empty()) {
      throw BadSgf("the record ends within a move (of '" + steps_.chosen().front() + "')");
    }
    begin();
    return std::move(record_);
  }

 private:
  static bool is_move(const SgfProperty& property) {
    return property.name == "B" || property.name == "W";
  }
  static Colour colour_of(const SgfProperty& move) {
    return move.name == "B" ? Colour::black : Colour::white;
  }

  /// False if the node holds move number `before`.
  bool take(std::size_t number, int before) {
    for (const SgfProperty& property : nodes_[number]) {
      const std::string& name = property.name;
      if (is_move(property)) {
        if (++moves_ >= before) return false;
        move(property, number);
      } else if (name == "AB") {
        put(property, PositionEditor::stone(Colour::black));
      } else if (name == "AW") {
        put(property, PositionEditor::stone(Colour::white));
      } else if (name == "AE") {
        put(property, PositionEditor::empty);
      } else if (name == "AA") {
        put(property, '*');  // an arrow of amazons
      } else if (name == "PL") {
        set_up().to_move = side(property.values.front());
        tells_side_ = true;
      } else if (name == "EX") {
        set_up().extra = property.values.front();
      } else if (name == "XP") {
        set_up_as(property.values.front());
      }
    }
    return true;
  }

  static Colour side(const std::string& text) {
    const char c = text.empty() ? ' ' : text.front();
    if (c == 'B' || c == 'b' || c == '1') return Colour::black;
    if (c == 'W' || c == 'w' || c == '2') return Colour::white;
    throw BadSgf("the side to move (PL) must be B or W, not '" + text + "'");
  }

  [[noreturn]] void fail_for_writer(const std::string& text) const {
    const bool has_game = numbered_game(nodes_.front()) != nullptr;
    throw BadSgf("'" + text +
                 "' is another point in another notation, and the record does not name the program "
                 "that wrote it (AP)" +
                 (has_game ? "" : ", nor its game (GM)") +
                 "; `dialect plain`, `dialect gogui` or "
                 "`dialect hexgui` tells which is meant");
  }

  [[nodiscard]] Place place_of_pair(const std::string& pair) const {
    const bool is_pair = pair.size() == 2 && std::ranges::all_of(pair, is_letter);
    if (is_pair) {
      // Only there do the dialects differ.
      if (!dialect_ && draws_upside_down(Dialect::gogui, shape_)) fail_for_writer(pair);
      const int x = static_cast<int>(letters.find(pair[0]));
      const int row = static_cast<int>(letters.find(pair[1]));
      const bool first_row_on_top = dialect_ && draws_upside_down(*dialect_, shape_);
      const Place at{x, first_row_on_top ? row : board_.height - 1 - row};
      if (editor_->has(at)) return at;
    }
    throw BadSgf("'" + pair + "' is not a point of the board");
  }

  /// A text with points ("d2xe3") in our own notation.
  [[nodiscard]] std::string heard(const std::string& text) const {
    if (dialect_) return rewritten(text, notation_of(*dialect_, shape_), {});
    if (!same_ignoring_case(text, rewritten(text, notation_of(Dialect::hexgui, shape_), {}))) {
      fail_for_writer(text);
    }
    return text;
  }

  [[nodiscard]] Place point(const std::string& value) const {
    const auto named = place_of(heard(value));
    if (named && editor_->has(*named)) return *named;
    return place_of_pair(value);
  }

  PositionEditor& set_up() {
    if (moves_ > 0)
      throw BadSgf("the record sets up stones behind the first move; they must come before it");
    has_setup_ = true;
    return *editor_;
  }

  /// Sets up a whole position, written as for the command `position`.
  void set_up_as(const std::string& position) {
    static_cast<void>(set_up());
    game_->set_position(position);
    editor_.emplace(*game_);
    tells_side_ = true;
  }

  /// Puts a piece on points, or on rectangles of points ("aa:cc").
  void put(const SgfProperty& property, char what) {
    PositionEditor& editor = set_up();
    for (const std::string& value : property.values) {
      if (value.empty()) continue;
      const auto colon = value.find(':');
      const Place one = point(value.substr(0, colon));
      const Place other = colon == std::string::npos ? one : point(value.substr(colon + 1));
      // Which corners they are depends on how the writer draws the board.
      const auto [left, right] = std::minmax(one.x, other.x);
      const auto [bottom, top] = std::minmax(one.y, other.y);
      for (int y = bottom; y <= top; ++y) {
        for (int x = left; x <= right; ++x) {
          if (editor.has({x, y})) editor.put({x, y}, what);
        }
      }
    }
  }

  /// Ends the setup.
  void begin() {
    if (!has_setup_) return;
    has_setup_ = false;
    record_.start = editor_->apply(*record_.start);
    game_ = record_.start->clone();
  }

  /// The move as the game writes it, if it is no word. A point has two letters, a move of several
  /// points may have them side by side ("djddgd"); other moves are texts.
  [[nodiscard]] std::string text_of(const std::string& value) const {
    const bool is_pairs = value.size() % 2 == 0 && std::ranges::all_of(value, is_letter) &&
                          !same_ignoring_case(value, "swap");
    if (!is_pairs) return heard(value);
    std::string points;
    for (std::size_t i = 0; i < value.size(); i += 2) {
      const auto [x, y] = place_of_pair(value.substr(i, 2));
      points += point_text(x, y);
    }
    return points;
  }

  [[nodiscard]] bool is_pass(const std::string& value) const {
    constexpr int tt_is_a_point_from = 20;
    return value.empty() || same_ignoring_case(value, "pass") ||
           (value == "tt" && board_.height < tt_is_a_point_from);
  }

  /// Hex's words for the swap rule: of SGF, and "swap" in its records.
  [[nodiscard]] bool is_hex_swap(const std::string& value) const {
    return same_ignoring_case(value, "swap-pieces") || same_ignoring_case(value, "swap-sides") ||
           (dialect_ == Dialect::hexgui && same_ignoring_case(value, "swap"));
  }

  void move(const SgfProperty& property, std::size_t node) {
    const Colour colour = colour_of(property);
    const std::string& value = property.values.front();
    // In records of handicap games often only the first move tells who is to move.
    if (has_setup_ && !tells_side_) editor_->to_move = colour;
    begin();
    const auto fail = [&](std::string_view what) {
      throw BadSgf("move " + std::to_string(moves_) + " ('" + value + "') " + std::string(what));
    };
    if (given_up_) fail("follows the game's end");
    given_up_ = same_ignoring_case(value, "resign") || same_ignoring_case(value, "forfeit");
    if (given_up_) return;
    if (game_->result().finished()) {
      // gogui-twogtp has programs pass until both have seen the end.
      if (is_pass(value)) return;
      fail("follows the game's end");
    }
    if (colour != game_->to_move()) fail("is by the side that is not to move");
    if (is_hex_swap(value)) {
      swap_pieces(node);
      return;
    }
    const std::string text = is_pass(value) ? "pass" : text_of(value);
    try {
      // A move of several points may take several nodes.
      const auto chosen = steps_.choose(*game_, text);
      if (chosen && chosen->empty()) return;
      if (!chosen && !steps_.chosen().empty()) fail("does not go on with the move that has begun");
      std::string move = chosen ? *chosen : game_->canonical(text);
      game_->play(move);
      record_.moves.push_back(std::move(move));
      steps_.clear();
    } catch (const BadGame&) {
      fail("is not legal");
    }
  }

  /// Whether the next move behind a node is by the colour that moved there.
  [[nodiscard]] bool moves_again(std::size_t node) const {
    const auto mover = [](const SgfNode& properties) {
      return std::ranges::find_if(properties, is_move);
    };
    const auto behind = nodes_.subspan(node + 1);
    const auto next = std::ranges::find_if(
        behind, [&](const SgfNode& properties) { return mover(properties) != properties.end(); });
    return next == behind.end() || mover(*next)->name == mover(nodes_[node])->name;
  }

  /// Hex's swap. HexGui calls two things swap-pieces, which the next move tells apart. If the same
  /// colour moves again, the players have changed colours: the board stays. If not, the stone has
  /// changed its colour, and its place by the long diagonal; in our games it keeps its place, so
  /// the record begins with what came of it.
  void swap_pieces(std::size_t node) {
    if (moves_again(node)) return;
    const PositionEditor before(*game_);
    std::vector<Place> stones;
    for (const Place place : before.places()) {
      if (before.at(place) != PositionEditor::empty) stones.push_back(place);
    }
    Parameters parameters = game_->parameters();
    if (stones.size() != 1 || !parameters.has("swap") || shape_.width != shape_.height) {
      throw BadSgf("move " + std::to_string(moves_) +
                   " swaps pieces where there is not one stone on a board of hex");
    }
    parameters.set("swap", "on");
    PositionEditor after(before);
    after.clear();
    after.put({stones[0].y, stones[0].x}, PositionEditor::stone(Colour::white));
    after.to_move = Colour::black;
    record_.start = after.apply(*make_game(game_->name(), parameters));
    record_.moves.clear();
    game_ = record_.start->clone();
  }

  std::span<const SgfNode> nodes_;
  std::optional<Dialect> dialect_;  ///< nothing: the record does not tell
  BoardShape shape_{};
  SgfSize board_{};
  std::unique_ptr<AnyGame> game_;
  std::optional<PositionEditor> editor_;
  bool has_setup_ = false;
  bool tells_side_ = false;
  Record record_;
  MoveSteps steps_;  ///< points of a move that is not complete
  int moves_ = 0;    ///< nodes with a move so far
  bool given_up_ = false;
};

}  // namespace

std::string record_to_sgf(const AnyGame& start, const std::vector<std::string>& moves,
                          const SgfNode& root) {
  if (start.colours().front() != "black") throw BadSgf("SGF has the colours black and white only");
  const std::string parameters = start.parameters().line();
  std::string text =
      "(;FF[4]" + node("AP", std::string(our_program) + ":" + std::string(our_version)) +
      node("SZ", std::to_string(start.shape().side())) +
      node("RU", std::string(start.name()) + (parameters.empty() ? "" : " ") + parameters) +
      setup_text(start);
  for (const SgfProperty& property : root) text += node(property.name, property.values.front());
  auto game = start.clone();
  std::string nodes;
  // Passes that follow a game's end are no moves of the game.
  for (std::size_t i = 0; i < moves.size() && !game->result().finished(); ++i) {
    constexpr int moves_a_line = 10;
    if (i % moves_a_line == 0) nodes += '\n';
    nodes += move_nodes(*game, moves[i]);
    game->play(moves[i]);
  }
  if (game->result().finished() && find(root, "RE") == nullptr) {
    text += node("RE", score_text(*game));
  }
  return text + nodes + ")";
}

Record record_from_sgf(const SgfGame& nodes, const AnyGame& now, const RecordReading& reading) {
  try {
    RecordReader reader(nodes, now, reading.dialect);
    return reader.read(reading.before.value_or(std::numeric_limits<int>::max()));
  } catch (const BadGame& bad) {
    throw BadSgf(bad.what());
  }
}

}  // namespace pitboss::games
