#include "games/records/game_record.hpp"

#include <algorithm>
#include <charconv>
#include <limits>

#include "games/grid.hpp"
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

  [[nodiscard]] std::string pair(Place p) const {
    return {letters[p.x], letters[height - 1 - p.y]};
  }
};

SgfSize square_round(BoardShape shape) {
  const int size = std::max(shape.width, shape.height);
  return {size, size};
}

// ---- writing

std::string node(std::string_view name, std::string_view value) {
  return std::string(name) + sgf_value(value);
}

/// A legal move, with a node for each point.
std::string move_nodes(const AnyGame& game, const std::string& move, const SgfSize& board) {
  const std::string_view colour = game.to_move() == Colour::black ? "B" : "W";
  std::string text;
  for (const std::string& step : steps_of(game, move)) {
    const auto point = place_of(step);
    text += ";" + node(colour, step == "pass" ? "" : point ? board.pair(*point) : step);
  }
  return text;
}

/// The differences from the initial position. SGF has only black and white stones; a position with
/// other pieces is written as a whole, in our own property.
std::string setup_text(const AnyGame& start, const SgfSize& board) {
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
    points += sgf_value(board.pair(p));
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

/// The game that the root node names, in its initial position.
std::unique_ptr<AnyGame> game_of(const SgfNode& root, const SgfSize& size, const AnyGame& now) {
  const std::string* rules = find(root, "RU");
  const std::string name = rules == nullptr ? "" : rules->substr(0, rules->find(' '));
  if (std::ranges::find(game_names(), name) != game_names().end()) {
    return make_game(name, parse_parameters(rules->substr(name.size())));
  }
  Parameters parameters = now.parameters();
  if (parameters.has("size")) parameters.set("size", std::to_string(size.width));
  return make_game(now.name(), parameters);
}

/// Follows a main line node by node.
class RecordReader {
 public:
  RecordReader(const SgfNode& root, const AnyGame& now) {
    const std::string* size = find(root, "SZ");
    constexpr SgfSize usual{19, 19};
    board_ = size == nullptr ? usual : size_of(*size);
    record_.start = game_of(root, board_, now);
    const BoardShape shape = record_.start->shape();
    if (size == nullptr && find(root, "RU") != nullptr) board_ = square_round(shape);
    const SgfSize square = square_round(shape);
    const bool fits = (board_.width == shape.width && board_.height == shape.height) ||
                      (board_.width == square.width && board_.height == square.height);
    if (!fits) {
      throw BadSgf("the record's board has " + std::to_string(board_.width) + " columns and " +
                   std::to_string(board_.height) + " rows, that of " +
                   std::string(record_.start->name()) + " " + std::to_string(shape.width) +
                   " and " + std::to_string(shape.height));
    }
    game_ = record_.start->clone();
    editor_.emplace(*game_);
  }

  /// False if the node holds move number `before`.
  bool take(const SgfNode& node, int before) {
    for (const SgfProperty& property : node) {
      const std::string& name = property.name;
      if (name == "B" || name == "W") {
        if (++moves_ >= before) return false;
        move(name == "B" ? Colour::black : Colour::white, property.values.front());
      } else if (name == "AB") {
        put(property, PositionEditor::stone(Colour::black));
      } else if (name == "AW") {
        put(property, PositionEditor::stone(Colour::white));
      } else if (name == "AE") {
        put(property, PositionEditor::empty);
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

  Record result() {
    if (!steps_.chosen().empty()) {
      throw BadSgf("the record ends within a move (of '" + steps_.chosen().front() + "')");
    }
    begin();
    return std::move(record_);
  }

 private:
  static Colour side(const std::string& text) {
    const char c = text.empty() ? ' ' : text.front();
    if (c == 'B' || c == 'b' || c == '1') return Colour::black;
    if (c == 'W' || c == 'w' || c == '2') return Colour::white;
    throw BadSgf("the side to move (PL) must be B or W, not '" + text + "'");
  }

  [[nodiscard]] Place point(std::string_view pair) const {
    if (pair.size() == 2) {
      const auto x = letters.find(pair[0]);
      const auto row = letters.find(pair[1]);
      if (x != std::string_view::npos && row != std::string_view::npos) {
        const Place at{static_cast<int>(x), board_.height - 1 - static_cast<int>(row)};
        if (editor_->has(at)) return at;
      }
    }
    throw BadSgf("'" + std::string(pair) + "' is not a point of the board");
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
      const auto colon = value.find(':');
      const auto [left, top] = point(value.substr(0, colon));
      const auto [right, bottom] =
          colon == std::string::npos ? Place{left, top} : point(value.substr(colon + 1));
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

  /// The move as the game writes it. A point has two letters; other moves are texts.
  [[nodiscard]] std::string text_of(const std::string& value) const {
    constexpr int tt_is_a_point_from = 20;
    if (value.empty() || (value == "tt" && board_.height < tt_is_a_point_from)) return "pass";
    const auto is_letter = [](char c) { return letters.find(c) != std::string_view::npos; };
    if (value.size() != 2 || !std::ranges::all_of(value, is_letter)) return value;
    const auto [x, y] = point(value);
    return point_text(x, y);
  }

  void move(Colour colour, const std::string& value) {
    // In records of handicap games often only the first move tells who is to move.
    if (has_setup_ && !tells_side_) editor_->to_move = colour;
    begin();
    const auto fail = [&](std::string_view what) {
      throw BadSgf("move " + std::to_string(moves_) + " ('" + value + "') " + std::string(what));
    };
    if (colour != game_->to_move()) fail("is by the side that is not to move");
    const std::string text = text_of(value);
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

  SgfSize board_{};
  std::unique_ptr<AnyGame> game_;
  std::optional<PositionEditor> editor_;
  bool has_setup_ = false;
  bool tells_side_ = false;
  Record record_;
  MoveSteps steps_;  ///< points of a move that is not complete
  int moves_ = 0;    ///< nodes with a move so far
};

}  // namespace

std::string record_to_sgf(const AnyGame& start, const std::vector<std::string>& moves,
                          const SgfNode& root) {
  if (start.colours().front() != "black") throw BadSgf("SGF has the colours black and white only");
  const SgfSize board = square_round(start.shape());
  const std::string parameters = start.parameters().line();
  std::string text =
      "(;FF[4]AP[Pitboss]" + node("SZ", std::to_string(board.width)) +
      node("RU", std::string(start.name()) + (parameters.empty() ? "" : " ") + parameters) +
      setup_text(start, board);
  for (const SgfProperty& property : root) text += node(property.name, property.values.front());
  auto game = start.clone();
  std::string nodes;
  // Passes that follow a game's end are no moves of the game.
  for (std::size_t i = 0; i < moves.size() && !game->result().finished(); ++i) {
    constexpr int moves_a_line = 10;
    if (i % moves_a_line == 0) nodes += '\n';
    nodes += move_nodes(*game, moves[i], board);
    game->play(moves[i]);
  }
  if (game->result().finished() && find(root, "RE") == nullptr) {
    text += node("RE", score_text(*game));
  }
  return text + nodes + ")";
}

Record record_from_sgf(const SgfGame& nodes, const AnyGame& now, std::optional<int> before) {
  try {
    RecordReader reader(nodes.front(), now);
    for (const SgfNode& node : nodes) {
      if (!reader.take(node, before.value_or(std::numeric_limits<int>::max()))) break;
    }
    return reader.result();
  } catch (const BadGame& bad) {
    throw BadSgf(bad.what());
  }
}

}  // namespace pitboss::games
