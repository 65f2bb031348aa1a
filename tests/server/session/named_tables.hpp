#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "server/session/session.hpp"
#include "server/session/tables.hpp"
#include "tests/server/session/conversation.hpp"

/// For tests of several sessions at tables with names.
namespace pitboss::tests {

inline server::SessionConfig with_tables(server::TableLimits limits = {}) {
  server::SessionConfig config;
  config.options.simulations = 500;
  config.tables = std::make_shared<server::Tables>(limits);
  return config;
}

/// The answer to a line that does not have to wait.
inline std::string ask(SteppedSession& session, std::string_view line) {
  std::string out;
  auto status = session.handle(line, out);
  CAPTURE(line);
  REQUIRE(status != SteppedSession::Status::waiting);
  while (status == SteppedSession::Status::running) {
    status = session.step(std::chrono::milliseconds(1), out);
  }
  session.end_job();
  return out;
}

}  // namespace pitboss::tests
