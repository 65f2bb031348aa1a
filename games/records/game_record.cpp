#include "games/records/game_record.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <iterator>
#include <limits>
#include <ranges>
#include <span>
#include <utility>

#include "games/grid.hpp"
#include "games/letter_case.hpp"
#include "games/move_words.hpp"
#include "games/notation.hpp"
#include "games/records/move_steps.hpp"
#include "games/records/position_editor.hpp"
#include "games/records/sgf.hpp"
#include "games/swap.hpp"

namespace pitboss::games {

namespace {

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
  return {sgf_letters[p.x], sgf_letters[first_row_on_top ? p.y : shape.side() - 1 - p.y]};
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
    text += ";" + node(colour, step == pass_text ? "" : point ? pair(*point, game.shape()) : step);
  }
  return text;
}

/// What is said of a position, for the last node of the move that led there.
std::string remarks(const Annotation& of) {
  std::string text;
  if (of.value) {
    std::array<char, 16> percent{};
    std::snprintf(percent.data(), percent.size(), "%.1f", 100 * *of.value);
    text += node("SBKV", percent.data());
  }
  if (of.is_mistake) text += node("BM", "1");
  if (of.is_turning_point) text += node("HO", "1");
  return of.comment.empty() ? text : text + node("C", of.comment);
}

/// A variation from that position, as a tree.
std::string variation(const AnyGame& from, const std::vector<std::string>& moves) {
  const auto game = from.clone();
  std::string text = "\n(";
  for (const std::string& move : moves) {
    text += move_nodes(*game, move);
    game->play(move);
  }
  return text + ")";
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

/// A name on one line.
std::string printable(std::string_view text) {
  std::string line(text);
  std::ranges::replace_if(
      line, [](char c) { return (c >= 0 && c < ' ') || c == '\x7f'; }, ' ');
  return line;
}

int number(std::string_view text) {
  int n = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), n);
  if (error == std::errc{} && end == text.data() + text.size() && n >= 1 &&
      n <= static_cast<int>(sgf_letters.size())) {
    return n;
  }
  throw BadRecord("the board's size must be a number from 1 to 52, or two of them");
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
constexpr int go_size = 19;

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
    throw BadRecord("the record's game, number " + std::string(number) +
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
  // Nobody else has gomoku's rule of the first moves.
  if (numbered != nullptr && parameters.has("opening")) parameters.set("opening", "free");
  return make_game(name, parameters);
}

bool is_little_golems(const SgfNode& root) {
  return value_of(root, "SO").find("littlegolem") != std::string_view::npos;
}

/// Whose notation the record is in, by what its root tells; nothing if it does not tell.
std::optional<Dialect> dialect_of(const SgfNode& root, std::optional<Dialect> told) {
  const std::string_view program = value_of(root, "AP");
  const std::string_view name = program.substr(0, program.find(':'));
  if (name == our_program) {
    return program.size() > name.size() ? Dialect::gogui : Dialect::plain;
  }
  if (name == "HexGui" || value_of(root, "GM") == "11" || is_little_golems(root)) {
    return Dialect::hexgui;
  }
  if (name == "GoGui") return Dialect::gogui;
  if (is_game_of_ours(value_of(root, "RU"))) return Dialect::plain;
  if (told) return told;
  // It writes the points that the programs say, which speak GTP as it is unless told otherwise.
  if (name == "gogui-twogtp") return Dialect::plain;
  return std::nullopt;
}

bool is_letter(char c) { return sgf_letters.find(c) != std::string_view::npos; }

/// SGF's usual pass on boards up to 19 by 19.
constexpr std::string_view pass_point = "tt";

/// The columns and rows that the points of a record take which are written as two letters.
int side_needed(const SgfGame& game) {
  int side = 0;
  for (const SgfNode& node : game.nodes) {
    for (const SgfProperty& property : node) {
      const bool has_points = is_move(property) || property.name == "AB" || property.name == "AW";
      for (const std::string& value : property.values) {
        if (!has_points || value.size() != 2 || value == pass_point) continue;
        if (!std::ranges::all_of(value, is_letter)) continue;
        for (const char c : value) side = std::max(side, 1 + static_cast<int>(sgf_letters.find(c)));
      }
    }
  }
  return side;
}

/// The board of a record that does not tell its size: that of its game by number, else of the game
/// that is set, if all its points lie on it.
SgfSize usual_size(const SgfGame& game, const AnyGame& now) {
  const NumberedGame* const numbered = numbered_game(game.nodes.front());
  if (numbered != nullptr) return {numbered->size, numbered->size};
  const int side = now.shape().side();
  return side_needed(game) <= side ? SgfSize{side, side} : SgfSize{go_size, go_size};
}

/// Whether a record's first move is white's though the record sets up no position.
bool begins_with_white(const SgfGame& game) {
  for (const SgfNode& node : game.nodes) {
    for (const SgfProperty& property : node) {
      if (is_move(property)) return property.name == "W";
      if (property.name == "XP" || property.name == "AB" || property.name == "AW" ||
          property.name == "AE" || property.name == "PL") {
        return false;
      }
    }
  }
  return false;
}

/// Follows a main line node by node.
class RecordReader {
 public:
  RecordReader(const SgfGame& game, const AnyGame& now, std::optional<Dialect> told)
      : nodes_(game.nodes),
        variations_(game.variations),
        dialect_(dialect_of(nodes_.front(), told)) {
    const SgfNode& root = nodes_.front();
    const std::string* size = find(root, "SZ");
    board_ = size == nullptr ? usual_size(game, now) : size_of(*size);
    read_.game.start = game_of(root, board_, now);
    shape_ = read_.game.start->shape();
    if (size == nullptr && is_game_of_ours(value_of(root, "RU"))) board_ = square_round(shape_);
    const SgfSize square = square_round(shape_);
    const bool fits = (board_.width == shape_.width && board_.height == shape_.height) ||
                      (board_.width == square.width && board_.height == square.height);
    if (!fits) {
      throw BadRecord("the record's board has " + std::to_string(board_.width) + " columns and " +
                      std::to_string(board_.height) + " rows, that of " +
                      std::string(read_.game.start->name()) + " " + std::to_string(shape_.width) +
                      " and " + std::to_string(shape_.height));
    }
    game_ = read_.game.start->clone();
    editor_.emplace(*game_);
    // In records of amazons (by their numbers) the root's stones replace the usual ones.
    const NumberedGame* const numbered = numbered_game(root);
    const bool has_stones = std::ranges::any_of(
        root, [](const SgfProperty& p) { return p.name == "AB" || p.name == "AW"; });
    if (numbered != nullptr && numbered->name == "amazons" && has_stones) editor_->clear();
    read_.players = {printable(value_of(root, "PB")), printable(value_of(root, "PW"))};
    read_.result = printable(value_of(root, "RE"));
    if (begins_with_white(game)) exchange_colours();
    is_cut_off_ = game.cut_in_line > 0;
    if (is_cut_off_) {
      read_.notes.push_back("the record ends early: it is read to line " +
                            std::to_string(game.cut_in_line));
    }
  }

  ReadRecord read(int before) {
    for (std::size_t i = 0; i < nodes_.size(); ++i) {
      if (!take(i, before)) break;
      hear(i);
    }
    if (!steps_.chosen().empty() && !is_cut_off_) {
      throw BadRecord("the record ends within a move (of '" + steps_.chosen().front() + "')");
    }
    begin();
    // What was said within a move whose end is missing.
    std::erase_if(read_.annotations, [&](const Annotation& said) {
      return said.ply > static_cast<int>(read_.game.moves.size());
    });
    return std::move(read_);
  }

 private:
  /// Where white begins, its moves are our black's. Hex's colours join different sides, so its
  /// board is turned, too. Little Golem writes W for the moves of PB, who joins the top with the
  /// bottom.
  void exchange_colours() {
    exchanged_ = true;
    const bool is_hex = read_.game.start->name() == "hex";
    const bool names_first_player_black = is_hex && is_little_golems(nodes_.front());
    if (!names_first_player_black) {
      std::swap(read_.players[0], read_.players[1]);
      std::string& result = read_.result;
      const bool tells_winner =
          result.size() == 1 || result.starts_with("B+") || result.starts_with("W+");
      if (tells_winner && result.front() == 'B') {
        result.front() = 'W';
      } else if (tells_winner && result.front() == 'W') {
        result.front() = 'B';
      }
    }
    is_turned_ = is_hex && !names_first_player_black;
    read_.notes.push_back(
        "white begins in the record, black in this game: colours are exchanged" +
        std::string(is_turned_ ? ", and the board is turned over its long diagonal" : ""));
  }

  [[nodiscard]] Colour colour_of(const SgfProperty& move) const {
    return (move.name == "B") != exchanged_ ? Colour::black : Colour::white;
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

  /// What a node says of the position behind it, and the variations from there. A node within a
  /// move speaks of the position behind the move.
  void hear(std::size_t number) {
    const SgfNode& node = nodes_[number];
    while (!variations_.empty() && variations_.front().behind <= number) {
      variations_ = variations_.subspan(1);
    }
    const bool is_within_move = !steps_.chosen().empty();
    const bool is_between_moves = !is_within_move && !given_up_;
    Annotation said{.ply = static_cast<int>(read_.game.moves.size()) + (is_within_move ? 1 : 0)};
    said.comment = value_of(node, "C");
    said.value = percent_in(value_of(node, "SBKV"));
    if (said.value && exchanged_) said.value = 1 - *said.value;
    said.is_mistake = find(node, "BM") != nullptr;
    said.is_turning_point = find(node, "HO") != nullptr;
    for (; !variations_.empty() && variations_.front().behind == number + 1;
         variations_ = variations_.subspan(1)) {
      auto line =
          is_between_moves ? line_of(variations_.front().nodes) : std::vector<std::string>();
      if (!line.empty()) said.variations.push_back(std::move(line));
    }
    if (said == Annotation{.ply = said.ply}) return;
    const bool is_first = read_.annotations.empty() || read_.annotations.back().ply != said.ply;
    if (is_first) {
      read_.annotations.push_back(std::move(said));
    } else {
      join(std::move(said), read_.annotations.back());
    }
  }

  /// Several nodes may speak of one position.
  static void join(Annotation said, Annotation& to) {
    if (!to.comment.empty() && !said.comment.empty()) to.comment += "\n";
    to.comment += said.comment;
    if (said.value) to.value = said.value;
    to.is_mistake |= said.is_mistake;
    to.is_turning_point |= said.is_turning_point;
    std::ranges::move(said.variations, std::back_inserter(to.variations));
  }

  static std::optional<double> percent_in(std::string_view text) {
    double percent = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), percent);
    const bool is_one = error == std::errc{} && end == text.data() + text.size() &&
                        std::isfinite(percent) && percent >= 0 && percent <= 100;
    return is_one ? std::optional(percent / 100) : std::nullopt;
  }

  /// The position of a setup to which the first move is still to come.
  [[nodiscard]] std::unique_ptr<AnyGame> position_set_up() const {
    PositionEditor editor = *editor_;
    for (const SgfNode& node : nodes_) {
      const auto first = std::ranges::find_if(node, is_move);
      if (first == node.end()) continue;
      if (!tells_side_) editor.to_move = colour_of(*first);
      break;
    }
    return editor.apply(*read_.game.start);
  }

  /// The moves of a variation from here, up to the first that is not legal.
  [[nodiscard]] std::vector<std::string> line_of(std::span<const SgfNode> nodes) const {
    std::vector<std::string> line;
    MoveSteps steps;
    try {
      const auto game = has_setup_ ? position_set_up() : game_->clone();
      for (const SgfNode& node : nodes) {
        for (const SgfProperty& property : node) {
          if (!is_move(property)) continue;
          if (colour_of(property) != game->to_move()) return line;
          const std::string& value = property.values.front();
          const std::string text = is_pass(value) ? std::string(pass_text) : turned(text_of(value));
          const auto chosen = steps.choose(*game, text);
          if (chosen && chosen->empty()) continue;
          line.push_back(game->play(chosen ? *chosen : text));
          steps.clear();
        }
      }
    } catch (const BadGame&) {
      return line;
    } catch (const BadRecord&) {
      return line;
    }
    return line;
  }

  static Colour side(const std::string& text) {
    const char c = text.empty() ? ' ' : text.front();
    if (c == 'B' || c == 'b' || c == '1') return Colour::black;
    if (c == 'W' || c == 'w' || c == '2') return Colour::white;
    throw BadRecord("the side to move (PL) must be B or W, not '" + text + "'");
  }

  [[noreturn]] void fail_for_writer(const std::string& text) const {
    const bool has_game = numbered_game(nodes_.front()) != nullptr;
    throw BadRecord(
        "'" + text +
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
      const int x = static_cast<int>(sgf_letters.find(pair[0]));
      const int row = static_cast<int>(sgf_letters.find(pair[1]));
      const bool first_row_on_top = dialect_ && draws_upside_down(*dialect_, shape_);
      const Place at{x, first_row_on_top ? row : board_.height - 1 - row};
      if (editor_->has(at)) return at;
    }
    throw BadRecord("'" + pair + "' is not a point of the board");
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
      throw BadRecord("the record sets up stones behind the first move; they must come before it");
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
    read_.game.start = editor_->apply(*read_.game.start);
    game_ = read_.game.start->clone();
  }

  /// The move as the game writes it, if it is no word. A point has two letters, a move of several
  /// points may have them side by side ("djddgd"); other moves are texts.
  [[nodiscard]] std::string text_of(const std::string& value) const {
    const bool is_pairs = value.size() % 2 == 0 && std::ranges::all_of(value, is_letter) &&
                          !same_ignoring_case(value, SwapRule::text);
    if (!is_pairs) return heard(value);
    std::string points;
    for (std::size_t i = 0; i < value.size(); i += 2) {
      const auto [x, y] = place_of_pair(value.substr(i, 2));
      points += point_text(x, y);
    }
    return points;
  }

  [[nodiscard]] std::string turned(const std::string& text) const {
    const auto place = is_turned_ ? place_of(text) : std::nullopt;
    return place ? point_text(place->y, place->x) : text;
  }

  [[nodiscard]] bool is_pass(const std::string& value) const {
    constexpr int tt_is_a_point_from = 20;
    return value.empty() || same_ignoring_case(value, pass_text) ||
           (value == pass_point && board_.height < tt_is_a_point_from);
  }

  /// Hex's words for the swap rule: of SGF, and "swap" in its records.
  [[nodiscard]] bool is_hex_swap(const std::string& value) const {
    return same_ignoring_case(value, swap_pieces_text) ||
           same_ignoring_case(value, swap_sides_text) ||
           (dialect_ == Dialect::hexgui && same_ignoring_case(value, SwapRule::text));
  }

  void move(const SgfProperty& property, std::size_t node) {
    const Colour colour = colour_of(property);
    const std::string& value = property.values.front();
    // In records of handicap games often only the first move tells who is to move.
    if (has_setup_ && !tells_side_) editor_->to_move = colour;
    begin();
    const auto fail = [&](std::string_view what) {
      throw BadRecord("move " + std::to_string(moves_) + " ('" + value + "') " + std::string(what));
    };
    if (given_up_) fail("follows the game's end");
    given_up_ = same_ignoring_case(value, "resign") || same_ignoring_case(value, "forfeit");
    if (given_up_) return;
    if (game_->result().finished()) {
      // gogui-twogtp has programs pass until both have seen the end.
      if (is_pass(value)) return;
      fail("follows the game's end");
    }
    if (colour != game_->to_move()) pass_where_one_must();
    if (colour != game_->to_move()) fail("is by the side that is not to move");
    if (is_hex_swap(value)) {
      swap_pieces(node);
      return;
    }
    const std::string text = is_pass(value) ? std::string(pass_text) : turned(text_of(value));
    try {
      // A move of several points may take several nodes.
      const auto chosen = steps_.choose(*game_, text);
      if (chosen && chosen->empty()) return;
      if (!chosen && !steps_.chosen().empty()) fail("does not go on with the move that has begun");
      std::string move = chosen ? *chosen : game_->canonical(text);
      game_->play(move);
      read_.game.moves.push_back(std::move(move));
      steps_.clear();
    } catch (const BadGame&) {
      fail("is not legal");
    }
  }

  /// Some programs leave a pass out that is the only move.
  void pass_where_one_must() {
    const std::vector<std::string> legal = game_->legal_moves();
    if (!steps_.chosen().empty() || legal.size() != 1 || legal.front() != pass_text) return;
    read_.game.moves.push_back(game_->play(pass_text));
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
  /// changed its colour, and its place by the long diagonal, which is our swap=pieces.
  void swap_pieces(std::size_t node) {
    if (moves_again(node)) return;
    try {
      Record swapped{with_parameter(*read_.game.start, "swap", "pieces"), read_.game.moves};
      swapped.moves.emplace_back(SwapRule::text);
      game_ = last_position(swapped);
      read_.game = std::move(swapped);
    } catch (const BadGame&) {
      throw BadRecord("move " + std::to_string(moves_) +
                      " swaps pieces where there is not one stone on a board of hex");
    }
  }

  std::span<const SgfNode> nodes_;
  std::span<const SgfVariation> variations_;  ///< that are still to come
  std::optional<Dialect> dialect_;            ///< nothing: the record does not tell
  BoardShape shape_{};
  SgfSize board_{};
  std::unique_ptr<AnyGame> game_;
  std::optional<PositionEditor> editor_;
  bool has_setup_ = false;
  bool tells_side_ = false;
  ReadRecord read_;
  bool exchanged_ = false;   ///< white's moves are black's
  bool is_turned_ = false;   ///< columns are rows
  bool is_cut_off_ = false;  ///< its end is missing
  MoveSteps steps_;          ///< points of a move that is not complete
  int moves_ = 0;            ///< nodes with a move so far
  bool given_up_ = false;
};

}  // namespace

bool names_game(const SgfGame& game) {
  const SgfNode& root = game.nodes.front();
  return is_game_of_ours(value_of(root, "RU")) || numbered_game(root) != nullptr;
}

std::unique_ptr<AnyGame> last_position(const Record& record) {
  auto position = record.start->clone();
  for (const std::string& move : record.moves) position->play(move);
  return position;
}

std::string record_to_sgf(const AnyGame& start, const std::vector<std::string>& moves,
                          const SgfNode& root, std::span<const Annotation> annotations) {
  if (start.colours().front() != "black")
    throw BadRecord("SGF has the colours black and white only");
  const std::string parameters = start.parameters().line();
  std::string text =
      "(;FF[4]CA[UTF-8]" + node("AP", std::string(our_program) + ":" + std::string(our_version)) +
      node("SZ", std::to_string(start.shape().side())) +
      node("RU", std::string(start.name()) + (parameters.empty() ? "" : " ") + parameters) +
      setup_text(start);
  for (const SgfProperty& property : root) text += node(property.name, property.values.front());
  auto game = start.clone();
  std::string nodes;
  std::vector<std::string> behind;  // variations that end trees, the last one's first
  // Passes that follow a game's end are no moves of the game.
  for (std::size_t i = 0; i <= moves.size(); ++i) {
    const bool ends = i == moves.size() || game->result().finished();
    if (!annotations.empty() && annotations.front().ply == static_cast<int>(i)) {
      const Annotation& said = annotations.front();
      nodes += remarks(said);
      annotations = annotations.subspan(1);
      std::string others;
      for (const auto& line : said.variations) {
        if (!line.empty()) others += variation(*game, line);
      }
      // The first of several trees is the main line, so that the last position has none.
      if (!others.empty() && !ends) {
        nodes += "\n(";
        behind.push_back(")" + others);
      }
    }
    if (ends) break;
    constexpr int moves_a_line = 10;
    if (i % moves_a_line == 0) nodes += '\n';
    nodes += move_nodes(*game, moves[i]);
    game->play(moves[i]);
  }
  for (const std::string& others : behind | std::views::reverse) nodes += others;
  if (game->result().finished() && find(root, "RE") == nullptr) {
    text += node("RE", score_text(*game));
  }
  return text + nodes + ")";
}

ReadRecord record_from_sgf(const SgfGame& game, const AnyGame& now, const RecordReading& reading) {
  try {
    RecordReader reader(game, now, reading.dialect);
    return reader.read(reading.before.value_or(std::numeric_limits<int>::max()));
  } catch (const BadGame& bad) {
    throw BadRecord(bad.what());
  }
}

}  // namespace pitboss::games
