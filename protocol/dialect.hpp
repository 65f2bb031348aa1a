#pragma once

#include <optional>
#include <string_view>

#include "games/dialect.hpp"

/// The words for dialects in the protocol and in the files of experiments.
namespace pitboss::protocol {

using games::Dialect;
using games::draws_upside_down;
using games::heard;
using games::spoken;

[[nodiscard]] std::string_view dialect_name(Dialect dialect);
/// The dialect of that name; nothing if there is none.
[[nodiscard]] std::optional<Dialect> dialect_named(std::string_view name);

}  // namespace pitboss::protocol
