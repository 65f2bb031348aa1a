#pragma once

#include <doctest/doctest.h>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

#include "tests/folders.hpp"

namespace pitboss::tests {

/// Checks the part of a page in docs/ that stands between "<!-- generated: PART -->" and
/// "<!-- end -->". With PITBOSS_UPDATE_DOCS in the environment, writes it first (./dev update).
inline void check_generated(const std::string& page, const std::string& part,
                            const std::string& text) {
  const std::string path = tests::docs_folder() + "/" + page;
  std::ostringstream buffer;
  buffer << std::ifstream(path).rdbuf();
  std::string document = buffer.str();
  const std::string begin = "<!-- generated: " + part + " -->\n";
  const auto from = document.find(begin);
  const auto to = document.find("<!-- end -->", from);
  REQUIRE(from != std::string::npos);
  REQUIRE(to != std::string::npos);
  const auto start = from + begin.size();
  // NOLINTNEXTLINE(concurrency-mt-unsafe): the tests read the environment from one thread
  if (std::getenv("PITBOSS_UPDATE_DOCS") != nullptr) {
    document.replace(start, to - start, text);
    std::ofstream(path) << document;
    return;
  }
  CHECK_MESSAGE(document.substr(start, to - start) == text,
                "docs/" << page << " is out of date: run ./dev update");
}

}  // namespace pitboss::tests
