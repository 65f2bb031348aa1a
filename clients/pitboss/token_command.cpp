#include "clients/pitboss/commands.hpp"

#include <boost/program_options.hpp>
#include <iostream>
#include <string_view>

#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/pitboss/read_flags.hpp"
#include "clients/players/own_daemon.hpp"
#include "engine/plain_name.hpp"
#include "engine/sha256.hpp"

namespace pitboss::clients {

namespace po = boost::program_options;

namespace {

constexpr std::string_view token_usage =
    "Makes a random token for a client of a daemon, and the line by which the daemon knows it. "
    "See\n"
    "docs/security.md.\n\n"
    "  pitboss token alice --right play\n"
    "  pitboss token alice --right play --token-file alice.token >> tokens\n\n";

}  // namespace

int token(const std::vector<std::string>& arguments) {
  std::string name;
  std::string right;
  std::string file;
  po::options_description options("Options", 100, 50);
  auto add = options.add_options();
  add("name", po::value(&name)->value_name("NAME"),
      "whose token it is, for logs and tables; also without --name");
  add("right", po::value(&right)->default_value("play")->value_name("RIGHT"),
      "what its client may do: watch, play or admin");
  add("token-file", po::value(&file)->value_name("FILE"),
      "write the token to this new file, which others may not read, instead of printing it");
  add("help", "this text");
  std::vector<std::string> words = arguments;
  if (!words.empty() && !words.front().starts_with('-')) words.insert(words.begin(), "--name");
  if (!read_flags("token", token_usage, options, words)) return 0;
  if (!engine::is_plain_name(name)) {
    throw UserError(
        "pitboss token NAME: the name must have 1 to 64 letters, digits, '.', '_' or '-'");
  }
  if (right != "watch" && right != "play" && right != "admin") {
    throw UserError("--right must be watch, play or admin, not '" + right + "'");
  }
  const std::string secret = random_token();
  const std::string line = name + " " + right + " " + engine::sha256(secret);
  if (file.empty()) {
    std::cout << "for the daemon's file of tokens:\n  " << line
              << "\nfor the client's file, the token:\n  " << secret << "\n";
  } else {
    write_secret(file, secret + "\n");
    std::cout << line << "\n";
  }
  return 0;
}

}  // namespace pitboss::clients
