#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace pitboss::clients {

/// What an engine has told of a search while it ran: nodes, depth, score and line, each as it said
/// last. Many lines tell only some of them.
class ToldSearch {
 public:
  /// Hears the words of a line such as "depth 9 score cp 12 nodes 2041 pv d1d2 d7d6" (UCI's `info`,
  /// a comment of a GTP engine); what says nothing new of a figure, or nothing that makes sense,
  /// leaves it as it was. Of a second line of play (`multipv 2`) only depth and nodes count.
  void hear(std::string_view line);

  [[nodiscard]] std::optional<std::int64_t> nodes() const { return nodes_; }
  [[nodiscard]] std::optional<std::int64_t> depth() const { return depth_; }
  /// As one such line; empty if nothing has been told.
  [[nodiscard]] std::string text() const;

 private:
  std::optional<std::int64_t> nodes_;
  std::optional<std::int64_t> depth_;
  std::string score_;  ///< "cp 12", "mate 3", "cp 40 lowerbound"
  std::string line_;
};

}  // namespace pitboss::clients
