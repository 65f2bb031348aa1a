#pragma once

#include <boost/program_options/options_description.hpp>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "clients/experiments/address.hpp"
#include "clients/pitboss/access_flags.hpp"
#include "clients/pitboss/interruption.hpp"
#include "clients/players/own_daemon.hpp"
#include "clients/review/findings_file.hpp"
#include "clients/review/search_positions.hpp"
#include "engine/options/options.hpp"

/// What commands share that have positions searched.
namespace pitboss::clients {

/// The options of a search, as they are sent: of its preset, unless that is empty, and those that
/// the user has set. Throws UserError.
[[nodiscard]] std::vector<engine::Assignment> search_options(
    const std::string& preset, std::int64_t simulations, const std::vector<std::string>& settings);
/// "simulations=200 preset=uct ", with a blank behind each.
[[nodiscard]] std::string text_of(const std::vector<engine::Assignment>& options);

/// The flags that say where positions are searched.
struct ServerFlags {
  std::vector<std::string> servers;
  AccessFlags access;
  int threads = 0;

  void add_to(boost::program_options::options_description& options);
};

/// What searches: the servers that were named, or a daemon that lives as long as this.
class SearchServers {
 public:
  /// Blocks until its daemon listens. Throws UserError.
  explicit SearchServers(const ServerFlags& flags);
  [[nodiscard]] const std::vector<Address>& addresses() const { return addresses_; }

 private:
  std::optional<OwnDaemon> daemon_;
  std::vector<Address> addresses_;
};

/// Has all positions searched that the file has not, by the servers of the flags, and shows how far
/// that is. Adds to `left_out` why some cannot be. Returns the exit code if it was stopped, which
/// it tells. Throws what `search_positions` throws.
[[nodiscard]] std::optional<int> search_missing(const ServerFlags& flags, ReviewSearch search,
                                                const std::vector<GamePosition>& questions,
                                                FindingsFile& file,
                                                const Interruption& interruption,
                                                std::vector<std::string>& left_out);

}  // namespace pitboss::clients
