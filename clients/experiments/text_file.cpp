#include "clients/experiments/text_file.hpp"

#include <cerrno>
#include <fstream>
#include <iterator>
#include <system_error>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

std::string read_text_file(const std::filesystem::path& path) {
  const auto refuse = [&](const std::string& why) {
    throw UserError("cannot read " + path.string() + ": " + why);
  };
  const auto failure = [] { return std::generic_category().message(errno); };
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (error) refuse(error.message());
  if (!std::filesystem::is_regular_file(status)) refuse("it is not a regular file");
  if (std::filesystem::file_size(path, error) > max_text_file) refuse("it is longer than 16 MiB");
  std::ifstream in(path, std::ios::binary);
  if (!in) refuse(failure());
  std::string text{std::istreambuf_iterator<char>(in), {}};
  if (!in) refuse(failure());
  return text;
}

}  // namespace pitboss::clients
