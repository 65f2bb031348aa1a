#include "clients/experiments/experiment.hpp"

#include <algorithm>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

#include "clients/experiments/match_configuration.hpp"

namespace pitboss::clients {

namespace {

/// Of our UUIDs; chosen at random once.
constexpr boost::uuids::uuid ours = {{0x5b, 0x0c, 0x1e, 0x9a, 0x7d, 0x42, 0x4f, 0x1b, 0x9e, 0x33,
                                      0x2a, 0x61, 0xd8, 0x70, 0xc4, 0x5f}};

std::string uuid_of(const std::string& text) {
  return boost::uuids::to_string(boost::uuids::name_generator_sha1(ours)(text));
}

}  // namespace

int Experiment::games() const {
  int sum = 0;
  for (const Match& match : matches) sum += match.games;
  return sum;
}

std::vector<const Player*> players_of(const Experiment& experiment) {
  std::vector<const Player*> out;
  for (const Match& match : experiment.matches) {
    for (const Player& player : match.players) {
      const auto is_same = [&](const Player* other) { return other->name == player.name; };
      if (std::ranges::none_of(out, is_same)) out.push_back(&player);
    }
  }
  return out;
}

std::string match_id(const Match& match) { return uuid_of(configuration(match)); }

std::string round_id(const std::string& match, int round) {
  return uuid_of(match + " " + std::to_string(round));
}

}  // namespace pitboss::clients
