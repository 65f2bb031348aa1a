#pragma once

#include <string>
#include <string_view>

namespace pitboss::engine {

/// The SHA-256 of bytes, 64 hexadecimal digits.
[[nodiscard]] std::string sha256(std::string_view bytes);

}  // namespace pitboss::engine
