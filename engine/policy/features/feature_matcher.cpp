#include "engine/policy/features/feature_matcher.hpp"

namespace pitboss::engine {

void FeatureMatcher::see(std::span<const std::uint64_t> pieces, int mover) {
  const std::size_t parts = plan_->parts.size();
  column_ = parts == 0 || plan_->parts[0].weights.size() == 1 ? 0 : mover;
  shift_planes(*plan_, pieces, mover, planes_, shifted_);
  is_summed_.assign(parts, 0);
  sums_.resize(parts);
  active_.resize(parts);
  for (auto& active : active_) active.clear();
}

void FeatureMatcher::sum(std::size_t part) {
  sum_part(*plan_, plan_->parts[part], column_, shifted_, sums_[part]);
  is_summed_[part] = 1;
}

void FeatureMatcher::add_active(const MovePoints& move, std::vector<std::uint32_t>& features) {
  const auto words = static_cast<std::size_t>(plan_->words);
  for_each_part(move, [&](std::size_t part, int point) {
    const auto& entries = plan_->parts[part].entries;
    if (active_[part].empty()) match_part(*plan_, plan_->parts[part], shifted_, active_[part]);
    for (std::size_t e = 0; e < entries.size(); ++e) {
      const std::uint64_t word = active_[part][e * words + static_cast<std::size_t>(point / 64)];
      if ((word >> point % 64 & 1U) != 0) features.push_back(entries[e].feature);
    }
  });
}

}  // namespace pitboss::engine
