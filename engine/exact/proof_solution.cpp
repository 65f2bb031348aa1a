#include "engine/exact/proof_solution.hpp"

#include <cmath>
#include <cstdint>
#include <string>
#include <type_traits>

#include "engine/exact/insight.hpp"
#include "engine/exact/proof_number_search.hpp"
#include "games/random.hpp"

namespace pitboss::engine {

namespace {

/// Two hashes of as many words, which have nothing in common but the words.
struct Digest {
  std::uint64_t low = 0;
  std::uint64_t high = 0;

  friend bool operator==(const Digest&, const Digest&) = default;
  [[nodiscard]] std::uint64_t hash() const { return low; }
};

class DigestOfWords {
 public:
  void add(std::uint64_t word) {
    ++place_;
    if (word == 0) return;  // most words of large boards
    digest_.low ^= games::mix(word + place_ * 0xd6e8feb86659fd93U);
    digest_.high ^= games::mix(games::mix(word) ^ place_ * 0xa0761d6478bd642fU);
  }
  [[nodiscard]] const Digest& digest() const { return digest_; }

 private:
  std::uint64_t place_ = 0;
  Digest digest_;
};

}  // namespace

/// A game as one without draws, which count as won by one side.
template <class G>
class ProofRules {
 public:
  class Position {
   public:
    Position(const G& game, games::Colour drawn_for)
        : game_(game), drawn_for_(drawn_for), digest_(digest_of(game, drawn_for)) {}

    [[nodiscard]] const G& game() const { return game_; }
    [[nodiscard]] games::Colour drawn_for() const { return drawn_for_; }
    [[nodiscard]] const Digest& key() const { return digest_; }

   private:
    /// Of all that a position's text tells.
    [[nodiscard]] static Digest digest_of(const G& game, games::Colour drawn_for) {
      DigestOfWords words;
      words.add(static_cast<std::uint64_t>(2 * games::index(game.to_move()) +
                                           games::index(drawn_for) + 1));
      for (int kind = 0; kind < games::kinds_of<G>; ++kind) {
        const typename G::Board points = game.pieces(kind);
        for (int i = 0; i < G::Board::words; ++i) words.add(points.word(i));
      }
      for (const char c : game.extra()) words.add(static_cast<std::uint64_t>(c));
      return words.digest();
    }

    G game_;
    games::Colour drawn_for_;
    Digest digest_;
  };

  explicit ProofRules(const G& game)
      : insight_(game),
        most_moves_(Insight<G>::most_moves(game)),
        most_plies_(Insight<G>::most_plies(game)) {}

  template <class Add>
  // Not inline: a list of moves does not belong into the frames of a search that calls itself.
  [[nodiscard, gnu::noinline]] std::optional<int> expand(const Position& position,
                                                         Add&& add) const {
    const G& game = position.game();
    const games::Colour mover = game.to_move();
    const games::Colour drawn_for = position.drawn_for();
    if (!insight_.can_win(game, games::opponent(drawn_for))) return drawn_for == mover ? 1 : -1;
    const auto view = insight_.view(game);
    if (view.score) return view.score;
    games::MoveList<G::max_moves> moves;
    game.legal_moves(moves);
    for (const games::Move move : moves) {
      if (!view.allows(move)) continue;
      G after = game;
      after.play(move);
      const games::Result result = after.result();
      if (result.won_by(mover) || (result.shared() && drawn_for == mover)) return 1;
      if (result.finished()) continue;
      const ProofNumbers numbers = insight_.numbers(after);
      if (numbers.loss == 0) return 1;
      if (numbers.win != 0) add(Position(after, drawn_for), numbers);
    }
    return std::nullopt;
  }
  [[nodiscard]] int most_moves() const { return most_moves_; }
  [[nodiscard]] int most_plies() const { return most_plies_; }

 private:
  Insight<G> insight_;
  int most_moves_;
  int most_plies_;
};

template <class G>
ProofSolution<G>::ProofSolution(const G& position, std::size_t table_bytes)
    : search_(std::make_unique<ProofNumberSearch<ProofRules<G>>>(ProofRules<G>(position),
                                                                 table_bytes)) {}

template <class G>
ProofSolution<G>::~ProofSolution() = default;

namespace {

int score_at_end(const games::Result& result, games::Colour to_move) {
  return result.shared() ? 0 : result.won_by(to_move) ? 1 : -1;
}

}  // namespace

template <class G>
std::optional<int> ProofSolution<G>::score(const G& position, Patience& patience) {
  const games::Colour mover = position.to_move();
  const games::Result result = position.result();
  if (result.finished()) return score_at_end(result, mover);
  const auto wins = search_->score({position, games::opponent(mover)}, patience);
  if (!wins || *wins > 0 || !Insight<G>::has_draws) return wins;
  const auto draws = search_->score({position, mover}, patience);
  if (!draws) return std::nullopt;
  return *draws > 0 ? 0 : -1;
}

template <class G>
int ProofSolution<G>::most(const G& position) const {
  const games::Colour mover = position.to_move();
  const games::Result result = position.result();
  if (result.finished()) return score_at_end(result, mover);
  const bool does_not_win = search_->known({position, games::opponent(mover)}) == -1;
  if (!Insight<G>::has_draws) return does_not_win ? -1 : 1;
  if (search_->known({position, mover}) == -1) return -1;
  return does_not_win ? 0 : 1;
}

template <class G>
std::optional<double> ProofSolution<G>::expected_positions(const G& position) {
  if (games::seats_of(position) > 2) return std::nullopt;
  return std::pow(10, Insight<G>::expected_digits(position));
}

template class ProofSolution<games::Amazons>;
template class ProofSolution<games::Gomoku>;
template class ProofSolution<games::Pentalath>;
template class ProofSolution<games::Rolit>;
template class ProofSolution<games::Yavalath>;

}  // namespace pitboss::engine
