#include "clients/follow/followed.hpp"

#include "clients/follow/followed_experiment.hpp"
#include "clients/follow/followed_training.hpp"
#include "clients/follow/followed_tuning.hpp"

namespace pitboss::clients {

std::shared_ptr<Followed> follow_entry(const CatalogueEntry& entry) {
  using enum FollowedKind;
  if (entry.kind == experiment) {
    return std::make_shared<FollowedExperiment>(entry.name, entry.place);
  }
  const auto& folder = std::get<std::filesystem::path>(entry.place);
  if (entry.kind == tuning) return std::make_shared<FollowedTuning>(entry.name, folder);
  return std::make_shared<FollowedTraining>(entry.name, folder);
}

}  // namespace pitboss::clients
