#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/exact/hex_lattice.hpp"

namespace pitboss::engine {

/// Virtual connections between the edges of a colour of hex, found by H-search (V. Anshelevich, "A
/// hierarchical approach to computer Hex", 2002). Its ends are chains, edges, and empty points as
/// if they had a stone. A connection holds although the enemy moves first, a semi-connection if the
/// colour moves first; either within its carrier, a set of empty points.
///
///   * Ends next to each other are connected.
///   * And: connections x-m and m-y with separate carriers make a connection x-y if m is a chain,
///     and a semi-connection if m is empty, which the colour then plays.
///   * Or: semi-connections x-y that have no point in common make a connection.
///
/// Connections are looked for in the order in which their parts are found, in so many steps at
/// most, and few are kept for a pair of ends, so that others may be missed. What is found holds.
template <int Bits>
class HexConnections {
 public:
  using Board = games::Bitboard<Bits>;
  struct Link {
    Board carrier;
    int next;           ///< of the same pair and kind, or none
    std::uint16_t a;    ///< an end
    std::uint16_t b;    ///< an end
    std::int16_t move;  ///< with which the colour makes a semi-connection a connection; or none
    bool is_used;       ///< a connection whose combinations have been looked at
  };

  /// `steps`: for each search at most.
  HexConnections(const HexLattice<Bits>& lattice, int steps)
      : lattice_(lattice), most_steps_(steps) {
    const auto ends = static_cast<std::size_t>(lattice.points) + 2;
    links_.reserve(ends * 8 + static_cast<std::size_t>(steps) * 2);
    queue_.reserve(links_.capacity());
    connections_.resize(ends * (ends - 1) / 2);
    semis_.resize(connections_.size());
    counts_.resize(connections_.size());
    partners_.resize(ends * ends);
    partner_count_.resize(ends);
    point_.resize(ends);
    end_of_.resize(lattice.near.size());
    chains_.reserve(ends);
  }

  /// Looks for connections of the colour's edges; ends with the first one, or with the first
  /// semi-connection if `semi_suffices`.
  void search(const HexStones<Bits>& stones, int colour, bool semi_suffices) {
    semi_suffices_ = semi_suffices;
    steps_ = 0;
    is_over_ = false;
    make_ends(stones, colour);
    for (std::size_t i = 0; i < queue_.size() && !is_over_; ++i) combine(queue_[i]);
  }

  /// The connection of the edges that the last search has found, or null.
  [[nodiscard]] const Link* connection() const { return link_at(connections_[between_edges]); }
  /// The first semi-connection of the edges that it has found, or null; `after` gives the others.
  [[nodiscard]] const Link* semi() const { return link_at(semis_[between_edges]); }
  [[nodiscard]] const Link* after(const Link& link) const { return link_at(link.next); }
  /// How many steps it took.
  [[nodiscard]] int steps() const { return steps_; }

 private:
  static constexpr int none = -1;
  static constexpr int first_edge = 0;
  static constexpr int second_edge = 1;
  static constexpr std::size_t between_edges = 0;
  static constexpr int most_connections = 8;  ///< kept of a pair
  static constexpr int most_semis = 16;
  static constexpr int most_semis_of_edges = 100;
  static constexpr int most_alternatives = 4;  ///< semi-connections that make a connection

  struct Counts {
    std::uint8_t connections;
    std::uint8_t semis;
  };

  [[nodiscard]] const Link* link_at(int i) const {
    return i == none ? nullptr : &links_[static_cast<std::size_t>(i)];
  }
  [[nodiscard]] static std::size_t pair(int a, int b) {
    const auto low = static_cast<std::size_t>(std::min(a, b));
    const auto high = static_cast<std::size_t>(std::max(a, b));
    return high * (high - 1) / 2 + low;
  }
  [[nodiscard]] static bool holds(const Board& set, const Board& subset) {
    return minus(subset, set).none();
  }

  void make_ends(const HexStones<Bits>& stones, int colour) {
    links_.clear();
    queue_.clear();
    ends_ = 0;
    const Board empty = lattice_.empty(stones);
    chains_.clear();
    lattice_.for_each_chain(stones[colour], colour, [&](const Board& chain, unsigned edges) {
      point_[ends_++] = none;
      chains_.push_back(lattice_.border(chain, edges, colour, empty));
    });
    empty.for_each([&](int p) {
      end_of_[p] = ends_;
      point_[ends_++] = p;
    });
    const std::size_t pairs = pair(0, ends_);
    std::fill_n(connections_.begin(), pairs, none);
    std::fill_n(semis_.begin(), pairs, none);
    std::fill_n(counts_.begin(), pairs, Counts{});
    std::fill_n(partner_count_.begin(), ends_, 0);
    for (int chain = 0; const Board& border : chains_) {
      border.for_each([&](int p) { add_connection(chain, end_of_[p], Board()); });
      ++chain;
    }
    empty.for_each([&](int p) {
      (lattice_.near[p] & empty).for_each([&](int q) {
        if (q > p) add_connection(end_of_[p], end_of_[q], Board());
      });
    });
  }

  /// Combines a connection with all that have been combined before.
  void combine(int index) {
    const Link link = links_[static_cast<std::size_t>(index)];
    if (link.a > second_edge) combine_at(link.a, link.b, link.carrier);
    if (link.b > second_edge) combine_at(link.b, link.a, link.carrier);
    links_[static_cast<std::size_t>(index)].is_used = true;
  }

  /// Combines the connection of `middle` and `end` with those of `middle` and other ends.
  void combine_at(int middle, int end, const Board& carrier) {
    const int end_point = point_[end];
    const int move = point_[middle];
    const std::uint16_t* const partners = &partners_[middle * point_.size()];
    for (int i = 0; i < partner_count_[middle]; ++i) {
      const int other = partners[i];
      const int other_point = point_[other];
      if (other == end || (other_point != none && carrier.has(other_point))) continue;
      for (int j = connections_[pair(middle, other)]; j != none && !is_over_;) {
        const Link& known = links_[static_cast<std::size_t>(j)];
        j = known.next;
        if (!take_step()) return;
        if (!known.is_used || (known.carrier & carrier).any()) continue;
        if (end_point != none && known.carrier.has(end_point)) continue;
        Board both = carrier | known.carrier;
        if (move == none) {
          add_connection(end, other, both);
        } else {
          both.add(move);
          add_semi(end, other, both, move);
        }
      }
      if (is_over_) return;
    }
  }

  [[nodiscard]] bool take_step() {
    if (++steps_ >= most_steps_ || links_.size() == links_.capacity()) is_over_ = true;
    return !is_over_;
  }

  [[nodiscard]] bool is_known(int list, const Board& carrier) const {
    for (const Link* link = link_at(list); link != nullptr; link = after(*link)) {
      if (holds(carrier, link->carrier)) return true;
    }
    return false;
  }
  int add_link(int& list, int a, int b, const Board& carrier, int move) {
    const int index = static_cast<int>(links_.size());
    links_.push_back({carrier, list, static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b),
                      static_cast<std::int16_t>(move), false});
    list = index;
    return index;
  }

  void add_connection(int a, int b, const Board& carrier) {
    const std::size_t p = pair(a, b);
    if (links_.size() == links_.capacity()) return;
    if (counts_[p].connections >= most_connections || is_known(connections_[p], carrier)) return;
    if (counts_[p].connections++ == 0) {
      partners_[a * point_.size() + partner_count_[a]++] = static_cast<std::uint16_t>(b);
      partners_[b * point_.size() + partner_count_[b]++] = static_cast<std::uint16_t>(a);
    }
    queue_.push_back(add_link(connections_[p], a, b, carrier, none));
    if (p == between_edges) is_over_ = true;
  }

  void add_semi(int a, int b, const Board& carrier, int move) {
    const std::size_t p = pair(a, b);
    const int most = p == between_edges ? most_semis_of_edges : most_semis;
    if (links_.size() == links_.capacity() || counts_[p].semis >= most) return;
    if (is_known(connections_[p], carrier) || is_known(semis_[p], carrier)) return;
    const int others = semis_[p];
    ++counts_[p].semis;
    add_link(semis_[p], a, b, carrier, move);
    if (p == between_edges && semi_suffices_) {
      is_over_ = true;
      return;
    }
    static_cast<void>(find_alternatives({a, b}, others, carrier, carrier, 2));
  }

  /// Makes a connection of semi-connections, `common` to which is nothing in the end; true if there
  /// is one. `alternatives`: how many there are with the next one.
  bool find_alternatives(std::array<int, 2> ends, int list, const Board& common, const Board& all,
                         int alternatives) {
    while (list != none) {
      if (!take_step()) return false;
      const Link& other = links_[static_cast<std::size_t>(list)];
      list = other.next;
      const Board left = common & other.carrier;
      if (left == common) continue;
      const Board carrier = all | other.carrier;
      if (left.none()) {
        add_connection(ends[0], ends[1], carrier);
        return true;
      }
      if (alternatives < most_alternatives &&
          find_alternatives(ends, list, left, carrier, alternatives + 1)) {
        return true;
      }
    }
    return false;
  }

  const HexLattice<Bits>& lattice_;
  int most_steps_;
  int steps_ = 0;
  bool semi_suffices_ = false;
  bool is_over_ = false;
  int ends_ = 0;
  std::vector<Board> chains_;  ///< the empty points next to each chain
  std::vector<int> point_;     ///< by end, the empty point, or none
  std::vector<int> end_of_;    ///< by empty point
  std::vector<Link> links_;
  std::vector<int> queue_;  ///< connections, in the order in which they are combined
  // By pair of ends, the links' lists and how long they are.
  std::vector<int> connections_;
  std::vector<int> semis_;
  std::vector<Counts> counts_;
  std::vector<std::uint16_t> partners_;  ///< by end, those to which it has a connection
  std::vector<int> partner_count_;
};

}  // namespace pitboss::engine
