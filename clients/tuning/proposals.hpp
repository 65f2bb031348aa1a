#pragma once

#include <cstdint>
#include <map>
#include <optional>

#include "clients/tuning/method.hpp"

namespace pitboss::clients {

/// The proposals of a method, numbered from 0, with a fixed lag L: number i is made when exactly
/// the outcomes 0 .. i-L have been learned, in order. So up to L proposals can be played at once,
/// their outcomes may arrive in any order, and the proposals and the answer are always the same.
///
/// A tuning that was killed is continued by playing it back: call `next` as before, and `add` at
/// once the outcomes that are on record; those without one are played (again).
///     while (const auto task = proposals.next())
///       if (on record) proposals.add(task->number, outcome); else play it, and add it when it ends
/// After each `add`, `next` may have more. Record an outcome before it is added. Not thread-safe;
/// nothing blocks.
class Proposals {
 public:
  struct Numbered {
    std::int64_t number;
    Proposal games;
  };

  /// `lag` is at least 1. The method must be new, and outlive this object.
  Proposals(Method& method, int lag) : method_(method), lag_(lag) {}

  /// The next proposal; nothing if outcomes must come first, or if all have been made and learned.
  [[nodiscard]] std::optional<Numbered> next();
  /// Throws std::invalid_argument if no such proposal is open, or if it has other games.
  void add(std::int64_t number, Outcome outcome);
  /// Whether the method is finished, as the last call of `next` found.
  [[nodiscard]] bool is_over() const { return is_over_; }

 private:
  [[nodiscard]] bool has_learned(std::int64_t outcomes);

  Method& method_;
  int lag_;
  std::int64_t made_ = 0;
  std::int64_t learned_ = 0;
  bool needs_all_ = false;
  bool is_over_ = false;
  std::map<std::int64_t, std::size_t> open_;  // games, by proposal
  std::map<std::int64_t, Outcome> arrived_;   // not learned yet
};

}  // namespace pitboss::clients
