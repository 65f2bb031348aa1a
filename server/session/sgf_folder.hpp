#pragma once

#include <stdexcept>
#include <string>

namespace pitboss::server {

/// A file that cannot be read. The text is a sentence.
class BadFile : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The contents of the file `name`, a path inside `folder`. Throws BadFile if the folder is empty
/// text, for paths that lead out of it (absolute, "..", any symbolic link on the way), for what is
/// no ordinary file, and for files over 256 KiB. Reads from the disk, so it may block.
[[nodiscard]] std::string read_file_in(const std::string& folder, const std::string& name);

}  // namespace pitboss::server
