#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/variables_map.hpp>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace pitboss::protocol {

/// A command line or a file of flags that cannot be read. The text is a sentence for the user.
class BadFlags : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Reads the words that follow the name of a program or of its command; flags not given have their
/// defaults. Flags are long and not abbreviated; `-h` stands for `--help`. Appends words that
/// belong to no flag to `rest`. Throws BadFlags for such words if `rest` is null, for an unknown
/// flag and for a value of the wrong kind. In a value that the help calls FILE, DIR, FOLDER or
/// PATH, and in a word of `rest`, `~` stands for the home folder. The caller calls
/// boost::program_options::notify.
[[nodiscard]] boost::program_options::variables_map read_flags(
    const std::vector<std::string>& words, const boost::program_options::options_description& known,
    std::vector<std::string>* rest = nullptr);

/// Adds the flags of a file of lines `name = value` to `given`, whose own flags take precedence.
/// Throws BadFlags.
void read_flag_file(const std::filesystem::path& path,
                    const boost::program_options::options_description& known,
                    boost::program_options::variables_map& given);

}  // namespace pitboss::protocol
