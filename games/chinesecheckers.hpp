#pragma once

#include "games/game.hpp"
#include "games/grid.hpp"
#include "games/ply_limit.hpp"
#include "games/policy.hpp"
#include "games/symmetry.hpp"

namespace pitboss::games {

/// The tables of a board of Chinese Checkers. One for each size, kept for ever.
struct ChineseCheckersBoard {
  const Grid<320>* grid;
  int nearest;                        ///< steps to a goal's tip, summed over all points of the goal
  int men;                            ///< of each colour
  std::array<Bitboard<320>, 2> home;  ///< by colour; the goal is the other colour's home
  int reach;                          ///< distance from a point back to its first neighbour
  std::uint64_t beside;               ///< the six neighbours as bits, counted from the first one
  /// By colour and point: how many steps it is to the tip of the colour's goal.
  std::array<std::array<std::uint8_t, 320>, 2> steps_to_go;
  /// By colour: the points of its goal in the order in which the authors' program fills them.
  std::array<std::array<std::uint16_t, 10>, 2> filling;
};

/// Chinese Checkers for two on a star of 73 or 121 points. A man steps to a neighbouring point or
/// makes a chain of hops over single men. A side wins when the opposite triangle is full, even with
/// enemy men that have stayed there.
class ChineseCheckers {
 public:
  using Board = Bitboard<320>;
  static constexpr std::string_view name = "chinesecheckers";
  static constexpr int players = 2;
  /// Ten men with six steps each. Hops keep the parity of both coordinates; at most 37 points share
  /// a parity, the man's own among them.
  static constexpr int max_moves = 10 * (6 + 36);
  static constexpr int max_plies = ply_limit;

  /// The fewest steps that black's men, and white's, have to go until they fill their goal.
  static constexpr int feature_count = 2;
  static constexpr int feature_values = 10 * 16 + 1;
  using Features = std::array<std::uint16_t, feature_count>;
  static constexpr double feature_prior = 1.0 / feature_values;

  [[nodiscard]] static std::span<const Parameter> parameters();
  [[nodiscard]] static ChineseCheckers create(const Parameters& parameters);

  [[nodiscard]] Colour to_move() const { return to_move_; }
  [[nodiscard]] Result result() const { return result_; }
  [[nodiscard]] int margin() const { return result_.shared() ? 0 : 1; }

  void legal_moves(MoveList<max_moves>& moves) const {
    if (result_.finished()) return;
    const Board empty = empty_points();
    men_[index(to_move_)].for_each([&](int from) {
      const auto add = [&](int to, int /*hops*/) { moves.add(move_of(from, to)); };
      const Board open = open_to(from, empty);
      for_each_step(from, open, add);
      for_each_landing(from, open, any_hop, add);
    });
  }

  /// The playout policy of the authors' program (Quality-based Rewards for MCTS): a random man
  /// moves closer to the first open point of the goal, or at least no farther from it; a move is
  /// the likelier the more hops it has; a man that can enter the goal does. As in that program, the
  /// man hopped over determines how close a hop comes. Games take 165 plies, the program's 168;
  /// with the landing points they would take 157.
  template <class Random>
  [[nodiscard]] Move informed_move(Random& random) const;

  void play(Move move) {
    const int mover = index(to_move_);
    const int from = from_of(move);
    const int to = to_of(move);
    men_[mover].remove(from);
    men_[mover].add(to);
    const auto& to_go = board_->steps_to_go[mover];
    to_go_[mover] = static_cast<std::uint16_t>(to_go_[mover] + to_go[to] - to_go[from]);
    ++plies_;
    to_move_ = opponent(to_move_);
    judge();
  }

  [[nodiscard]] Board points() const { return board_->grid->points; }
  [[nodiscard]] Board pieces(int kind) const { return men_[kind]; }
  [[nodiscard]] BoardShape shape() const { return board_->grid->shape(); }
  [[nodiscard]] std::string text(Move move) const;
  [[nodiscard]] int target(Move move) const { return to_of(move); }
  [[nodiscard]] int origin(Move move) const { return from_of(move); }
  /// A part each for from and to: their cells.
  [[nodiscard]] int policy_size() const { return 2 * shape().cells(); }
  [[nodiscard]] PolicyParts policy_parts(Move move) const {
    return PolicyParts(shape().cell(from_of(move)), shape().cells() + shape().cell(to_of(move)));
  }
  /// The reflection that leaves rows on their places.
  [[nodiscard]] std::span<const Symmetry> symmetries() const {
    static constexpr std::array<Symmetry, 2> all{{identity, {-1, 1, 0, 1}}};
    return all;
  }
  [[nodiscard]] int policy_image(int entry, const Symmetry& symmetry) const {
    return image_of_cell(*this, entry, symmetry, 2);
  }
  /// The plies played.
  [[nodiscard]] std::string extra() const { return plies_text(plies_); }
  [[nodiscard]] ChineseCheckers with(const Setup<Board>& setup) const;

  [[nodiscard]] double static_value() const { return static_value(to_go_); }
  /// The same, from the features: b * b / (a * a + b * b), with a and b the half steps that black
  /// and white have to go, one less for the side to move. Unlike a logistic of the lead, this value
  /// does not become flat when one side is far ahead, so that a search brings the last men home,
  /// too.
  [[nodiscard]] double static_value(const Features& features) const {
    const double black = 2 * features[0] - (to_move_ == Colour::black ? 1 : 0);
    const double white = 2 * features[1] - (to_move_ == Colour::white ? 1 : 0);
    return white * white / (black * black + white * white);
  }
  void features(Features& values) const { values = to_go_; }
  /// The part of the loser's goal that is still open (Quality-based Rewards for MCTS).
  [[nodiscard]] double quality() const;

  friend bool operator==(const ChineseCheckers&, const ChineseCheckers&) = default;

 private:
  /// A move with its weight in the playout policy, which grows with the number of hops.
  struct Choice {
    Move move;
    int weight;
  };
  using Choices = std::array<Choice, 6 + 36>;

  explicit ChineseCheckers(const ChineseCheckersBoard& board);

  static Move move_of(int from, int to) { return Move{static_cast<std::uint32_t>(from << 9 | to)}; }
  static int from_of(Move move) { return static_cast<int>(code(move) >> 9); }
  static int to_of(Move move) { return static_cast<int>(code(move) & 511U); }

  [[nodiscard]] Board empty_points() const { return minus(points(), men_[0] | men_[1]); }
  [[nodiscard]] const Board& goal(Colour c) const { return board_->home[index(opponent(c))]; }

  /// Where the man on `from` of the side to move may land: a man in its goal must stay in the goal.
  [[nodiscard]] Board open_to(int from, const Board& empty) const {
    const Board& own_goal = goal(to_move_);
    return own_goal.has(from) ? empty & own_goal : empty;
  }
  /// Calls `visit(to, 0)` for every point of `open` beside `from`.
  template <class Visit>
  void for_each_step(int from, const Board& open, Visit&& visit) const {
    for_each_beside(from, open, [&](int to) { visit(to, 0); });
  }
  /// Calls `visit(to, hops)` for every point of `open` that a man on `from` reaches by hops inside
  /// `open` that `may_hop(from, over)` allows; `hops` is the smallest number. No step leads to
  /// these points: a step changes the parity of a coordinate, a hop does not.
  template <class MayHop, class Visit>
  void for_each_landing(int from, Board open, MayHop&& may_hop, Visit&& visit) const {
    const Board men = men_[0] | men_[1];
    // Breadth first. The man still stands on its own point: landing there would reach no new point,
    // and no chain hops over the man, since no landing is beside it.
    std::array<std::uint16_t, 37> reached;  // uninitialised on purpose: filled up to `last`
    int last = 0;
    reached[last++] = static_cast<std::uint16_t>(from);
    for (int first = 0, hops = 1; first < last; ++hops) {
      for (const int level = last; first < level; ++first) {
        const int here = reached[first];
        for_each_beside(here, men, [&](int over) {
          const int to = 2 * over - here;
          if (to < 0 || !open.has(to) || !may_hop(here, over)) return;
          open.remove(to);
          reached[last++] = static_cast<std::uint16_t>(to);
          visit(to, hops);
        });
      }
    }
  }
  /// Calls `visit(q)` for every point q of `set` beside `p`. Neighbours beyond an edge are bits
  /// that are no points of the star.
  template <class Visit>
  void for_each_beside(int p, const Board& set, Visit&& visit) const {
    const int first = p - board_->reach;
    for (std::uint64_t w = set.window(first) & board_->beside; w != 0; w &= w - 1) {
      visit(first + std::countr_zero(w));
    }
  }
  static constexpr auto any_hop = [](int, int) { return true; };
  void count_steps_to_go();
  [[nodiscard]] bool is_man(int p) const { return men_[0].has(p) || men_[1].has(p); }

  /// Whether the side to move has a legal move.
  [[nodiscard]] bool can_move() const;
  /// Sets the result after a ply; the next player is to move already.
  void judge();
  /// The first open point in the goal of the side to move; the goal's tip if there is none.
  [[nodiscard]] int first_open() const;
  /// Fills `choices` with the moves of the man on `from` that do not lead away from `target`, or
  /// only with those that enter the goal, if there are any. Returns their number.
  int closer_moves(int from, int target, const Board& empty, Choices& choices) const;

  const ChineseCheckersBoard* board_;
  std::array<Board, 2> men_{};
  Features to_go_{};
  std::uint16_t plies_ = 0;
  Colour to_move_ = Colour::black;
  Result result_ = Result::unfinished();
};

template <class Random>
Move ChineseCheckers::informed_move(Random& random) const {
  const Board& own = men_[index(to_move_)];
  const Board empty = empty_points();
  const int aim = first_open();
  const int first = random.below(board_->men);
  for (int i = 0; i < board_->men; ++i) {
    Choices choices;  // NOLINT(cppcoreguidelines-pro-type-member-init): filled as far as it is read
    // Cyclic, from the rear to the front for both sides.
    const int man = (first + i) % board_->men;
    const int from = own.nth(to_move_ == Colour::black ? man : board_->men - 1 - man);
    const int n = closer_moves(from, aim, empty, choices);
    if (n == 0) continue;
    int sum = 0;
    for (int c = 0; c < n; ++c) sum += choices[c].weight;
    int drawn = random.below(sum);
    int c = 0;
    while (drawn >= choices[c].weight) drawn -= choices[c++].weight;
    return choices[c].move;
  }
  return random_move(*this, random);
}

}  // namespace pitboss::games
