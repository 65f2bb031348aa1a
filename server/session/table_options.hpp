#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "engine/options/options.hpp"
#include "games/any_game.hpp"

namespace pitboss::server {

/// The options that the next search of a table uses, and which options the table may have. Any
/// thread may call any member; none blocks.
class TableOptions {
 public:
  /// Begins with `start`, with its memory lowered to `tree_mb_limit` MiB, first for estimators,
  /// then for the tree. Throws BadOption if that is too little.
  TableOptions(const engine::Options& start, std::int64_t tree_mb_limit);

  [[nodiscard]] engine::Options current() const;
  /// The table's initial options but for these.
  [[nodiscard]] engine::Options start_with(
      const std::vector<engine::Assignment>& assignments) const;
  /// What makes the current options of the initial ones: presets first.
  [[nodiscard]] std::vector<engine::Assignment> changed() const;
  /// Sets all options, which `check` accepts.
  void set(const engine::Options& options);

  /// Throws BadOption or LimitError unless the table may have these options for that game.
  void check(const engine::Options& options, const games::AnyGame& game) const;
  /// Whether `check` accepts the options.
  [[nodiscard]] bool allows(const engine::Options& options, const games::AnyGame& game) const;

  /// The table's initial options.
  [[nodiscard]] const engine::Options& start() const { return start_; }
  /// The most that `tree_mb` may be.
  [[nodiscard]] std::int64_t tree_mb_limit() const { return tree_mb_limit_; }

 private:
  const std::int64_t tree_mb_limit_;
  const engine::Options start_;
  mutable std::mutex mutex_;
  engine::Options current_;
};

}  // namespace pitboss::server
