#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "server/metrics/counters.hpp"

namespace pitboss::server {

/// A metric of the server: one number, or several of one kind that a label distinguishes.
struct Family {
  enum class Type : std::uint8_t { counter, gauge, histogram };
  struct Sample {
    std::string label;                     ///< its value; empty if the family has none
    double value = 0;                      ///< not of a histogram
    const Histogram* histogram = nullptr;  ///< only of a histogram
  };

  std::string name;
  std::string help;
  Type type;
  std::string label;  ///< its name; empty: the family has one sample and no label
  std::vector<Sample> samples;
};

/// Prometheus' text format, version 0.0.4.
[[nodiscard]] std::string prometheus_text(const std::vector<Family>& families);
/// One line of JSON: by family name a number, or an object of numbers by label.
[[nodiscard]] std::string json_text(const std::vector<Family>& families);

}  // namespace pitboss::server
