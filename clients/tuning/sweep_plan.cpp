#include "clients/tuning/sweep_plan.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "clients/experiments/comma_list.hpp"
#include "clients/experiments/user_error.hpp"
#include "games/letter_case.hpp"

namespace pitboss::clients {

namespace {

constexpr int most_points = 100;

/// "k" and "0.1,0.3" of "k=0.1,0.3"; of "k" no second part.
std::pair<std::string, std::optional<std::string>> parts_of(const std::string& text) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos) return {text, std::nullopt};
  return {text.substr(0, equals), text.substr(equals + 1)};
}

std::size_t parameter_named(const PlannedTuning& plan, const std::string& name,
                            const std::string& flag) {
  const auto found = std::ranges::find_if(plan.space, [&](const TunedParameter& parameter) {
    return games::same_ignoring_case(parameter.name, name);
  });
  if (found == plan.space.end()) {
    std::string known;
    for (const TunedParameter& of : plan.space) known += (known.empty() ? "" : ", ") + of.name;
    throw UserError(flag + ": " + name + " is no parameter of the file; these are: " + known);
  }
  return static_cast<std::size_t>(found - plan.space.begin());
}

/// Throws UserError for a value that an engine of ours does not take.
void check_value(const PlannedTuning& plan, const std::string& name, const std::string& value,
                 const std::string& flag) {
  require(!value.empty(), flag + ": a value of " + name + " is empty");
  if (plan.file.itself.players[0].language != Language::pitboss) return;
  engine::Options scratch;
  try {
    engine::set_option(scratch, name, value);
  } catch (const std::exception& e) {
    throw UserError(flag + ": " + e.what());
  }
}

std::vector<std::string> values_of(const TunedParameter& parameter, int points) {
  if (!parameter.has_range()) return parameter.values;
  const auto [low, high] = parameter.range.bounds();
  std::vector<std::string> out;
  for (int i = 0; i < points; ++i) {
    const std::string value = parameter.range.text_at(low + (high - low) * i / (points - 1));
    // Whole numbers may be fewer.
    if (out.empty() || out.back() != value) out.push_back(value);
  }
  return out;
}

struct SweptParameter {
  std::size_t place;  ///< in the space
  std::vector<std::string> values;
};

std::vector<SweptParameter> swept_of(const PlannedTuning& plan, const SweepSettings& settings) {
  require(settings.over.size() == 1 || settings.over.size() == 2,
          "--over: expected one or two parameters");
  require(settings.points >= 2 && settings.points <= most_points,
          "--points must be 2 to " + std::to_string(most_points));
  std::vector<SweptParameter> out;
  for (const std::string& text : settings.over) {
    const auto [name, listed] = parts_of(text);
    const std::size_t place = parameter_named(plan, name, "--over");
    const TunedParameter& parameter = plan.space[place];
    require(out.empty() || out.front().place != place, "--over: " + name + " is given twice");
    std::vector<std::string> values =
        listed ? split_at_commas(*listed) : values_of(parameter, settings.points);
    for (std::size_t i = 0; i < values.size(); ++i) {
      check_value(plan, parameter.name, values[i], "--over");
      require(std::find(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(i),
                        values[i]) == values.begin() + static_cast<std::ptrdiff_t>(i),
              "--over: " + name + " has " + values[i] + " twice");
    }
    require(values.size() >= 2, "--over: " + name + " has one value; a sweep needs more");
    out.push_back({place, std::move(values)});
  }
  require(out.size() == 2 || out.front().values.size() >= 3,
          "--over: a line needs at least three values");
  return out;
}

/// The options beside those that are swept.
Values base_of(const PlannedTuning& plan, const SweepSettings& settings,
               const std::vector<SweptParameter>& swept) {
  Values base = plan.settings.conditions.start;
  for (const std::string& text : settings.at) {
    const auto [name, value] = parts_of(text);
    require(value.has_value(), "--at: expected NAME=VALUE, not '" + text + "'");
    const std::size_t place = parameter_named(plan, name, "--at");
    require(std::ranges::find(swept, place, &SweptParameter::place) == swept.end(),
            "--at: " + name + " is swept over");
    check_value(plan, plan.space[place].name, *value, "--at");
    base[place] = *value;
  }
  return base;
}

}  // namespace

Experiment sweep_experiment(const PlannedTuning& plan, const SweepSettings& settings) {
  const std::vector<SweptParameter> swept = swept_of(plan, settings);
  const Values base = base_of(plan, settings, swept);
  require(settings.games >= 0 && settings.games % plan.file.itself.round() == 0,
          "--games must be a multiple of " + std::to_string(plan.file.itself.round()));
  std::vector<Values> all{base};
  for (const SweptParameter& of : swept) {
    std::vector<Values> more;
    for (const Values& values : all) {
      for (const std::string& value : of.values) {
        more.push_back(values);
        more.back()[of.place] = value;
      }
    }
    all = std::move(more);
  }
  const Conditions& conditions = plan.settings.conditions;
  require(all.size() * static_cast<std::size_t>(opponents_of(conditions)) <= most_matches,
          "--over: more than " + std::to_string(most_matches) + " matches");
  Experiment out{plan.file.file.experiment.name, {}, std::nullopt};
  if (out.name.empty()) {
    out.name = plan.file.itself.players[0].name + " at " + plan.file.itself.game;
  }
  for (int opponent = 0; opponent < opponents_of(conditions); ++opponent) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      Match match = plan.match_of({all[i], opponent_in(conditions, opponent), 0, 0});
      match.players[0].name += "-" + std::to_string(i + 1);
      check_name(match.players[0].name);
      if (settings.games > 0) match.games = settings.games;
      match.seed = fresh_seed(match.seed, FreshUse::sweep);
      out.matches.push_back(std::move(match));
    }
  }
  return out;
}

}  // namespace pitboss::clients
