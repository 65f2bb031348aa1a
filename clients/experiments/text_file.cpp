#include "clients/experiments/text_file.hpp"

#include <system_error>

#include "clients/experiments/user_error.hpp"
#include "games/text_file.hpp"

namespace pitboss::clients {

std::string read_text_file(const std::filesystem::path& path) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  // A pipe might never end.
  if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
    throw UserError("cannot read " + path.string() + ": it is not a regular file");
  }
  try {
    return games::read_text_file(path);
  } catch (const games::UnreadableFile& unreadable) {
    throw UserError(unreadable.what());
  }
}

}  // namespace pitboss::clients
