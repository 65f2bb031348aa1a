#pragma once

#include <string>

namespace pitboss::clients {

/// A sound experiment, less what a test adds: `top` before the tables, `rest` behind them.
inline std::string file_with(const std::string& top, const std::string& rest = "") {
  return top + "\n" + R"([[server]]
address = "127.0.0.1:4580"
[[player]]
name = "A"
[[player]]
name = "B"
)" + rest;
}

inline const std::string minimal = "game = \"connect4\"\ngames = 10\n";

}  // namespace pitboss::clients
