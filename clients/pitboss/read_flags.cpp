#include "clients/pitboss/read_flags.hpp"

#include <boost/program_options/errors.hpp>
#include <boost/program_options/parsers.hpp>
#include <iostream>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace po = boost::program_options;

std::optional<po::variables_map> read_flags(std::string_view command, std::string_view usage,
                                            const po::options_description& options,
                                            const std::vector<std::string>& arguments) {
  constexpr int style =
      po::command_line_style::unix_style & ~po::command_line_style::allow_guessing;
  po::variables_map map;
  try {
    po::store(po::command_line_parser(arguments).options(options).positional({}).style(style).run(),
              map);
    if (map.contains("help")) {
      std::cout << usage << options << "\n";
      return std::nullopt;
    }
    po::notify(map);
  } catch (const po::error& e) {
    throw UserError(std::string(e.what()) + "; see pitboss " + std::string(command) + " --help");
  }
  return map;
}

}  // namespace pitboss::clients
