#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

#include "engine/options/options.hpp"
#include "games/any_game.hpp"

namespace pitboss::server {

/// What searches have told of positions, for when these come back: of each the report with the most
/// visits, but for less than an eighth more. Has a bounded size, and forgets first what nobody has
/// asked for or told the longest. Any thread.
class Findings {
 public:
  static constexpr std::size_t usual_bytes = std::size_t{16} << 20U;

  explicit Findings(std::size_t most_bytes = usual_bytes) : most_bytes_(most_bytes) {}

  /// Under which a position's report is kept: for one token (empty: for all who have none), and for
  /// searches whose trees would outlive a change from one's options to those of the other.
  [[nodiscard]] static std::string key(const std::string& token, const games::AnyGame& position,
                                       const engine::Options& options);

  /// Whether a report of so many visits would be kept.
  [[nodiscard]] bool wants(const std::string& key, std::int64_t visits);
  /// Keeps it, unless it would take more than a sixteenth of all.
  void keep(std::string key, std::int64_t visits, const std::string& report);
  /// The report; empty: there is none.
  [[nodiscard]] std::string find(const std::string& key);

 private:
  struct Finding {
    std::string key;
    std::int64_t visits;
    std::string report;
    [[nodiscard]] std::size_t bytes() const { return key.size() + report.size(); }
  };

  [[nodiscard]] bool wants_unlocked(const std::string& key, std::int64_t visits) const;
  void forget(std::list<Finding>::iterator finding);

  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::size_t bytes_ = 0;
  std::list<Finding> findings_;                                                ///< the newest first
  std::unordered_map<std::string_view, std::list<Finding>::iterator> places_;  ///< by their keys
};

/// The findings of a server as one client sees them; without a server there are none.
struct ClientFindings {
  std::shared_ptr<Findings> all{};
  std::string token{};  ///< the client's

  [[nodiscard]] std::string find(const games::AnyGame& position,
                                 const engine::Options& options) const {
    return all ? all->find(Findings::key(token, position, options)) : std::string();
  }
};

}  // namespace pitboss::server
