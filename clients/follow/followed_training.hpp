#pragma once

#include <filesystem>
#include <string>
#include <utility>

#include "clients/follow/followed.hpp"

namespace pitboss::clients {

/// A training run, by the files of its generations.
class FollowedTraining final : public Followed {
 public:
  FollowedTraining(std::string name, std::filesystem::path folder)
      : name_(std::move(name)), folder_(std::move(folder)) {}

  [[nodiscard]] Picture look() override;
  void set_paused(bool is_paused) override;

 private:
  std::string name_;
  std::filesystem::path folder_;
};

}  // namespace pitboss::clients
