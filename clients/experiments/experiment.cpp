#include "clients/experiments/experiment.hpp"

#include <algorithm>
#include <array>
#include <boost/uuid/name_generator_sha1.hpp>
#include <boost/uuid/uuid_io.hpp>

#include "clients/experiments/match_configuration.hpp"
#include "engine/options/options.hpp"

namespace pitboss::clients {

namespace {

/// The name space of our UUIDs, chosen at random once.
constexpr boost::uuids::uuid ours = {{0x5b, 0x0c, 0x1e, 0x9a, 0x7d, 0x42, 0x4f, 0x1b, 0x9e, 0x33,
                                      0x2a, 0x61, 0xd8, 0x70, 0xc4, 0x5f}};

std::string uuid_of(const std::string& text) {
  return boost::uuids::to_string(boost::uuids::name_generator_sha1(ours)(text));
}

/// The options of a player of ours, at a server with our default options.
engine::Options options_of(const Player& player) {
  engine::Options options;
  for (const auto& [name, value] : player.options) engine::set_option(options, name, value);
  return options;
}

/// Whether novelty has a say in the player's moves.
bool has_novelty(const engine::Options& options) {
  return options.novelty != engine::Novelty::none && options.alpha > 0;
}

/// What the players differ in beside novelty: "k 0.3 and 0.1, threads 1 and 2".
std::string other_differences(const engine::Options& one, const engine::Options& other) {
  constexpr std::array<std::string_view, 6> of_novelty = {"preset", "novelty", "novelty_mix",
                                                          "alpha",  "beta",    "gamma"};
  std::string out;
  for (const engine::OptionRow& row : engine::option_rows()) {
    if (std::ranges::find(of_novelty, row.name) != of_novelty.end()) continue;
    const std::string first = engine::get_option(one, row);
    const std::string second = engine::get_option(other, row);
    if (first == second) continue;
    out += (out.empty() ? "" : ", ") + std::string(row.name) + " " + first + " and " + second;
  }
  return out;
}

/// Whether a player differs from the novel one by alpha = 0 alone, so that its measure of novelty
/// does nothing.
bool is_control(const Player& player, const engine::Options& novel) {
  if (player.language != Language::pitboss) return false;
  engine::Options options = options_of(player);
  if (options.novelty == engine::Novelty::none || options.alpha > 0) return false;
  options.alpha = novel.alpha;
  options.novelty = novel.novelty;
  options.preset = novel.preset;
  return options == novel;
}

/// Empty unless one player has novelty, the other has none, they differ in more, and nobody plays
/// the control.
std::string novelty_remark(const Match& match, const Experiment& experiment) {
  const auto& [first, second] = match.players;
  if (first.language != Language::pitboss || second.language != Language::pitboss) return {};
  const engine::Options one = options_of(first);
  const engine::Options other = options_of(second);
  const std::string differences = other_differences(one, other);
  if (has_novelty(one) == has_novelty(other) || differences.empty()) return {};
  const Player& novel = has_novelty(one) ? first : second;
  const engine::Options& its_options = has_novelty(one) ? one : other;
  for (const Match& with : experiment.matches) {
    if (!same_rules(with, match)) continue;
    for (const Player& player : with.players) {
      if (is_control(player, its_options)) return {};
    }
  }
  return first.name + " and " + second.name + " differ in more than novelty (" + differences +
         "): what novelty does shows beside its control, which is " + novel.name +
         " with alpha = 0";
}

/// Empty unless the players are alike.
std::string remark_on(const Match& match) {
  const Player& one = match.players[0];
  const Player& other = match.players[1];
  const std::string how = likeness(one, other);
  if (how.empty()) return {};
  const bool is_one_place = one.location == other.location;
  return one.name + " and " + other.name + " " + how + " in " + match.game +
         ": their match shows " +
         (is_one_place ? "chance alone" : "chance, and how the servers differ");
}

void add(std::vector<std::string>& remarks, const std::string& remark) {
  if (remark.empty() || std::ranges::find(remarks, remark) != remarks.end()) return;
  remarks.push_back(remark);
}

}  // namespace

// Programs and engines that are not ours are alike only where they are the same.
std::string likeness(const Player& one, const Player& other) {
  const auto is_server_of_ours = [](const Player& player) {
    return player.language == Language::pitboss && std::holds_alternative<Address>(player.location);
  };
  if (is_server_of_ours(one) && is_server_of_ours(other)) {
    const bool are_equal = options_of(one) == options_of(other) && one.clock == other.clock;
    return are_equal ? "have equal options" : "";
  }
  if (setup_key(one) != setup_key(other)) return {};
  return std::holds_alternative<Program>(one.location) ? "are the same program, set up alike,"
                                                       : "are the same engine, set up alike,";
}

int Experiment::games() const {
  int sum = 0;
  for (const Match& match : matches) sum += match.games;
  return sum;
}

void use_access(Experiment& experiment, const Access& access) {
  for (Match& match : experiment.matches) {
    for (Player& player : match.players) {
      auto* const address = std::get_if<Address>(&player.location);
      if (address == nullptr || !address->access.token.empty()) continue;
      if (address->access.ca_file.empty()) address->access = access;
    }
  }
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

std::vector<std::string> remarks_on(const Experiment& experiment) {
  std::vector<std::string> out;
  for (const Match& match : experiment.matches) add(out, remark_on(match));
  for (const std::string& remark : remarks_on_options(experiment)) add(out, remark);
  return out;
}

std::vector<std::string> remarks_on_options(const Experiment& experiment) {
  std::vector<std::string> out;
  for (const Match& match : experiment.matches) {
    try {
      add(out, novelty_remark(match, experiment));
      for (const Player& player : match.players) {
        if (player.language != Language::pitboss) continue;
        for (const engine::Remark& remark : engine::remarks_on(options_of(player))) {
          add(out, player.name + ": " + std::string(remark.text));
        }
      }
    } catch (const engine::BadOption&) {  // an option of another version
      continue;
    }
  }
  return out;
}

std::string match_id(const Match& match) { return uuid_of(configuration(match)); }

std::string round_id(const std::string& match, int round) {
  return uuid_of(match + " " + std::to_string(round));
}

}  // namespace pitboss::clients
