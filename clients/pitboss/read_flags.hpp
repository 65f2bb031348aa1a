#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pitboss::clients {

/// The arguments of `pitboss COMMAND`, with the variables of `options` set; nothing if they ask for
/// `help`, which is printed then. Words that belong to no flag are appended to `rest`; if that is
/// null they throw UserError, as do flags that are not among the options.
[[nodiscard]] std::optional<boost::program_options::variables_map> read_flags(
    std::string_view command, std::string_view usage,
    const boost::program_options::options_description& options,
    const std::vector<std::string>& arguments, std::vector<std::string>* rest = nullptr);

}  // namespace pitboss::clients
