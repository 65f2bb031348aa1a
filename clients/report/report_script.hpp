#pragma once

#include <string_view>

namespace pitboss::clients {

// What the build makes of games_viewer.ts, games_viewer.css and the page in a browser
// (clients/web): the board of both is drawn by one source.

/// The script that steps through the games of a report.
[[nodiscard]] std::string_view report_script();
/// The style of boards, and of the charts beside them.
[[nodiscard]] std::string_view board_style();

}  // namespace pitboss::clients
