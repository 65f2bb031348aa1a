#include <stdexcept>
#include <string>

#include "server/net/tokens.hpp"
#include "tests/fuzz/fuzzing.hpp"

/// A file of tokens. What is read has a client for no token that is not there, and is the same when
/// it is read again.
namespace pitboss::fuzzing {

void read_bytes(std::string_view bytes) {
  try {
    const auto tokens = server::Tokens::parse(bytes, "tokens");
    require(!tokens.client_with(bytes), "the file's text is no token");
    require(tokens.changed(server::Tokens::parse(bytes, "again")).empty(), "the same is the same");
  } catch (const std::runtime_error& error) {
    require(error.what()[0] != '\0', "what is wrong is said");
  }
}

}  // namespace pitboss::fuzzing
