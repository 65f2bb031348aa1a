#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "clients/experiments/address.hpp"
#include "clients/experiments/file_lock.hpp"
#include "clients/players/child_program.hpp"
#include "clients/players/line_stream.hpp"

namespace pitboss::clients {

/// A `pitbossd` that is this process's alone: at a free port of this machine, with a token, so that
/// it serves no other user of the machine. It ends with this object, and with the process.
class OwnDaemon {
 public:
  /// Starts the program beside this one with these flags; blocks until it listens, for a minute at
  /// most. Throws UserError with what it says.
  explicit OwnDaemon(const std::vector<std::string>& flags);
  ~OwnDaemon();
  OwnDaemon(const OwnDaemon&) = delete;
  OwnDaemon& operator=(const OwnDaemon&) = delete;

  [[nodiscard]] const Address& address() const { return address_; }

 private:
  boost::asio::awaitable<void> read_address();

  std::string token_;
  std::filesystem::path file_;    ///< of the token, or, until the daemon listens, of its hash
  std::optional<FileLock> lock_;  ///< on the token's file
  boost::asio::io_context io_{1};
  ChildProgram program_;
  LineStream stream_;
  Address address_;
};

/// The token of a daemon at this address that a program of this user has started for itself,
/// Python's `launch` among them; empty if there is none. It lies in a file that only the user can
/// read, named HOST:PORT, in the folder `pitboss` of XDG_RUNTIME_DIR or `pitboss-UID` of the
/// temporary folder. That program keeps the file locked (flock); what one leaves behind that was
/// killed is no token.
[[nodiscard]] std::string token_of_own_daemon(const Address& address);

/// 256 random bits as 64 hexadecimal digits. Throws UserError if the system gives none.
[[nodiscard]] std::string random_token();

}  // namespace pitboss::clients
