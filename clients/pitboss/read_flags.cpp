#include "clients/pitboss/read_flags.hpp"

#include <iostream>

#include "clients/experiments/user_error.hpp"
#include "environment/processors.hpp"
#include "games/suggestion.hpp"
#include "protocol/flags.hpp"

namespace pitboss::clients {

namespace po = boost::program_options;

std::optional<po::variables_map> read_flags(std::string_view command, std::string_view usage,
                                            const po::options_description& options,
                                            const std::vector<std::string>& arguments,
                                            std::vector<std::string>* rest,
                                            const po::options_description& unlisted) {
  try {
    po::options_description all;
    all.add(options).add(unlisted);
    po::variables_map map = protocol::read_flags(arguments, all, rest);
    if (map.contains("help")) {
      std::cout << usage << options << "\n";
      return std::nullopt;
    }
    po::notify(map);
    return map;
  } catch (const protocol::BadFlags& e) {
    const std::string what = e.what();
    if (what.ends_with('?')) throw UserError(what);  // the library's error already proposes a flag
    throw UserError(what + "; see pitboss " + std::string(command) + " --help");
  }
}

void refuse_verb(std::string_view command, std::string_view verb,
                 std::span<const std::string_view> verbs) {
  throw UserError("there is no 'pitboss " + std::string(command) + " " + std::string(verb) + "'" +
                  games::suggestion(verb, verbs));
}

int threads_given(int number) {
  constexpr int most = 1024;
  if (number == 0) number = environment::processors();
  if (number < 1 || number > most) throw UserError("--threads must be from 1 to 1024");
  return number;
}

}  // namespace pitboss::clients
