#include "clients/experiments/text_file.hpp"

#include <fstream>
#include <iterator>
#include <system_error>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

std::string read_text_file(const std::filesystem::path& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) {
    throw UserError(path.string() + " cannot be read: it is no file");
  }
  if (std::filesystem::file_size(path, error) > max_text_file) {
    throw UserError(path.string() + " is longer than 16 MiB");
  }
  std::ifstream in(path, std::ios::binary);
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) throw UserError(path.string() + " cannot be read");
  return text;
}

}  // namespace pitboss::clients
