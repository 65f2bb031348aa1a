#pragma once

#include <string_view>

namespace pitboss::clients {

// What the build makes of page/*.ts and page/*.css: they share the board, the charts beside it and
// the colours with the page in which games are played (clients/web).

/// The style of all documents.
[[nodiscard]] std::string_view results_style();
/// The script that steps through the games of a document in a file.
[[nodiscard]] std::string_view games_script();

}  // namespace pitboss::clients
