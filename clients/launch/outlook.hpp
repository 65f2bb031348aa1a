#pragma once

#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/results.hpp"

namespace pitboss::clients {

/// How far an experiment in a database is. Only reads.
///
/// Not thread-safe: one thread at a time. What talks to the database blocks, for up to half a
/// minute if that has gone away, and throws UserError.
class Outlook {
 public:
  /// Reads all that there is.
  explicit Outlook(const DatabasePlace& place);

  /// Reads what has been added since.
  void look();
  [[nodiscard]] const Results& results() const { return results_; }
  [[nodiscard]] const Experiment& experiment() const { return experiment_; }

 private:
  DatabasePlace place_;
  Experiment experiment_;
  Results results_;
  std::vector<std::set<int>> known_;  ///< rounds, by match
  std::optional<Ledger> ledger_;      ///< nothing after a failure
};

}  // namespace pitboss::clients
