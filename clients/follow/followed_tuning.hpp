#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "clients/follow/followed.hpp"

namespace pitboss::clients {

/// A tuning, as far as its ledger tells: what was proposed, how often, and what it scored.
class FollowedTuning final : public Followed {
 public:
  FollowedTuning(std::string name, std::filesystem::path folder);

  [[nodiscard]] Picture look() override;
  void set_paused(bool is_paused) override;

 private:
  std::string name_;
  std::filesystem::path folder_;
};

}  // namespace pitboss::clients
