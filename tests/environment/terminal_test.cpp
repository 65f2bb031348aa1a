#include "environment/terminal.hpp"

#include <doctest/doctest.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <memory>

#include "tests/environment/variable_set.hpp"

namespace pitboss::environment {

using tests::VariableSet;

TEST_CASE("screen_of: a terminal's size and colours; none of a file, or of a dumb terminal") {
  using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;
  const VariableSet kind("TERM", "xterm");
  const VariableSet colours("NO_COLOR", nullptr);
  const File file(std::tmpfile(), &std::fclose);
  REQUIRE(file);
  CHECK_FALSE(screen_of(file.get()));

  const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(master >= 0);
  REQUIRE(::grantpt(master) == 0);
  REQUIRE(::unlockpt(master) == 0);
  const File terminal(std::fopen(::ptsname(master), "w"), &std::fclose);
  REQUIRE(terminal);
  const auto resize = [&](unsigned short rows, unsigned short columns) {
    const winsize size{rows, columns, 0, 0};
    REQUIRE(::ioctl(master, TIOCSWINSZ, &size) == 0);
  };
  for (const unsigned short width : {std::uint16_t{60}, std::uint16_t{61}}) {  // asked anew
    resize(6, width);
    const auto screen = screen_of(terminal.get());
    REQUIRE(screen);
    CHECK(screen->width == width);
    CHECK(screen->height == 6);
    CHECK(screen->has_colour);
  }
  resize(0, 0);  // does not tell
  CHECK(screen_of(terminal.get())->width == 80);
  {
    const VariableSet off("NO_COLOR", "1");
    CHECK_FALSE(screen_of(terminal.get())->has_colour);
  }
  {
    const VariableSet empty("NO_COLOR", "");  // which counts as not set
    CHECK(screen_of(terminal.get())->has_colour);
  }
  for (const char* none : {"dumb", "", static_cast<const char*>(nullptr)}) {
    const VariableSet dumb("TERM", none);
    CHECK_FALSE(screen_of(terminal.get()));
  }
  ::close(master);
}

}  // namespace pitboss::environment
