#include "engine/exact/hex_solution.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "engine/exact/hex_insight.hpp"
#include "engine/exact/proof_numbers.hpp"
#include "games/random.hpp"
#include "games/swap.hpp"

namespace pitboss::engine {

namespace {

/// A step of the searches for connections takes about as long as some of these make a position of
/// other solvers.
constexpr int steps_a_position = 8;

template <int Bits>
class DepthFirstProver final : public HexSolution::Prover {
 public:
  using Board = games::Bitboard<Bits>;
  using Stones = HexStones<Bits>;

  DepthFirstProver(int size, std::size_t table_bytes)
      : insight_(size),
        table_(table_bytes),
        candidates_(static_cast<std::size_t>((size * size + 1) * size * size)) {}

  [[nodiscard]] std::optional<int> score(const games::Hex& position, Patience& patience) override {
    patience_ = &patience;
    const ProofNumbers numbers =
        prove(position_of(position), {unproven, unproven}, /*is_root=*/true, candidates_.data());
    return numbers.score();
  }
  [[nodiscard]] std::optional<int> known(const games::Hex& position) const override {
    const Entry* const entry = table_.find(position_of(position));
    return entry != nullptr ? entry->numbers.score() : std::nullopt;
  }

 private:
  struct Position {
    Stones stones;
    std::uint8_t mover;
    friend bool operator==(const Position&, const Position&) = default;
    [[nodiscard]] std::uint64_t hash() const {
      std::uint64_t hash = mover;
      for (const Board& board : stones) {
        for (int i = 0; i < Board::words; ++i) hash = games::mix(hash ^ board.word(i));
      }
      return hash;
    }
  };
  static constexpr ProofNumbers unknown{1, 1};

  struct Entry {
    Position position;
    ProofNumbers numbers;
    std::uint32_t work;  ///< positions looked at for it, not 0 in an entry that is used
    Stones filled;       ///< the position, filled in
    Board moves;         ///< that may win, as far as is known
    /// The empty points that matter: of a decided position those within which the winner wins if
    /// the loser had all others, else those which show that other moves than `moves` lose.
    Board carrier;
  };

  struct Candidate {
    int move;
    ProofNumbers numbers;  ///< of the position after it
  };

  [[nodiscard]] static Position position_of(const games::Hex& game) {
    return {stones_of<Bits>(game), static_cast<std::uint8_t>(games::index(game.to_move()))};
  }
  [[nodiscard]] static Position after(const Entry& entry, int move) {
    Position next{entry.filled, static_cast<std::uint8_t>(1 - entry.position.mover)};
    next.stones[entry.position.mover].add(move);
    return next;
  }

  ProofNumbers prove(const Position& position, ProofNumbers limits, bool is_root,
                     Candidate* candidates);
  [[nodiscard]] Entry looked_at(const Position& position, bool is_root);
  void keep_winning_reply(const Entry& entry, int move);
  void decide(Entry& entry, ProofNumbers numbers, const Board& carrier) const;
  [[nodiscard]] bool is_decided_by(Entry& entry, const Candidate& candidate) const;
  void take_time(int steps);

  HexInsight<Bits> insight_;
  ProofTable<Entry> table_;
  std::vector<Candidate> candidates_;  ///< of all positions on the path, one after the other
  std::uint64_t looked_at_ = 0;
  Patience* patience_ = nullptr;
};

template <int Bits>
void DepthFirstProver<Bits>::decide(Entry& entry, ProofNumbers numbers,
                                    const Board& carrier) const {
  const int winner = numbers.win == 0 ? entry.position.mover : 1 - entry.position.mover;
  entry.numbers = numbers;
  // What has been filled in for the winner is part of how it wins.
  entry.carrier = carrier | minus(entry.filled[winner], entry.position.stones[winner]);
}

/// A position is looked at as a whole, whatever patience says, so that it ends the search between
/// two positions only.
template <int Bits>
void DepthFirstProver<Bits>::take_time(int steps) {
  for (int i = 0; i <= steps / steps_a_position; ++i) {
    static_cast<void>(patience_->ends_with_position());
  }
}

/// The root is not filled in: its moves are looked up by others.
template <int Bits>
auto DepthFirstProver<Bits>::looked_at(const Position& position, bool is_root) -> Entry {
  ++looked_at_;
  const auto view = insight_.look(position.stones, position.mover, /*fills=*/!is_root);
  take_time(view.steps);
  Entry entry{position, unknown, 1, view.filled, view.moves, view.carrier};
  if (view.winner == view.none) return entry;
  const bool is_won = view.winner == position.mover;
  decide(entry, is_won ? ProofNumbers::won() : ProofNumbers::lost(), view.carrier);
  if (is_root && is_won) keep_winning_reply(entry, view.move);
  return entry;
}

/// Keeps that the enemy has lost after this move of a position that is decided.
template <int Bits>
void DepthFirstProver<Bits>::keep_winning_reply(const Entry& entry, int move) {
  Entry reply{after(entry, move), unknown, 1, {}, {}, {}};
  reply.filled = reply.position.stones;
  Board carrier = entry.carrier;
  carrier.remove(move);
  decide(reply, ProofNumbers::lost(), carrier);
  table_.keep(reply);
}

/// Whether what is known of the position after a move decides the position. If that move loses,
/// those that do not matter in the enemy's win do so, too.
template <int Bits>
bool DepthFirstProver<Bits>::is_decided_by(Entry& entry, const Candidate& candidate) const {
  const Position next = after(entry, candidate.move);
  const Entry* const known = table_.find(next);
  const bool has_carrier = known != nullptr && known->numbers.decided();
  Board carrier = has_carrier ? known->carrier : insight_.lattice().empty(next.stones);
  if (candidate.numbers.loss == 0) {
    carrier.add(candidate.move);
    decide(entry, ProofNumbers::won(), carrier);
    return true;
  }
  entry.moves &= carrier;
  entry.moves.remove(candidate.move);
  entry.carrier |= carrier;
  if (entry.moves.any()) return false;
  decide(entry, ProofNumbers::lost(), Board(entry.carrier));
  return true;
}

/// Looks at the position and those after it until a number reaches its limit or patience ends.
template <int Bits>
auto DepthFirstProver<Bits>::prove(const Position& position, ProofNumbers limits, bool is_root,
                                   Candidate* candidates) -> ProofNumbers {
  const std::uint64_t looked_at_before = looked_at_;
  const Entry* const known = table_.find(position);
  const bool is_usable = known != nullptr && (!is_root || known->filled == position.stones);
  Entry entry = is_usable ? *known : looked_at(position, is_root);
  const auto leave = [&] {
    const auto work = static_cast<std::uint32_t>(looked_at_ - looked_at_before);
    entry.work = std::min(entry.work + work, unproven);
    table_.keep(entry);
    return entry.numbers;
  };
  if (entry.numbers.decided()) return leave();
  int count = 0;
  entry.moves.for_each([&](int move) {
    const Entry* const next = table_.find(after(entry, move));
    candidates[count++] = {move, next ? next->numbers : unknown};
  });
  for (;;) {
    for (int i = 0; i < count; ++i) {
      if (candidates[i].numbers.decided() && is_decided_by(entry, candidates[i])) return leave();
    }
    count = static_cast<int>(
        std::remove_if(candidates, candidates + count,
                       [&](const Candidate& c) { return !entry.moves.has(c.move); }) -
        candidates);
    const ProofChoice choice(candidates, count);
    entry.numbers = choice.numbers();
    if (entry.numbers.is_beyond(limits) || patience_->has_ended()) return leave();
    Candidate& best = choice.best();
    best.numbers =
        prove(after(entry, best.move), choice.limits_of_best(limits), false, candidates + count);
  }
}

std::unique_ptr<HexSolution::Prover> make_prover(int size, std::size_t table_bytes) {
  return with_hex_bits(size, [&]<int Bits>() -> std::unique_ptr<HexSolution::Prover> {
    return std::make_unique<DepthFirstProver<Bits>>(size, table_bytes);
  });
}

games::Hex after(games::Hex position, games::Move move) {
  position.play(move);
  return position;
}

}  // namespace

HexSolution::HexSolution(const games::Hex& position, std::size_t table_bytes)
    : prover_(make_prover(position.shape().width, table_bytes)) {}

std::optional<int> HexSolution::score(const games::Hex& position, Patience& patience) {
  if (position.result().finished()) return -1;  // who has moved last has won
  if (position.may_be_swapped()) {
    // The side to move wins if the enemy has no opening that is even.
    games::MoveList<games::Hex::max_moves> openings;
    position.legal_moves(openings);
    for (const games::Move opening : openings) {
      const auto reply = score(after(position, opening), patience);
      if (!reply) return std::nullopt;
      if (*reply < 0) return 1;
    }
    return -1;
  }
  if (position.may_swap()) {
    const auto swapped = prover_->score(after(position, games::SwapRule::move), patience);
    if (!swapped) return std::nullopt;
    if (*swapped < 0) return 1;
  }
  return prover_->score(position, patience);
}

std::optional<int> HexSolution::known(const games::Hex& position) const {
  if (position.result().finished()) return -1;
  if (position.may_be_swapped()) return std::nullopt;
  const auto unswapped = prover_->known(position);
  if (!position.may_swap()) return unswapped;
  const auto swapped = prover_->known(after(position, games::SwapRule::move));
  if (unswapped == 1 || swapped == -1) return 1;
  if (unswapped && swapped) return -1;
  return std::nullopt;
}

int HexSolution::most(const games::Hex& position) const { return known(position).value_or(1); }

/// Measured at the openings of 4x4 to 7x7 and after random moves on 5x5 to 11x11: the exponent
/// grows with the board's area, and falls with the part of it that has stones.
double HexSolution::expected_positions(const games::Hex& position) {
  const double area = position.points().count();
  const int stones = (position.pieces(0) | position.pieces(1)).count();
  return 100 * std::pow(10, 0.107 * area * std::exp(-3.8 * stones / area));
}

}  // namespace pitboss::engine
