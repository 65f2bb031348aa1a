#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "clients/referee/ledger/ledger.hpp"
#include "clients/report/report.hpp"

namespace pitboss::clients {

/// An array of flat objects: a table as JSON, and, by `csv_of`, as CSV.
using Rows = nlohmann::ordered_json;

/// What is shown of an experiment, a tuning or a training.
struct Picture {               // NOLINT(bugprone-exception-escape): the moves of JSON throw nothing
  nlohmann::ordered_json row;  ///< in the list; flat
  nlohmann::ordered_json facts;        ///< what is in no table
  std::map<std::string, Rows> tables;  ///< by name
  std::vector<ReportPart> parts;       ///< of its page
  bool is_running = false;             ///< somebody plays or learns
};

/// The number; null if there is none, or an infinite one.
[[nodiscard]] nlohmann::ordered_json number(std::optional<double> value);
/// A table of incidents; their `match`, which counts from `first`, is called `match_name`.
[[nodiscard]] Rows incident_rows(const std::vector<Incident>& incidents,
                                 const std::string& match_name, int first);

/// One line; bytes that are no UTF-8 are replaced.
[[nodiscard]] std::string text_of(const nlohmann::ordered_json& json);
/// The table as in RFC 4180: the keys of its objects, and a line for each.
[[nodiscard]] std::string csv_of(const Rows& rows);

}  // namespace pitboss::clients
