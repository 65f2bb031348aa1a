#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pitboss::clients {

/// Parses the arguments of `pitboss COMMAND` and sets the variables of `options` and `unlisted`,
/// which is what programs of ours tell each other. Prints `help`, of `options`, and returns nothing
/// if the arguments ask for it. Words that belong to no flag are appended to `rest`; if that is
/// null they throw UserError, as do unknown flags.
[[nodiscard]] std::optional<boost::program_options::variables_map> read_flags(
    std::string_view command, std::string_view usage,
    const boost::program_options::options_description& options,
    const std::vector<std::string>& arguments, std::vector<std::string>* rest = nullptr,
    const boost::program_options::options_description& unlisted = {});

/// The threads that `--threads N` asks for, from 1 to 1024; 0: one for each processor. Throws
/// UserError.
[[nodiscard]] int threads_given(int number);

/// Throws UserError: `pitboss COMMAND` has no such verb; `verbs` are those that it has.
[[noreturn]] void refuse_verb(std::string_view command, std::string_view verb,
                              std::span<const std::string_view> verbs);
/// The verb of that name; throws UserError as `refuse_verb` does.
template <class Verbs>
const auto& verb_named(std::string_view command, std::string_view name, const Verbs& verbs) {
  std::vector<std::string_view> names;
  for (const auto& verb : verbs) {
    if (verb.name == name) return verb;
    names.push_back(verb.name);
  }
  refuse_verb(command, name, names);
}

}  // namespace pitboss::clients
