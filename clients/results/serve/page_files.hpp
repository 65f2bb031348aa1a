#pragma once

#include <span>

#include "protocol/web_file.hpp"

namespace pitboss::clients {

/// All files of the page that follows runs (docs/report.md), which the build makes of page/. Any
/// thread.
[[nodiscard]] std::span<const protocol::WebFile> page_files();

}  // namespace pitboss::clients
