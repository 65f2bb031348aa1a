#pragma once

#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "engine/options/options.hpp"
#include "games/any_game.hpp"

namespace pitboss::server {

/// The options that the next search of a table uses, and which options the table may have. Any
/// thread may call any member; none blocks. Failures are engine::BadOption.
class TableOptions {
 public:
  /// Begins with `start`, its memory lowered to `tree_mb_limit` MiB, first that of estimators, then
  /// that of the tree. Throws BadOption if so little memory does not suffice.
  TableOptions(const engine::Options& start, std::int64_t tree_mb_limit);

  [[nodiscard]] engine::Options current() const;
  /// What the table began with, but for these.
  [[nodiscard]] engine::Options start_with(
      const std::vector<engine::Assignment>& assignments) const;
  /// Sets all options, which `check` accepts.
  void set(const engine::Options& options);

  /// Throws BadOption unless the table may have these options for that game.
  void check(const engine::Options& options, const games::AnyGame& game) const;
  /// Whether `check` accepts the options.
  [[nodiscard]] bool allows(const engine::Options& options, const games::AnyGame& game) const;

  /// All options as a table of UCI lines; the defaults are those the table began with.
  [[nodiscard]] std::string lines() const;

 private:
  const std::int64_t tree_mb_limit_;
  const engine::Options start_;
  mutable std::mutex mutex_;
  engine::Options current_;
};

}  // namespace pitboss::server
