#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <utility>

#include "clients/follow/followed.hpp"

namespace pitboss::clients {

class TuningReader;

/// A tuning, as far as its ledger tells: what was proposed, how often, and what it scored.
class FollowedTuning final : public Followed {
 public:
  FollowedTuning(std::string name, std::filesystem::path folder);
  ~FollowedTuning() override;
  FollowedTuning(const FollowedTuning&) = delete;
  FollowedTuning& operator=(const FollowedTuning&) = delete;

  [[nodiscard]] Picture look() override;
  void set_paused(bool is_paused) override;

 private:
  std::string name_;
  std::filesystem::path folder_;
  std::unique_ptr<TuningReader> reader_;  ///< open while somebody plays
  std::uint64_t file_ = 0;                ///< that it reads, see number_of_file
};

}  // namespace pitboss::clients
