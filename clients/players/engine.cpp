#include "clients/players/engine.hpp"

#include <algorithm>

#include "clients/players/gomocup_engine.hpp"
#include "clients/players/nboard_engine.hpp"
#include "clients/players/pitboss_engine.hpp"
#include "clients/players/plain_gtp_engine.hpp"
#include "clients/players/transcript.hpp"
#include "clients/players/uci_engine.hpp"

namespace pitboss::clients {

namespace {

constexpr std::size_t most_options = 1000;

std::string kept(std::string_view text) {
  constexpr std::size_t longest = 200;
  return printable(text, longest);
}

}  // namespace

void Declaration::set_program(std::string_view text) { program = kept(text); }

void Declaration::add_option(std::string_view name, std::string_view value) {
  if (options.size() < most_options) options[kept(name)] = kept(value);
}

bool Declaration::is_sound() const {
  return program == kept(program) && std::ranges::all_of(options, [](const auto& option) {
           return option.first == kept(option.first) && option.second == kept(option.second);
         });
}

std::unique_ptr<Engine> make_engine(const boost::asio::any_io_executor& executor,
                                    const Player& player) {
  switch (player.language) {
    case Language::gtp:
      return std::make_unique<PlainGtpEngine>(executor, player);
    case Language::uci:
      return std::make_unique<UciEngine>(executor, player);
    case Language::gomocup:
      return std::make_unique<GomocupEngine>(executor, player);
    case Language::nboard:
      return std::make_unique<NBoardEngine>(executor, player);
    case Language::pitboss:
      break;
  }
  return std::make_unique<PitbossEngine>(executor, player);
}

}  // namespace pitboss::clients
