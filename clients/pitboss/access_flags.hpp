#pragma once

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/value_semantic.hpp>
#include <string>
#include <string_view>

#include "clients/experiments/address.hpp"
#include "clients/players/engine_failure.hpp"

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

/// The failure of a connection made with these flags, as a sentence for the user. If the server
/// asks for a token and none was given, the sentence tells how to give one.
[[nodiscard]] inline std::string sentence_of(const EngineFailure& failure, const Address& server) {
  const bool lacks_token =
      server.access.token.empty() && failure.code() == protocol::FailureCode::needs_token;
  return sentence_of(failure, server.text()) +
         (lacks_token ? "; --token-file FILE names the file that has one" : "");
}

}  // namespace pitboss::clients
