#pragma once

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

#include "protocol/session.hpp"
#include "protocol/tables.hpp"
#include "tests/protocol/conversation.hpp"

/// For tests of several sessions at tables with names.
namespace pitboss::tests {

inline protocol::SessionConfig with_tables(protocol::TableLimits limits = {}) {
  protocol::SessionConfig config;
  config.options.simulations = 500;
  config.tables = std::make_shared<protocol::Tables>(limits);
  return config;
}

/// The answer to a line that does not have to wait.
inline std::string ask(protocol::Session& session, std::string_view line) {
  std::string out;
  auto status = session.handle(line, out);
  CAPTURE(line);
  REQUIRE(status != protocol::Session::Status::waiting);
  while (status == protocol::Session::Status::working) {
    status = go_on(session, std::chrono::milliseconds(1), out);
  }
  session.end_work();
  return out;
}

}  // namespace pitboss::tests
