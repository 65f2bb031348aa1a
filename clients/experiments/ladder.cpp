#include "clients/experiments/ladder.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

#include "clients/experiments/comma_list.hpp"
#include "clients/experiments/number_in.hpp"
#include "clients/experiments/player_settings.hpp"
#include "clients/experiments/user_error.hpp"
#include "games/letter_case.hpp"

namespace pitboss::clients {

namespace {

constexpr std::size_t most_rungs = 100;

/// Whole numbers have all their digits.
std::string digits_of(double value) {
  const bool is_whole = value == std::floor(value) && value < 1e15;
  return is_whole ? typed_text(static_cast<std::int64_t>(value)) : typed_text(value);
}

/// The values of "LOW:HIGH".
std::vector<std::string> doubled(const std::string& low_text, const std::string& high_text) {
  const auto low = number_in<double>(low_text);
  const auto high = number_in<double>(high_text);
  const bool are_numbers = low && high && std::isfinite(*low) && std::isfinite(*high);
  require(are_numbers && *low > 0 && *high > *low,
          "--over: expected LOW:HIGH, two numbers above 0, the second above the first, not '" +
              low_text + ":" + high_text + "'");
  std::vector<std::string> out;
  double value = *low;
  for (; value < *high && out.size() < most_rungs; value *= 2) out.push_back(digits_of(value));
  require(value == *high, "--over: " + low_text + " doubled comes to " + out.back() + " and " +
                              digits_of(value) + ", not to " + high_text);
  out.push_back(digits_of(value));
  return out;
}

void check_values(const std::vector<std::string>& values) {
  require(values.size() >= 2, "--over: a ladder needs two rungs or more");
  require(values.size() <= most_rungs,
          "--over: a ladder has at most " + std::to_string(most_rungs) + " rungs");
  std::optional<double> last;
  bool are_numbers = true;
  for (std::size_t i = 0; i < values.size(); ++i) {
    require(!values[i].empty(), "--over: a value is empty");
    const auto before = values.begin() + static_cast<std::ptrdiff_t>(i);
    require(std::find(values.begin(), before, values[i]) == before,
            "--over: " + values[i] + " is there twice");
    const auto number = number_in<double>(values[i]);
    are_numbers = are_numbers && number;
    require(!are_numbers || !last || *number > *last, "--over: the values must rise");
    last = number;
  }
}

/// One player of the settings, from whom its rungs are made.
class Climber {
 public:
  Climber(const std::string& words, const LadderOption& over, const std::vector<Address>& servers)
      : settings_(parse_player_words(words, servers)), over_(over) {
    const Setting* const options = settings_.find("options");
    if (options != nullptr) {
      for (const Setting& option : options->table()) {
        if (games::same_ignoring_case(option.key(), "preset")) {
          name_ = std::filesystem::path(option.word()).stem().string();  // perhaps of a file
        }
        if (games::same_ignoring_case(option.key(), over.name)) option.refuse("--over sets it");
      }
    }
    const Setting* const name = settings_.find("name");
    if (name != nullptr) name_ = name->text();
    if (name_.empty()) settings_.refuse("name= is missing");
    const Setting* const speaks = settings_.find("speaks");
    is_ours_ = settings_.find("program") == nullptr &&
               (speaks == nullptr || speaks->text() == name_of(Language::pitboss));
  }

  [[nodiscard]] const std::string& name() const { return name_; }

  [[nodiscard]] Setting rung(const std::string& value) const {
    if (is_ours_) check_value(value);
    Setting::Table all;
    Setting::Table options;
    for (const Setting& entry : settings_.table()) {
      if (entry.key() == "options") {
        options = entry.table();
      } else if (entry.key() != "name") {
        all.push_back(entry);
      }
    }
    const Setting& any = settings_;
    options.push_back(named(any, over_.name, value));
    all.push_back(named(any, "name", rung_name(name_, value)));
    all.push_back(named(any, "options", std::move(options)));
    return any.with(std::move(all));
  }

 private:
  static Setting named(const Setting& like, const std::string& key, Setting::Value value) {
    return {std::make_shared<const std::string>(like.file()), Setting::no_line, key,
            std::move(value)};
  }

  void check_value(const std::string& value) const {
    engine::Options scratch;
    try {
      engine::set_option(scratch, over_.name, value);
    } catch (const engine::BadOption& e) {
      throw UserError(std::string("--over: ") + e.what());
    }
  }

  Setting settings_;
  const LadderOption& over_;
  std::string name_;
  bool is_ours_ = true;
};

Setting pair_of(const std::string& one, const std::string& other) {
  return Setting::of_command_line("pairings",
                                  Setting::List{Setting::of_command_line("pairings", one),
                                                Setting::of_command_line("pairings", other)});
}

/// Who meets whom, the higher rung first.
Setting::List pairings_of(const std::vector<Climber>& climbers, const LadderSettings& settings) {
  const std::vector<std::string>& values = settings.over.values;
  const auto reach = static_cast<std::size_t>(settings.reach);
  Setting::List out;
  for (const Climber& climber : climbers) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      for (std::size_t j = i + 1; j <= i + reach && j < values.size(); ++j) {
        out.push_back(
            pair_of(rung_name(climber.name(), values[j]), rung_name(climber.name(), values[i])));
      }
    }
  }
  for (std::size_t a = 0; a < climbers.size() && !settings.is_apart; ++a) {
    for (std::size_t b = a + 1; b < climbers.size(); ++b) {
      for (const std::string& value : values) {
        out.push_back(
            pair_of(rung_name(climbers[a].name(), value), rung_name(climbers[b].name(), value)));
      }
    }
  }
  return out;
}

}  // namespace

LadderOption ladder_option(const std::string& text) {
  const std::size_t equals = text.find('=');
  require(equals != std::string::npos && equals > 0,
          "--over: expected NAME=LOW:HIGH or NAME=VALUE,VALUE,..., not '" + text + "'");
  LadderOption out{text.substr(0, equals), {}};
  const std::string values = text.substr(equals + 1);
  const std::size_t colon = values.find(':');
  out.values = colon == std::string::npos
                   ? split_at_commas(values)
                   : doubled(values.substr(0, colon), values.substr(colon + 1));
  check_values(out.values);
  return out;
}

bool needs_server(const std::string& player) {
  const Setting settings = parse_player_words(player, {});
  return settings.find("server") == nullptr && settings.find("program") == nullptr;
}

ExperimentFile ladder_file(const LadderSettings& settings, const std::vector<Address>& servers) {
  std::vector<Climber> climbers;
  Setting::List players;
  for (const std::string& words : settings.players) {
    const Climber& climber = climbers.emplace_back(words, settings.over, servers);
    for (const std::string& value : settings.over.values) players.push_back(climber.rung(value));
  }
  Setting::List games;
  for (const std::string& game : settings.games)
    games.push_back(Setting::of_command_line("game", game));
  Setting::Table all = settings.rows;
  all.push_back(Setting::of_command_line("games", settings.games_a_pairing));
  all.push_back(Setting::of_command_line("openings", settings.openings));
  all.push_back(Setting::of_command_line("game", std::move(games)));
  all.push_back(Setting::of_command_line("player", std::move(players)));
  all.push_back(Setting::of_command_line("pairings", pairings_of(climbers, settings)));
  std::vector<ServerCapacity> places;
  for (const Address& server : servers) places.push_back({server});
  ExperimentFile out = experiment_file_of(Setting::of_command_line("", std::move(all)), places);
  out.experiment.name = "ladder";
  for (const Match& match : out.experiment.matches) {
    const auto& [one, other] = match.players;
    const std::string how = likeness(one, other);
    require(how.empty(), "--over: " + one.name + " and " + other.name + " " + how);
  }
  return out;
}

}  // namespace pitboss::clients
