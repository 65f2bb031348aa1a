#include "games/text_file.hpp"

#include <doctest/doctest.h>

#include <string>

#include "tests/clients/scratch_folder.hpp"

using namespace pitboss;
using games::read_text_file;

namespace {

std::string fault_of(const std::string& file, std::size_t most = games::longest_text_file) {
  try {
    static_cast<void>(read_text_file(file, most));
  } catch (const games::UnreadableFile& unreadable) {
    return unreadable.what();
  }
  return "";
}

}  // namespace

TEST_CASE("read_text_file") {
  const clients::ScratchFolder folder;
  const std::string file = (folder / "text").string();
  for (const std::string& text : {std::string(), std::string("a\r\nb\0c\n", 7),
                                  std::string(65536, 'x'), std::string(200'000, 'y')}) {
    clients::write_text(file, text);
    CHECK(read_text_file(file) == text);
    // A byte order mark is no text, but at the beginning alone.
    clients::write_text(file, "\xEF\xBB\xBF" + text + "\xEF\xBB\xBF");
    CHECK(read_text_file(file) == text + "\xEF\xBB\xBF");
  }
}

TEST_CASE("read_text_file: each reason is told as the system tells it") {
  const clients::ScratchFolder folder;
  const std::string file = (folder / "text").string();
  CHECK(fault_of(file) == "cannot read " + file + ": No such file or directory");
  CHECK(fault_of(folder.path().string()) ==
        "cannot read " + folder.path().string() + ": Is a directory");
  clients::write_text(file, std::string((1U << 20) + 1, 'x'));
  CHECK(fault_of(file + "/x") == "cannot read " + file + "/x: Not a directory");
  CHECK(fault_of(file, 1U << 20) == "cannot read " + file + ": it is longer than 1 MiB");
  CHECK(fault_of("/dev/zero", 1U << 20) == "cannot read /dev/zero: it is longer than 1 MiB");
}
