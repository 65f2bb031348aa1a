#pragma once

#include <filesystem>
#include <string>

/// Private to this folder.
namespace pitboss::clients {

/// A path as URIs take it: all bytes but letters, digits and /-_.~ as % and two digits.
[[nodiscard]] std::string uri_path(const std::filesystem::path& path);

}  // namespace pitboss::clients
