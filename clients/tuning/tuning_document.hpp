#pragma once

#include <filesystem>

#include "clients/results/document/document.hpp"
#include "clients/results/serve/followed.hpp"

namespace pitboss::clients {

/// The report of a tuning, from its ledger and, once it is over, its summary.json: whom it plays
/// and what is tuned, the answer and its fresh match, what the user should note, and what was
/// learned: parameters over time with their bounds, scores by value and by pair of values, the
/// players tried, what went wrong. Its facts are `configuration` and `summary`.
[[nodiscard]] Document tuning_document(const std::filesystem::path& folder);

/// A tuning in a folder: the same document, after its progress.
[[nodiscard]] RunKind tuning_kind();

}  // namespace pitboss::clients
