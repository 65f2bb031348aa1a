#include "engine/exact/othello_endgame.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "games/outflank.hpp"

namespace pitboss::engine {

namespace {

namespace outflank = games::outflank;

/// With fewer empty points than this, neither the table nor the order of moves pays.
constexpr int least_deep = 7;
/// With fewer empty points, it does not pay to look the replies up.
constexpr int least_looked_up = 9;

constexpr std::uint64_t corners = 0x8100000000000081U;
constexpr std::array<std::uint64_t, 4> quadrants{0x000000000f0f0f0fU, 0x00000000f0f0f0f0U,
                                                 0x0f0f0f0f00000000U, 0xf0f0f0f000000000U};

/// The quadrants with an odd number of empty points.
std::uint64_t odd_quadrants(std::uint64_t open) {
  std::uint64_t odd = 0;
  for (const std::uint64_t quadrant : quadrants) {
    if (std::popcount(open & quadrant) % 2 == 1) odd |= quadrant;
  }
  return odd;
}

}  // namespace

struct OthelloEndgame::Candidates {
  std::array<Candidate, games::Othello::max_moves> list;
  int count = 0;
};

OthelloEndgame::OthelloEndgame(std::size_t table_bytes) : table_(table_bytes, 2) {}

/// Measured after random moves and in the FFO's end games, with 12 to 24 empty points.
double OthelloEndgame::expected_positions(const games::Othello& position) {
  const int empty = position.points().count() - (position.pieces(0) | position.pieces(1)).count();
  return 5e5 * std::pow(2.1, empty - 16);
}

OthelloEndgame::Discs OthelloEndgame::discs_of(const games::Othello& position) {
  const auto mover = games::index(position.to_move());
  return {position.pieces(mover).word(0), position.pieces(1 - mover).word(0)};
}

int OthelloEndgame::most(const games::Othello& position) const {
  const Discs discs = discs_of(position);
  if (moves(discs) == 0) {
    const Discs passed{discs.enemy, discs.own};
    if (moves(passed) == 0) return final_score(discs);
    const Entry* const known = found(passed);
    return known ? -known->lower : 64;
  }
  const Entry* const known = found(discs);
  return known ? known->upper : 64;
}

std::optional<int> OthelloEndgame::score(const games::Othello& position, Patience& patience) {
  points_ = position.points().word(0);
  patience_ = &patience;
  const Discs discs = discs_of(position);
  const int score =
      std::popcount(open(discs)) < least_deep ? shallow(discs, {-64, 64}) : deep(discs, {-64, 64});
  if (patience.has_ended()) return std::nullopt;
  return score;
}

std::uint64_t OthelloEndgame::moves(Discs discs) const {
  return outflank::sources(discs.own, discs.enemy) & open(discs);
}

int OthelloEndgame::final_score(Discs discs) const {
  const int lead = std::popcount(discs.own) - std::popcount(discs.enemy);
  const int empty = std::popcount(open(discs));
  return lead > 0 ? lead + empty : lead < 0 ? lead - empty : 0;
}

/// Of a side that has to pass.
int OthelloEndgame::without_move(Discs discs, Window window,
                                 int (OthelloEndgame::*search)(Discs, Window)) {
  const Discs passed{discs.enemy, discs.own};
  if (moves(passed) == 0) return final_score(discs);
  return -(this->*search)(passed, window.reversed());
}

/// Of a position with one empty point.
int OthelloEndgame::last_point(Discs discs, std::uint64_t open) const {
  const int point = std::countr_zero(open);
  const int lead = std::popcount(discs.own) - std::popcount(discs.enemy);
  if (const auto flipped = outflank::flipped(point, discs.own, discs.enemy); flipped != 0) {
    return lead + 2 * std::popcount(flipped) + 1;
  }
  if (const auto flipped = outflank::flipped(point, discs.enemy, discs.own); flipped != 0) {
    return lead - 2 * std::popcount(flipped) - 1;
  }
  return final_score(discs);
}

int OthelloEndgame::shallow(Discs discs, Window window) {
  const std::uint64_t open = this->open(discs);
  if (std::has_single_bit(open)) return last_point(discs, open);
  if (patience_->ends_with_position()) return 0;
  const std::uint64_t moves = outflank::sources(discs.own, discs.enemy) & open;
  if (moves == 0) return without_move(discs, window, &OthelloEndgame::shallow);
  int best = -64;
  const std::uint64_t odd = odd_quadrants(open);
  for (std::uint64_t some : {moves & odd, moves & ~odd}) {
    for (; some != 0; some &= some - 1) {
      const int point = std::countr_zero(some);
      const std::uint64_t flipped = outflank::flipped(point, discs.own, discs.enemy);
      const Discs after{discs.enemy ^ flipped, discs.own ^ flipped ^ (some & -some)};
      best = std::max(best, -shallow(after, window.reversed()));
      if (best >= window.beta) return best;
      window.alpha = std::max(window.alpha, best);
    }
  }
  return best;
}

int OthelloEndgame::deep(Discs discs, Window window) {
  if (patience_->ends_with_position()) return 0;
  Entry entry{discs, -64, 64, none, 0};
  if (const Entry* const known = found(discs)) {
    entry = *known;
    if (entry.lower >= window.beta || entry.lower == entry.upper) return entry.lower;
    if (entry.upper <= window.alpha) return entry.upper;
    window = {std::max<int>(window.alpha, entry.lower), std::min<int>(window.beta, entry.upper)};
  }
  const std::uint64_t moves = this->moves(discs);
  if (moves == 0) return without_move(discs, window, &OthelloEndgame::deep);
  Candidates candidates;
  list(discs, moves, entry.best, candidates);
  const int empty = std::popcount(open(discs));
  if (int score = 0;
      empty >= least_looked_up && is_cut_by_replies(candidates, window.beta, score)) {
    return score;
  }
  const auto search = empty - 1 < least_deep ? &OthelloEndgame::shallow : &OthelloEndgame::deep;
  const int before = window.alpha;
  int best = -65;
  for (int i = 0; i < candidates.count; ++i) {
    const Candidate& candidate = candidates.list[i];
    Window narrow{window.alpha, i == 0 ? window.beta : window.alpha + 1};
    int score = -(this->*search)(candidate.after, narrow.reversed());
    if (window.alpha < score && score < window.beta && i > 0) {
      score = -(this->*search)(candidate.after, Window{score, window.beta}.reversed());
    }
    if (patience_->has_ended()) return 0;
    if (score > best) {
      best = score;
      entry.best = candidate.point;
    }
    window.alpha = std::max(window.alpha, best);
    if (best >= window.beta) break;
  }
  if (best > before) entry.lower = static_cast<std::int8_t>(best);
  if (best < window.beta) entry.upper = static_cast<std::int8_t>(best);
  entry.empty = static_cast<std::uint8_t>(empty);
  keep(entry);
  return best;
}

/// Orders by the opponent's replies, corners counted twice; the table's best move is the first.
void OthelloEndgame::list(Discs discs, std::uint64_t moves, std::uint8_t best,
                          Candidates& candidates) const {
  const std::uint64_t odd = odd_quadrants(open(discs));
  for (; moves != 0; moves &= moves - 1) {
    const int point = std::countr_zero(moves);
    const std::uint64_t placed = moves & -moves;
    const std::uint64_t flipped = outflank::flipped(point, discs.own, discs.enemy);
    const Discs after{discs.enemy ^ flipped, discs.own ^ flipped ^ placed};
    const std::uint64_t replies = this->moves(after);
    int order = 4 * (std::popcount(replies) + std::popcount(replies & corners));
    order -= (placed & odd) != 0 ? 2 : 0;
    order -= (placed & corners) != 0 ? 12 : 0;
    if (point == best) order = -1000;
    candidates.list[candidates.count++] = {after, order, static_cast<std::uint8_t>(point)};
  }
  std::sort(candidates.list.begin(), candidates.list.begin() + candidates.count,
            [](const Candidate& a, const Candidate& b) { return a.order < b.order; });
}

/// Whether the table knows a move to be good enough (enhanced transposition cutoff); then its
/// score.
bool OthelloEndgame::is_cut_by_replies(const Candidates& candidates, int beta, int& score) const {
  for (int i = 0; i < candidates.count; ++i) {
    const Entry* const known = found(candidates.list[i].after);
    if (known && -known->upper >= beta) {
      score = -known->upper;
      return true;
    }
  }
  return false;
}

std::size_t OthelloEndgame::bucket(Discs discs) const {
  std::uint64_t hash = discs.own * 0x9e3779b97f4a7c15U ^ std::rotl(discs.enemy, 29);
  hash *= 0xbf58476d1ce4e5b9U;
  hash ^= hash >> 32;
  return hash & (table_.size() - 2);
}

const OthelloEndgame::Entry* OthelloEndgame::found(Discs discs) const {
  const Entry* const entries = &table_[bucket(discs)];
  if (entries[0].discs == discs) return &entries[0];
  return entries[1].discs == discs ? &entries[1] : nullptr;
}

void OthelloEndgame::keep(const Entry& entry) {
  Entry* const entries = &table_[bucket(entry.discs)];
  const bool is_first = entries[0].discs == entry.discs || entry.empty >= entries[0].empty;
  entries[is_first ? 0 : 1] = entry;
}

}  // namespace pitboss::engine
