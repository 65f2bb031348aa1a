#include "games/text_file.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string_view>
#include <system_error>

namespace pitboss::games {

std::string system_reason(int error) { return std::generic_category().message(error); }

std::string read_text_file(const std::filesystem::path& path, std::size_t most_bytes) {
  const auto refuse = [&](const std::string& why) {
    throw UnreadableFile("cannot read " + path.string() + ": " + why);
  };
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rbe"),
                                                             &std::fclose);
  if (!file) refuse(system_reason(errno));
  constexpr std::size_t step = 65536;
  std::string text;
  for (std::size_t size = step; size == step && text.size() <= most_bytes;) {
    const std::size_t before = text.size();
    text.resize(before + step);
    size = std::fread(text.data() + before, 1, step, file.get());
    if (std::ferror(file.get()) != 0) refuse(system_reason(errno));
    text.resize(before + size);
  }
  constexpr std::size_t mebibyte = std::size_t{1} << 20;
  if (text.size() > most_bytes) {
    refuse("it is longer than " + std::to_string(most_bytes / mebibyte) + " MiB");
  }
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (text.starts_with(byte_order_mark)) text.erase(0, byte_order_mark.size());
  return text;
}

}  // namespace pitboss::games
