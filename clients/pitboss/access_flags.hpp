#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <string>

#include "clients/experiments/access.hpp"

namespace pitboss::clients {

/// The flags of commands that talk to servers.
struct AccessFlags {
  std::string token_file;
  std::string ca_file;

  void add_to(boost::program_options::options_description& options) {
    namespace po = boost::program_options;
    options.add_options()  //
        ("token-file", po::value(&token_file)->value_name("FILE"),
         "the token that the server asks for")  //
        ("ca-file", po::value(&ca_file)->value_name("FILE"),
         "certificates that vouch for a server at tls://HOST:PORT; default: the system's");
  }
  /// Throws UserError if a file cannot be read.
  [[nodiscard]] Access read() const { return read_access(token_file, ca_file); }
};

}  // namespace pitboss::clients
