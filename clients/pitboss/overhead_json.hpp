#pragma once

#include <nlohmann/json.hpp>

#include "clients/experiments/statistics/median.hpp"

namespace pitboss::clients {

/// Adds to an object what several rounds have shown of a search's overhead: `overhead`,
/// `overhead_interval`, which may be null, and `rounds`.
inline void put_overhead(nlohmann::ordered_json& object, const MedianEstimate& overhead) {
  using Json = nlohmann::ordered_json;
  const auto& interval = overhead.interval;
  object["overhead"] = overhead.value;
  object["overhead_interval"] = interval ? Json::array({interval->low, interval->high}) : Json();
  object["rounds"] = overhead.count;
}

}  // namespace pitboss::clients
