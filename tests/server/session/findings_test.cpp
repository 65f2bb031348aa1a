#include "server/session/findings.hpp"

#include <doctest/doctest.h>

using namespace pitboss::server;

TEST_CASE("Findings: what nobody has asked for or told the longest is forgotten first") {
  Findings findings(16 * 100);
  const std::string report(98, 'r');
  const auto key = [](int i) { return std::string(2, static_cast<char>('a' + i)); };
  for (int i = 0; i < 16; ++i) findings.keep(key(i), 1, report);
  CHECK(findings.find(key(0)) == report);
  findings.keep(key(1), 2, report);  // with more visits
  findings.keep(key(16), 1, report);
  findings.keep(key(17), 1, report);
  CHECK(findings.find(key(0)) == report);
  CHECK(findings.find(key(1)) == report);
  CHECK(findings.find(key(2)).empty());
  CHECK(findings.find(key(3)).empty());
  CHECK(findings.find(key(4)) == report);
}

TEST_CASE(
    "Findings: a report with fewer visits does not replace one with more, and none is too large") {
  Findings findings(16 * 100);
  findings.keep("p", 10, "ten");
  findings.keep("p", 9, "nine");
  CHECK(findings.find("p") == "ten");
  findings.keep("p", 10, "again");
  CHECK(findings.find("p") == "ten");
  CHECK(findings.wants("p", 11));
  CHECK_FALSE(findings.wants("p", 10));
  CHECK(findings.wants("o", 1));
  findings.keep("p", 800, "800");
  CHECK_FALSE(findings.wants("p", 899));
  findings.keep("p", 900, "900");
  CHECK(findings.find("p") == "900");
  findings.keep("q", 1, std::string(100, 'x'));
  CHECK(findings.find("q").empty());
  findings.keep("q", 1, std::string(99, 'x'));
  findings.keep("q", 2, std::string(100, 'x'));
  CHECK(findings.find("q").size() == 99);
}
