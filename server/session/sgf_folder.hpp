#pragma once

#include <stdexcept>
#include <string>

namespace pitboss::server {

/// A file that cannot be read. The text is a sentence.
class BadFile : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The contents of the file `name`, a path inside `folder`. Throws BadFile if `folder` is empty,
/// for paths that may lead out of it (absolute, "..", with a symbolic link), and for a file that is
/// missing, not regular or over 256 KiB. Reads from the disk, so it may block.
[[nodiscard]] std::string read_file_in(const std::string& folder, const std::string& name);

}  // namespace pitboss::server
