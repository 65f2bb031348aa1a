#include "games/any_game.hpp"

#include <algorithm>
#include <cctype>

#include "games/all_games.hpp"
#include "games/board_text.hpp"
#include "games/boxed_game.hpp"
#include "games/distinct_lines.hpp"
#include "games/in_words.hpp"
#include "games/letter_case.hpp"
#include "games/perft.hpp"

namespace pitboss::games {

namespace {

/// A move without decoration: lower case, no '-' and no 'x' between points.
std::string plain(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = lower(text[i]);
    const bool after_digit =
        i > 0 && std::isdigit(static_cast<unsigned char>(text[i - 1])) != 0 && i + 1 < text.size();
    // A column may be called x; a separator x follows a row number and precedes a letter.
    const bool separator = c == '-' || (c == 'x' && after_digit &&
                                        std::isalpha(static_cast<unsigned char>(text[i + 1])) != 0);
    if (!(after_digit && separator)) result += c;
  }
  return result;
}

/// Whether `text` (plain) is written like a move: a word, or points with perhaps a letter behind.
bool looks_like_move(std::string_view text) {
  if (text == "pass" || text == "swap") return true;
  const auto is_letter = [](char c) { return c >= 'a' && c <= 'z'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  std::size_t i = 0;
  int points = 0;
  while (i < text.size() && is_letter(text[i])) {
    std::size_t digits = i + 1;
    while (digits < text.size() && is_digit(text[digits])) ++digits;
    if (digits == i + 1) return i + 1 == text.size();  // a letter alone: a column or a suffix
    if (digits > i + 3 || ++points > 3) return false;
    i = digits;
  }
  return points > 0 && i == text.size();
}

/// Whether `text` (plain) names the move, in full or in a game's short form.
template <class G>
bool names(const G& game, Move move, std::string_view text) {
  if constexpr (requires { game.short_text(move); }) {
    if (game.short_text(move) == text) return true;
  }
  return plain(game.text(move)) == text;
}

/// The declared defaults, overridden by what is given.
template <Game G>
Parameters complete(const Parameters& given) {
  Parameters all;
  for (const Parameter& p : G::parameters()) all.set(p.name, p.default_value);
  for (const auto& [name, text] : given.values()) {
    const auto same = [&](const Parameter& p) { return p.name == name; };
    if (std::ranges::none_of(G::parameters(), same)) {
      std::string known;
      for (const Parameter& p : G::parameters()) known += " " + std::string(p.name);
      throw BadGame(std::string(G::name) + " has no parameter '" + name + "'" +
                    (known.empty() ? "; it has none" : "; it has" + known));
    }
    all.set(name, text);
  }
  return all;
}

}  // namespace

template <Game G>
std::unique_ptr<AnyGame> BoxedGame<G>::clone() const {
  return std::make_unique<BoxedGame>(*this);
}

std::optional<Colour> AnyGame::colour_named(std::string_view word) const {
  const auto names = colours();
  const auto found = std::ranges::find_if(
      names, [&](auto name) { return word == name || word == name.substr(0, 1); });
  if (found == names.end()) return std::nullopt;
  return static_cast<Colour>(found - names.begin());
}

template <Game G>
std::span<const std::string_view> BoxedGame<G>::colours() const {
  return colours_of(game_);
}

template <Game G>
std::vector<std::string> BoxedGame<G>::legal_moves() const {
  MoveList<G::max_moves> moves;
  game_.legal_moves(moves);
  std::vector<std::string> texts;
  texts.reserve(moves.size());
  for (const Move m : moves) texts.push_back(game_.text(m));
  std::ranges::sort(texts);
  return texts;
}

template <Game G>
std::vector<SteppedMove> BoxedGame<G>::stepped_moves() const {
  MoveList<G::max_moves> moves;
  game_.legal_moves(moves);
  std::vector<SteppedMove> list;
  list.reserve(moves.size());
  for (const Move m : moves) list.push_back(stepped(game_, m));
  return list;
}

template <Game G>
Move BoxedGame<G>::find(std::string_view text) const {
  MoveList<G::max_moves> moves;
  game_.legal_moves(moves);
  // First compares with the text that programs write, which is much cheaper.
  if constexpr (HasMoveOf<G>) {
    const auto move = game_.move_of(text);
    const bool is_legal = move && std::ranges::find(moves, *move) != moves.end();
    if (is_legal && game_.text(*move) == text) return *move;
  } else {
    for (const Move m : moves) {
      if (game_.text(m) == text) return m;
    }
  }
  const std::string wanted = plain(text);
  for (const Move m : moves) {
    if (names(game_, m, wanted)) return m;
  }
  if (!looks_like_move(wanted)) throw BadSyntax("not a move: '" + std::string(text) + "'");
  if (game_.result().finished()) throw BadGame("the game is over");
  throw BadGame("'" + wanted + "' is not legal here (see the command legal_moves)");
}

std::string AnyGame::play(std::string_view text) {
  const Move move = find(text);
  std::string written = this->text(move);
  play(move);
  return written;
}

template <Game G>
std::string BoxedGame<G>::random_move(Random& random) const {
  return game_.text(games::random_move(game_, random));
}

template <Game G>
Playout BoxedGame<G>::random_playout(Random& random) const {
  G game = game_;
  int plies = 0;
  for (; !game.result().finished(); ++plies) game.play(games::random_move(game, random));
  return {plies, game.result()};
}

template <Game G>
Playout BoxedGame<G>::informed_playout(Random& random) const {
  if constexpr (HasInformedMove<G, Random>) {
    G game = game_;
    int plies = 0;
    for (; !game.result().finished(); ++plies) game.play(game.informed_move(random));
    return {plies, game.result()};
  } else {
    return random_playout(random);
  }
}

template <Game G>
void BoxedGame<G>::policy_moves(std::vector<PolicyMove>& moves) const {
  MoveList<G::max_moves> list;
  game_.legal_moves(list);
  moves.clear();
  for (const Move move : list) moves.push_back({move, game_.policy_parts(move)});
}

std::vector<float> AnyGame::planes() const {
  std::vector<float> planes(static_cast<std::size_t>(plane_count()) *
                            static_cast<std::size_t>(shape().cells()));
  fill_planes(planes.data());
  return planes;
}

template <Game G>
std::optional<double> BoxedGame<G>::static_value() const {
  if (result().finished()) return result().share(Colour{0});
  if constexpr (HasStaticValue<G>) {
    return static_values(game_)[0];
  } else {
    return std::nullopt;
  }
}

template <Game G>
std::string BoxedGame<G>::board_text() const {
  const std::string state = result().finished() ? "game over: " + result_in_words(*this)
                                                : std::string(name_of(to_move())) + " to move";
  return framed(board_rows(game_), shape().lattice) + "\n" + pieces_in_words(*this) + "\n" + state;
}

template <Game G>
std::string BoxedGame<G>::position() const {
  std::string text;
  for (const std::string& row : board_rows(game_)) text += (text.empty() ? "" : "/") + row;
  text += " " + std::string(letter_of(to_move()));
  const std::string extra = game_.extra();
  return extra.empty() ? text : text + " " + extra;
}

template <Game G>
void BoxedGame<G>::set_position(std::string_view text) {
  game_ = game_.with(read_position(game_, text));
}

template <Game G>
std::unique_ptr<Perft> BoxedGame<G>::perft(int depth) const {
  return std::make_unique<PerftOf<G>>(game_, depth);
}

template <Game G>
std::optional<std::vector<std::vector<std::string>>> BoxedGame<G>::distinct_lines(
    int turns, std::size_t limit) const {
  return DistinctLines<G>(limit).find(game_, seats_of(game_) * turns);
}

std::string score_text(const AnyGame& game) {
  std::string winners;
  for (int c = 0; c < game.players(); ++c) {
    if (game.result().share(static_cast<Colour>(c)) == 0) continue;
    winners += static_cast<char>(std::toupper(static_cast<unsigned char>(game.colours()[c][0])));
  }
  const bool all = static_cast<int>(winners.size()) == game.players();
  return all ? "0" : winners + "+" + std::to_string(game.margin());
}

std::unique_ptr<AnyGame> make_game(std::string_view name, const Parameters& parameters) {
  std::unique_ptr<AnyGame> game;
  with_game(name, [&]<class G>(std::type_identity<G>) {
    game = std::make_unique<BoxedGame<G>>(complete<G>(parameters));
  });
  return game;
}

const std::vector<std::string_view>& game_names() {
  static const auto names = [] {
    std::vector<std::string_view> list;
    AllGames::for_each([&]<class G>(std::type_identity<G>) { list.push_back(G::name); });
    return list;
  }();
  return names;
}

std::span<const Parameter> game_parameters(std::string_view name) {
  std::span<const Parameter> parameters;
  with_game(name, [&]<class G>(std::type_identity<G>) { parameters = G::parameters(); });
  return parameters;
}

}  // namespace pitboss::games
