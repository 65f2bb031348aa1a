#include "protocol/command_groups.hpp"
#include "protocol/error.hpp"

namespace pitboss::protocol {

namespace {

Outcome time_settings(Seat& seat, const Arguments& arguments) {
  arguments.expect(3, 3, "MAIN_SECONDS BYO_YOMI_SECONDS BYO_YOMI_STONES");
  constexpr std::int64_t most = 2147483647;
  const auto main = arguments.whole(0, 0, most);
  const auto byo_yomi = arguments.whole(1, 0, most);
  const auto stones = arguments.whole(2, 0, 100000);
  seat.table->clock().set(std::chrono::seconds(main), std::chrono::seconds(byo_yomi),
                          static_cast<int>(stones));
  return {};
}

Outcome time_left(Seat& seat, const Arguments& arguments) {
  arguments.expect(3, 3, "COLOUR SECONDS STONES");
  const games::Colour colour = arguments.colour(0);
  const auto seconds = arguments.whole(1, 0, 2147483647);
  const auto stones = arguments.whole(2, 0, 100000);
  seat.table->clock().set_left(colour, std::chrono::seconds(seconds), static_cast<int>(stones));
  return {};
}

constexpr std::array<Command, 2> list{{
    {"time_settings", "MAIN BYO_YOMI STONES", "sets the clock, in seconds", false, time_settings},
    {"time_left", "COLOUR SECONDS STONES", "corrects the clock", false, time_left},
}};

}  // namespace

std::span<const Command> time_commands() { return list; }

}  // namespace pitboss::protocol
