#pragma once

#include <span>

#include "protocol/web_file.hpp"

namespace pitboss::server {

/// All files of the page in a browser (docs/web.md), which the build makes of clients/web/, for
/// Config::page. Any thread.
[[nodiscard]] std::span<const protocol::WebFile> page_files();

}  // namespace pitboss::server
