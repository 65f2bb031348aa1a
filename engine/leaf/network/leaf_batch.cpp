#include "engine/leaf/network/leaf_batch.hpp"

#include <algorithm>
#include <cmath>

#include "engine/options/options.hpp"

namespace pitboss::engine {

LeafBatch::Part::Part(const std::shared_ptr<const LoadedNetwork>& its, int most)
    : network(its), kernels(&its->network), workspace(its->network, most) {
  const NetworkShape& shape = kernels->shape();
  const auto room = static_cast<std::size_t>(most);
  positions.reserve(room);
  planes.resize(room * static_cast<std::size_t>(shape.inputs()));
  values.resize(room * static_cast<std::size_t>(shape.values));
  policy.resize(room * static_cast<std::size_t>(shape.policy));
}

void LeafBatch::Part::evaluate() {
  const NetworkShape& shape = kernels->shape();
  const auto count = static_cast<int>(positions.size());
  if (count == 1) {
    const auto& [from, to] = positions[0];
    kernels->evaluate(from.data(), 1, to.data(), to.data() + shape.values, workspace);
  } else if (count > 1) {
    auto next = planes.begin();
    for (const Position& position : positions) next = std::ranges::copy(position.planes, next).out;
    kernels->evaluate(planes.data(), count, values.data(), policy.data(), workspace);
    const float* value = values.data();
    const float* logit = policy.data();
    for (const Position& position : positions) {
      std::copy_n(logit, shape.policy, std::copy_n(value, shape.values, position.logits.begin()));
      value += shape.values;
      logit += shape.policy;
    }
  }
  positions.clear();
}

void LeafBatch::add(const std::shared_ptr<const LoadedNetwork>& network,
                    std::span<const float> planes, std::span<float> logits) {
  Part& part = part_of(network);
  if (part.positions.size() == static_cast<std::size_t>(most_)) part.evaluate();
  part.positions.push_back({planes, logits});
}

void LeafBatch::evaluate() {
  for (Part& part : parts_) part.evaluate();
}

void LeafBatch::clear() noexcept {
  for (Part& part : parts_) part.positions.clear();
}

LeafBatch::Part& LeafBatch::part_of(const std::shared_ptr<const LoadedNetwork>& network) {
  const auto found =
      std::ranges::find_if(parts_, [&](const Part& part) { return part.is_of(network); });
  if (found != parts_.end()) return *found;
  std::erase_if(parts_, [](const Part& part) { return part.network.expired(); });
  return parts_.emplace_back(network, most_);
}

void check_logits(const LoadedNetwork& network, std::span<const float> logits) {
  if (std::ranges::all_of(logits, [](float x) { return std::isfinite(x); })) return;
  throw BadOption("network " + network.name +
                  " gives values that are not finite numbers for a position");
}

}  // namespace pitboss::engine
