#include "engine/search/halves_report.hpp"

#include <algorithm>
#include <functional>
#include <tuple>
#include <utility>

namespace pitboss::engine {

namespace {

/// Joins a variation of half moves that begins with a first half; a last first half is left out.
void join(MoveReport& move, const std::vector<std::string>& halves,
          const std::vector<std::int64_t>& visits) {
  move.pv.clear();
  move.pv_visits.clear();
  for (std::size_t i = 1; i < halves.size(); i += 2) {
    move.pv.push_back(halves[i - 1] + halves[i]);
    move.pv_visits.push_back(visits[i]);
  }
}

/// A move that begins with this half and of which the tree knows nothing.
MoveReport untried(const MoveReport& half, const std::string& second) {
  return {half.move + second, 0, 0.5, 0};
}

int rank(Proven proven) { return proven == Proven::win ? 1 : proven == Proven::loss ? -1 : 0; }

}  // namespace

HalvesReport::Family HalvesReport::family(int first) const {
  auto between = position_.clone();
  between->play(root_.move()[first]);
  return {first, tree_.describe(root_, position_, first), std::move(between),
          tree_.below(root_, first)};
}

MoveReport HalvesReport::whole_move(const Family& family, int second, bool with_pv) const {
  MoveBlock& block = *family.seconds;
  MoveReport move = with_pv ? tree_.with_continuation(block, *family.between, second)
                            : tree_.describe(block, *family.between, second);
  move.move = family.half.move + move.move;
  if (move.prior && family.half.prior) *move.prior *= *family.half.prior;
  if (!with_pv) return move;
  std::vector<std::string> halves{family.half.move};
  std::vector<std::int64_t> visits{family.half.visits};
  halves.insert(halves.end(), move.pv.begin(), move.pv.end());
  visits.insert(visits.end(), move.pv_visits.begin(), move.pv_visits.end());
  join(move, halves, visits);
  return move;
}

std::vector<MoveReport> HalvesReport::moves(int continuations) const {
  struct Entry {
    std::tuple<int, std::int64_t, double, std::int64_t, double> key;
    int family;
    int second;  ///< -1: the tree does not know the move
    MoveReport move;
  };
  std::vector<Family> families;
  std::vector<Entry> entries;
  const auto add = [&](const Family& family, int second, MoveReport move) {
    entries.push_back(
        {{rank(move.proven), family.half.visits, family.half.value, move.visits, move.value},
         family.first,
         second,
         std::move(move)});
  };
  for (int i = 0; i < root_.count; ++i) {
    const Family& family = families.emplace_back(this->family(i));
    if (family.seconds == nullptr) {
      for (const auto& text : family.between->texts()) add(family, -1, untried(family.half, text));
      continue;
    }
    for (int j = 0; j < family.seconds->count; ++j) add(family, j, whole_move(family, j, false));
  }
  std::ranges::stable_sort(entries, std::greater{}, &Entry::key);
  std::vector<MoveReport> moves;
  moves.reserve(entries.size());
  for (Entry& entry : entries) {
    const bool is_told = continuations-- > 0;
    if (is_told && entry.second >= 0) {
      entry.move = whole_move(families[static_cast<std::size_t>(entry.family)], entry.second, true);
    } else if (is_told) {
      join(entry.move, {entry.move.move, ""}, {0, 0});
    }
    moves.push_back(std::move(entry.move));
  }
  return moves;
}

MoveReport HalvesReport::favourite(int first, bool with_pv) const {
  const Family family = this->family(first);
  games::Random ties(games::mix(seed_ + static_cast<std::uint64_t>(family.half.visits)));
  if (family.seconds != nullptr) {
    const int second = tree_.favourite(*family.seconds, family.between->to_move(), ties);
    if (second >= 0) return whole_move(family, second, with_pv);
  }
  const auto texts = family.between->texts();
  const int any = ties.below(static_cast<int>(texts.size()));
  MoveReport move = family.half;
  move.move += texts[static_cast<std::size_t>(any)];
  join(move, {move.move, ""}, {0, move.visits});
  return move;
}

}  // namespace pitboss::engine
