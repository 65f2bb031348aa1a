#pragma once

#include <optional>
#include <string_view>

namespace pitboss::clients {

/// The value of the move that was chosen, for its mover, in an answer to `last_search`; nothing
/// if there is none. Stops reading there.
[[nodiscard]] std::optional<double> value_in_search(std::string_view json);

}  // namespace pitboss::clients
