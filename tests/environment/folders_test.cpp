#include "environment/folders.hpp"

#include <doctest/doctest.h>
#include <pwd.h>
#include <unistd.h>

#include <string>

#include "tests/environment/variable_set.hpp"

namespace pitboss::environment {

using tests::VariableSet;

TEST_CASE("expanded: the home folder at the beginning of a path alone") {
  const VariableSet home("HOME", "/home of/me");
  struct Row {
    const char* text;
    const char* path;
  };
  for (const Row& row :
       {Row{"~", "/home of/me"}, Row{"~/", "/home of/me/"}, Row{"~/runs/x", "/home of/me/runs/x"},
        Row{"~root/x", "/root/x"}, Row{"", ""}, Row{"x/~", "x/~"}, Row{"./~/x", "./~/x"},
        Row{"/~", "/~"}, Row{"x~", "x~"}, Row{"$HOME", "$HOME"}}) {
    CAPTURE(row.text);
    CHECK(expanded(row.text).string() == row.path);
  }
  CHECK_THROWS_WITH_AS(static_cast<void>(expanded("~no-such-user/x")),
                       "'~no-such-user/x' begins with the home folder of 'no-such-user', who has "
                       "none; a name that begins with ~ is written ./~no-such-user/x",
                       NoFolder);
}

TEST_CASE("expanded: without HOME, the home folder in the list of users") {
  const passwd* const user = ::getpwuid(::geteuid());
  REQUIRE(user != nullptr);
  for (const char* home : {static_cast<const char*>(nullptr), ""}) {
    const VariableSet none("HOME", home);
    CHECK(expanded("~/x").string() == std::string(user->pw_dir) + "/x");
  }
}

TEST_CASE("temporary_folder: TMPDIR, else /tmp; a folder that is missing is named") {
  {
    const VariableSet none("TMPDIR", nullptr);
    CHECK(temporary_folder() == "/tmp");
  }
  const VariableSet there("TMPDIR", "/usr");
  CHECK(temporary_folder() == "/usr");
  const VariableSet missing("TMPDIR", "/no/such/folder");
  CHECK_THROWS_WITH_AS(static_cast<void>(temporary_folder()),
                       "there is no folder /no/such/folder for temporary files, which TMPDIR names",
                       NoFolder);
}

TEST_CASE("cache_folder: XDG_CACHE_HOME if it is a whole path, else in the home folder") {
  const VariableSet home("HOME", "/home of/me");
  {
    const VariableSet named("XDG_CACHE_HOME", "/var/my cache");
    CHECK(cache_folder() == "/var/my cache/pitboss");
    CHECK(cache_folder_if_any() == "/var/my cache/pitboss");
  }
  for (const char* named : {static_cast<const char*>(nullptr), "", "relative"}) {
    const VariableSet other("XDG_CACHE_HOME", named);
    CHECK(cache_folder() == "/home of/me/.cache/pitboss");
  }
}

}  // namespace pitboss::environment
