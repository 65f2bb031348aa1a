#include "engine/search/tree_report.hpp"

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "engine/tree/selector.hpp"
#include "engine/tree/solver.hpp"

namespace pitboss::engine {

int TreeReport::favourite(MoveBlock& block, games::Colour mover, games::Random& ties,
                          std::span<const int> avoided) const {
  int best = -1;
  int equal = 0;
  std::tuple<int, double, double> best_key;
  for (int i = 0; i < block.count; ++i) {
    if (block.node()[i] == 0 || std::ranges::count(avoided, i) > 0) continue;
    const Node& node = tree_.node(block.node()[i]);
    const int sure = certainty(node, mover);
    // Its first result is still to come, or another move is known to be as good.
    if (sure == 0 && (node.settled() == 0 || node.closed)) continue;
    const auto visits = static_cast<double>(node.settled());
    const auto key = final_move_ == FinalMove::value ? std::tuple{sure, node.mean, 0.0}
                                                     : std::tuple{sure, visits, node.mean};
    if (best < 0 || key > best_key) {
      best = i;
      best_key = key;
      equal = 1;
    } else if (key == best_key && ties.below(++equal) == 0) {
      best = i;
    }
  }
  return best;
}

int TreeReport::drawn(MoveBlock& block, games::Random& random, std::span<const int> avoided) {
  double sum = 0;
  int last = -1;
  const auto draw = [&](double rest) {
    sum = 0;
    for (int i = 0; i < block.count && sum <= rest; ++i) {
      if (std::ranges::count(avoided, i) > 0) continue;
      sum += static_cast<double>(block.prior()[i]);
      last = i;
    }
  };
  draw(std::numeric_limits<double>::infinity());
  draw(random.uniform() * sum);
  return last;
}

const Node* TreeReport::find(const Node& from, std::span<const games::Move> moves) const {
  const Node* node = &from;
  for (const games::Move move : moves) {
    if (node->moves == 0) return nullptr;
    MoveBlock& block = tree_.block(node->moves);
    const auto place = std::ranges::find(std::span(block.move(), block.count), move) -
                       std::span(block.move(), block.count).begin();
    if (place == block.count || block.node()[place] == 0) return nullptr;
    node = &tree_.node(block.node()[place]);
  }
  return node;
}

std::vector<MoveReport> TreeReport::moves(MoveBlock& root, const ReportPosition& position,
                                          int continuations) const {
  std::vector<int> order(root.count);
  std::iota(order.begin(), order.end(), 0);
  const auto rank = [&](int i) -> std::pair<int, std::uint32_t> {
    if (root.node()[i] == 0) return {0, 0};
    const Node& node = tree_.node(root.node()[i]);
    return {certainty(node, position.to_move()), node.settled()};
  };
  std::ranges::stable_sort(order, std::greater{}, rank);
  std::vector<MoveReport> moves;
  moves.reserve(order.size());
  for (const int i : order) {
    const bool is_told = continuations-- > 0;
    moves.push_back(is_told ? with_continuation(root, position, i) : describe(root, position, i));
  }
  return moves;
}

MoveReport TreeReport::describe(MoveBlock& root, const ReportPosition& position, int i) const {
  MoveReport move{position.text(root.move()[i]), 0, 0.5, 0};
  move.code = root.move()[i];
  if (root.has_priors) move.prior = root.prior()[i];
  if (root.node()[i] == 0) return move;
  const Node& node = tree_.node(root.node()[i]);
  move.visits = node.settled();
  move.value = node.mean;
  move.novelty = node.novelty;
  move.variance = std::max(node.square - node.mean * node.mean, 0.0);
  if (const int sure = certainty(node, position.to_move()); sure != 0) {
    const bool is_won = sure > 0;
    move.proven = is_won ? Proven::win : Proven::loss;
    move.value = is_won ? 1 : 0;
    move.variance = 0;
  }
  return move;
}

void tell_moves(const Tree& tree, MoveBlock& block, std::vector<RootMove>& moves) {
  moves.clear();
  for (int i = 0; i < block.count; ++i) {
    RootMove& move = moves.emplace_back();
    if (block.has_priors) move.prior = block.prior()[i];
    move.is_closed = Selector::is_closed(block, i);
    if (block.node()[i] == 0) continue;
    const Node& node = tree.node(block.node()[i]);
    move.visits = node.visits;
    move.value = node.mean;
  }
}

MoveBlock* TreeReport::below(MoveBlock& block, int i) const {
  if (block.node()[i] == 0) return nullptr;
  const Index moves = tree_.node(block.node()[i]).moves;
  return moves == 0 ? nullptr : &tree_.block(moves);
}

MoveReport TreeReport::with_continuation(MoveBlock& root, const ReportPosition& position,
                                         int i) const {
  MoveReport move = describe(root, position, i);
  const auto next = position.clone();
  next->play(root.move()[i]);
  games::Random ties(seed_);
  move.pv.push_back(move.move);
  tell_continuation(move, root.node()[i], *next, ties);
  return move;
}

/// Appends the principal variation after a move: `node` is the move's node, `position` the position
/// it leads to. Ends at a leased node.
void TreeReport::tell_continuation(MoveReport& move, Index node, ReportPosition& position,
                                   games::Random& ties) const {
  for (;;) {
    move.pv_visits.push_back(node == 0 ? 0 : tree_.node(node).settled());
    if (node == 0 || is_leased_(tree_.node(node)) || tree_.node(node).moves == 0) return;
    MoveBlock& block = tree_.block(tree_.node(node).moves);
    const int best = favourite(block, position.to_move(), ties);
    if (best < 0) return;
    move.pv.push_back(position.text(block.move()[best]));
    position.play(block.move()[best]);
    node = block.node()[best];
  }
}

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

/// The move of two halves (games::HasHalves).
games::Move joined(games::Move first, games::Move second) {
  return games::Move{games::code(first) + games::code(second)};
}

/// A move of which the tree knows nothing.
MoveReport untried(std::string text, games::Move code) {
  MoveReport move{std::move(text), 0, 0.5, 0};
  move.code = code;
  return move;
}

int rank(Proven proven) { return proven == Proven::win ? 1 : proven == Proven::loss ? -1 : 0; }

}  // namespace

std::vector<std::string> play_line(ReportPosition& position, std::span<const games::Move> moves,
                                   int joined) {
  std::vector<std::string> texts;
  std::string text;
  int played = 0;
  for (const games::Move move : moves) {
    text += position.text(move);
    position.play(move);
    if (++played % joined == 0) texts.push_back(std::exchange(text, {}));
  }
  return texts;
}

std::vector<MoveReport> untried_moves(const ReportPosition& position) {
  std::vector<MoveReport> moves;
  for (const games::Move move : position.moves()) {
    moves.push_back(untried(position.text(move), move));
  }
  return moves;
}

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
  move.code = joined(family.half.code, move.code);
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
      for (const games::Move second : family.between->moves()) {
        add(family, -1,
            untried(family.half.move + family.between->text(second),
                    joined(family.half.code, second)));
      }
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
  const auto seconds = family.between->moves();
  const int any = ties.below(static_cast<int>(seconds.size()));
  const games::Move second = seconds[static_cast<std::size_t>(any)];
  MoveReport move = family.half;
  move.move += family.between->text(second);
  move.code = joined(move.code, second);
  join(move, {move.move, ""}, {0, move.visits});
  return move;
}

}  // namespace pitboss::engine
