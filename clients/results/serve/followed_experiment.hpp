#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <shared_mutex>
#include <string>
#include <vector>

#include "clients/referee/ledger/ledger.hpp"
#include "clients/referee/ledger_contents.hpp"
#include "clients/results/serve/followed.hpp"

namespace pitboss::clients {

/// What a ledger holds, in memory. Only the thread that watches changes it, under its mutex.
struct RecordedExperiment {
  explicit RecordedExperiment(Experiment of)
      : experiment(std::move(of)), contents{{}, {}, Results(experiment)} {}

  Experiment experiment;
  LedgerContents contents;
  bool is_paused = false;
  mutable std::shared_mutex mutex;
  mutable std::mutex entry;  ///< passed on the way to `mutex`, so that readers do not overtake
};

/// Reads a ledger, and later only the rounds that are new. Its referee does not notice.
class FollowedExperiment final : public Followed {
 public:
  FollowedExperiment(std::string name, LedgerPlace place)
      : name_(std::move(name)), place_(std::move(place)) {}

  [[nodiscard]] Shot look() override;
  void set_paused(bool is_paused) override;
  [[nodiscard]] std::string games_to_replay() const override;
  [[nodiscard]] std::string replayed_game(int match, int number) const override;
  [[nodiscard]] std::string games_csv() const override;
  [[nodiscard]] std::string games_json() const override;

 private:
  [[nodiscard]] std::shared_ptr<RecordedExperiment> opened();
  void read_new(RecordedExperiment& recorded);
  [[nodiscard]] std::shared_ptr<const RecordedExperiment> recorded() const;
  template <class Use>
  [[nodiscard]] std::string with_contents(const Use& use) const;

  std::string name_;
  LedgerPlace place_;
  std::unique_ptr<Ledger> ledger_;                ///< open while somebody plays
  std::uint64_t file_ = 0;                        ///< that it has open
  std::shared_ptr<RecordedExperiment> recorded_;  ///< has been read completely
  mutable std::mutex mutex_;                      ///< of the pointer
};

/// An experiment in a folder or a database.
[[nodiscard]] RunKind experiment_kind();

}  // namespace pitboss::clients
