#include "clients/tuning/tuning_file.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ranges>

#include "clients/experiments/derived_seed.hpp"
#include "clients/experiments/match_configuration.hpp"
#include "clients/experiments/setting_rows.hpp"
#include "clients/experiments/user_error.hpp"
#include "games/letter_case.hpp"

namespace pitboss::clients {

namespace {

using nlohmann::ordered_json;

/// The value of an option before tuning.
std::string start_of(const Player& player, const TunedParameter& parameter,
                     const Setting& setting) {
  if (player.language == Language::pitboss) {
    engine::Options options;
    for (const auto& [name, value] : player.options) engine::set_option(options, name, value);
    return engine::get_option(options, parameter.name);
  }
  const auto found = std::ranges::find_if(player.options, [&](const auto& option) {
    return games::same_ignoring_case(option.name, parameter.name);
  });
  if (found == player.options.end()) {
    setting.refuse("what is its value before tuning? Give it in the options of " + player.name);
  }
  return found->value;
}

constexpr double many = 1e9;

constexpr std::array race_rows{
    setting("games", &RaceSettings::games, 1, many),
};
constexpr std::array ucb_rows{
    setting("games", &UcbSettings::games, 1, many),
    setting("factor", &UcbSettings::factor, 0, many),
};
constexpr std::array n_tuple_rows{
    setting("runs", &NTupleSettings::runs, 1, 1000),
    setting("games_per_run", &NTupleSettings::games_per_run, 1, many),
    setting("factor", &NTupleSettings::factor, 0, many),
};
constexpr std::array comparison_rows{
    setting("comparison_games", &ComparisonSettings::games, 1, many),
};
constexpr std::array spsa_rows{
    setting("games", &SpsaSettings::games, 1, many),
    setting("precision", &SpsaSettings::precision, 0, many),
    setting("loss_at_half_range", &SpsaSettings::loss_at_half_range, 0, many),
    setting("draw_ratio", &SpsaSettings::draw_ratio, 0, many),
    setting("opening_bias", &SpsaSettings::opening_bias, 0, many),
};
constexpr std::array deviation_rows{
    setting("deviation_games", &DeviationSettings::games, 1, many),
    setting("deviation_rounds", &DeviationSettings::rounds, 1, 1000),
};
constexpr std::array plan_rows{setting("start_loss", &PlannedTuning::start_loss, 0, many)};

void read_method(const Setting& tune, TuningSettings& settings) {
  const Setting* const method = tune.find("method");
  const std::string name = method == nullptr ? "race" : method->text();
  std::vector<std::string_view> keys{"player", "self_play", "method", "parameters", "lag"};
  const auto take = [&](const auto& rows, auto& to) {
    add_keys(rows, keys);
    read_rows(tune, rows, to);
  };
  add_keys(plan_rows, keys);
  take(deviation_rows, settings.deviations);
  if (name == "race") {
    take(race_rows, settings.method.emplace<RaceSettings>());
    keys.insert(keys.end(), {"answers", "control"});
  } else if (name == "ucb1-tuned") {
    take(ucb_rows, settings.method.emplace<UcbSettings>());
  } else if (name == "n-tuple") {
    auto& to = settings.method.emplace<NTupleTuning>();
    take(n_tuple_rows, to.runs);
    take(comparison_rows, to.comparison);
    keys.emplace_back("comparison");
    if (const Setting* const s = tune.find("comparison")) {
      using enum ComparisonSettings::Rule;
      std::string rule;
      read_value(*s, {.choices = "published, tournament"}, rule);
      to.comparison.rule = rule == "tournament" ? tournament : published;
    }
  } else if (name == "spsa") {
    take(spsa_rows, settings.method.emplace<SpsaSettings>());
  } else {
    method->refuse(R"(expected "race", "ucb1-tuned", "n-tuple" or "spsa")");
  }
  tune.expect_keys(keys);
  if (const Setting* const s = tune.find("lag")) settings.lag = s->count(1, 10'000);
}

/// Leaves only the parameters that the player's key `tuned` lists.
void keep_listed(SearchSpace& space, const Setting& tuned, const std::string& game) {
  const std::vector<std::string> names = tuned.texts();
  std::erase_if(space, [&](const TunedParameter& parameter) {
    return std::ranges::none_of(names, [&](const std::string& name) {
      return games::same_ignoring_case(parameter.name, name);
    });
  });
  if (space.empty()) tuned.refuse("none of these is a parameter at " + game);
}

/// The options before tuning without the idea that is tuned, novelty; nothing if alpha is not
/// tuned, cannot be 0, or is.
std::optional<Values> usual_control(const SearchSpace& space, const Values& start) {
  const auto alpha = std::ranges::find(space, "alpha", &TunedParameter::name);
  if (alpha == space.end()) return std::nullopt;
  const bool may_be_0 = alpha->has_range()
                            ? alpha->range.holds("0")
                            : std::ranges::find(alpha->values, "0") != alpha->values.end();
  Values control = start;
  control[static_cast<std::size_t>(alpha - space.begin())] = "0";
  if (!may_be_0 || control == start) return std::nullopt;
  return control;
}

/// The candidates of a race that the file names.
void read_candidates(const Setting& tune, const SearchSpace& space, const SearchSpace& all,
                     const Values& start, bool is_ours, RaceSettings& race) {
  for (const Setting& answer : tune.list_at("answers")) {
    race.answers.push_back(read_candidate(answer, space, all, start, is_ours));
  }
  const Setting* const control = tune.find("control");
  if (control != nullptr) {
    race.control = read_candidate(*control, space, all, start, is_ours);
  } else if (is_ours) {
    race.control = usual_control(space, start);
  }
}

/// Refuses a sentence of `make_tuning`, which begins with a key, at that key.
[[noreturn]] void refuse_at_key(const Setting& tune, const Match& match,
                                const std::string& sentence) {
  const std::size_t colon = sentence.find(": ");
  if (colon != std::string::npos) {
    const std::string key = sentence.substr(0, colon);
    const std::string rest = sentence.substr(colon + 2);
    if (const Setting* const s = tune.find(key)) s->refuse(rest);
    const Setting& parameters = tune.at("parameters");
    const Setting& s = parameter_setting(parameters, match, key);
    if (&s != &parameters) s.refuse(rest);
  }
  tune.refuse(sentence);
}

}  // namespace

Player with_values(Player player, const SearchSpace& space, const Values& values) {
  for (std::size_t i = 0; i < space.size(); ++i) {
    const auto named = [&](const engine::Assignment& option) {
      return games::same_ignoring_case(option.name, space[i].name);
    };
    // In its place: an engine may refuse the same options in another order.
    const auto option = std::ranges::find_if(player.options, named);
    if (option == player.options.end()) {
      player.options.push_back({space[i].name, values[i]});
    } else {
      option->value = values[i];
    }
  }
  return player;
}

Match PlannedTuning::match_of(const ProposedGame& game) const {
  const auto* const opponent = std::get_if<int>(&game.second);
  Match match = opponent == nullptr ? file.itself : file.file.experiment.matches[*opponent];
  match.players[0] = with_values(match.players[0], space, game.first);
  if (const auto* const values = std::get_if<Values>(&game.second)) {
    match.players[1] = with_values(match.players[1], space, *values);
  }
  return match;
}

Experiment PlannedTuning::examined() const {
  const Values& start = settings.conditions.start;
  const bool is_ours = file.itself.players[0].language == Language::pitboss;
  std::vector<Values> all{start};
  std::vector<Values> bases{start};  // which differ from the start in no value or one
  for (std::size_t i = 0; i < space.size(); ++i) {
    std::vector<std::string> values = space[i].values;
    if (space[i].has_range()) {
      const auto [low, high] = space[i].range.bounds();
      values = {space[i].range.text_at(low), space[i].range.text_at(high)};
    }
    std::erase(values, start[i]);
    // UCI engines take each option for itself; ranges have too many values.
    const bool may_clash = is_ours && !space[i].has_range();
    const std::size_t paired = may_clash ? bases.size() : 1;
    for (std::size_t b = 0; b < paired; ++b) {
      Values changed = bases[b];
      for (const std::string& value : values) {
        changed[i] = value;
        all.push_back(changed);
        if (b == 0 && may_clash) bases.push_back(changed);
      }
    }
  }
  if (const auto* const race = std::get_if<RaceSettings>(&settings.method)) {
    all.insert(all.end(), race->answers.begin(), race->answers.end());
    if (race->control) all.push_back(*race->control);
  }
  Experiment experiment{file.file.experiment.name, {}, std::nullopt};
  const auto add = [&](const Values& values, int opponent) -> Match& {
    return experiment.matches.emplace_back(
        match_of({values, opponent_in(settings.conditions, opponent), 0, 0}));
  };
  for (int i = 0; i < opponents_of(settings.conditions); ++i) add(start, i);
  for (const Values& values : all | std::views::drop(1)) {
    add(values, 0).players[0].name += " with " + text_of(space, values);
  }
  return experiment;
}

std::int64_t fresh_seed(std::int64_t seed, FreshUse use) {
  const std::uint64_t number = ~static_cast<std::uint64_t>(use);
  return static_cast<std::int64_t>(derived_seed(seed, use_tuning, number) >> 1U);
}

Experiment PlannedTuning::fresh_match(const Values& answer) const {
  Experiment experiment{file.file.experiment.name, {}, std::nullopt};
  const auto add = [&](Match match, const Player& second) {
    match.players[0] = with_values(file.itself.players[0], space, answer);
    match.players[0].name += ".tuned";
    match.players[1] = second;
    match.seed = fresh_seed(match.seed, FreshUse::answer);
    experiment.matches.push_back(std::move(match));
  };
  if (answer != settings.conditions.start) add(file.itself, file.itself.players[0]);
  for (const Match& match : file.file.experiment.matches) add(match, match.players[1]);
  return experiment;
}

TuningConfiguration PlannedTuning::configuration() const {
  ordered_json json;
  const auto add_match = [&](const Match& match) {
    json["matches"].push_back(ordered_json::parse(clients::configuration(match)));
  };
  if (is_self_play()) {
    add_match(file.itself);
  } else {
    for (const Match& match : file.file.experiment.matches) add_match(match);
  }
  for (std::size_t i = 0; i < space.size(); ++i) {
    auto& to = json["parameters"][space[i].name];
    if (!space[i].has_range()) {
      to["values"] = space[i].values;
    } else {
      const Range& r = space[i].range;
      to = {{"min", r.low},        {"max", r.high},         {"log", r.is_logarithmic},
            {"whole", r.is_whole}, {"zero", r.low_is_zero}, {"step", r.step}};
    }
    to["start"] = settings.conditions.start[i];
  }
  if (const auto* race = std::get_if<RaceSettings>(&settings.method)) {
    json["method"] = "race";
    add_json(race_rows, *race, json);
    for (const Values& answer : race->answers) json["answers"].push_back(answer);
    if (race->control) json["control"] = *race->control;
  } else if (const auto* ucb = std::get_if<UcbSettings>(&settings.method)) {
    json["method"] = "ucb1-tuned";
    add_json(ucb_rows, *ucb, json);
  } else if (const auto* n_tuple = std::get_if<NTupleTuning>(&settings.method)) {
    json["method"] = "n-tuple";
    add_json(n_tuple_rows, n_tuple->runs, json);
    json["comparison"] = n_tuple->comparison.rule == ComparisonSettings::Rule::published
                             ? "published"
                             : "tournament";
    add_json(comparison_rows, n_tuple->comparison, json);
  } else {
    json["method"] = "spsa";
    add_json(spsa_rows, std::get<SpsaSettings>(settings.method), json);
    json["games"] = games_of(space, settings);
  }
  add_json(deviation_rows, settings.deviations, json);
  json["lag"] = lag_of(space, settings);
  const bool has_stages = settings.deviations.games > 0;
  return {json.dump(), json.contains("games") && !has_stages ? "games" : ""};
}

SearchSpace configured_space(const ordered_json& parameters) {
  SearchSpace out;
  for (const auto& [name, of] : parameters.items()) {
    TunedParameter& to = out.emplace_back(name, of.value("values", std::vector<std::string>()));
    if (!to.has_range()) continue;
    to.range = {of.value("min", 0.0),     of.value("max", 1.0),    of.value("log", false),
                of.value("whole", false), of.value("zero", false), of.value("step", 0.0)};
  }
  return out;
}

bool is_of_itself(const Match& match) {
  return match.players[1].name == match.players[0].name + std::string(ending_of_other);
}

std::string opponents_text(const std::vector<Match>& matches) {
  std::vector<std::string> names;
  for (const Match& match : matches) {
    const std::string name = is_of_itself(match) ? "itself" : match.players[1].name;
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  }
  std::string out;
  for (const std::string& name : names) out += (out.empty() ? "" : ", ") + name;
  return out;
}

PlannedTuning read_tuning(const std::filesystem::path& path, const TuningChoice& choice) {
  PlannedTuning plan{read_tuning_file(path, choice), {}, {}};
  const Setting& tune = plan.file.tune;
  read_method(tune, plan.settings);
  read_rows(tune, plan_rows, plan);
  const Player& player = plan.file.itself.players[0];
  if (player.language == Language::gtp) {
    plan.file.player.refuse("a player that speaks \"gtp\" has no options to tune");
  }
  const Setting& parameters = tune.at("parameters");
  plan.space =
      read_search_space(parameters, plan.file.itself, player.language == Language::pitboss);
  const SearchSpace all = plan.space;
  if (const Setting* const s = plan.file.player.find("tuned")) {
    keep_listed(plan.space, *s, plan.file.itself.game);
  }

  Conditions& conditions = plan.settings.conditions;
  conditions.seed = plan.file.itself.seed;
  conditions.seatings = plan.file.itself.round();
  for (const TunedParameter& parameter : plan.space) {
    const Setting& setting = parameter_setting(parameters, plan.file.itself, parameter.name);
    conditions.start.push_back(start_of(player, parameter, setting));
  }
  if (auto* const race = std::get_if<RaceSettings>(&plan.settings.method)) {
    read_candidates(tune, plan.space, all, conditions.start, player.language == Language::pitboss,
                    *race);
  }
  const auto& opponents = plan.file.file.experiment.matches;
  const Setting* const self_play = tune.find("self_play");
  const bool is_self_play = self_play != nullptr && self_play->flag();
  conditions.opponents = is_self_play ? 0 : static_cast<int>(opponents.size());
  if (!is_self_play && opponents.empty()) {
    plan.file.player.refuse(
        "has no opponent: that is another [[player]], with whom pairings must pair it if there are "
        "any, or the player itself with self_play = true in [tune]");
  }
  for (const Match& match : opponents) {
    if (setup_key(match.players[0]) == setup_key(match.players[1])) {
      tune.refuse("the opponent " + match.players[1].name + " is the player itself, " +
                  player.name + ": say self_play = true, or give them different options");
    }
  }
  try {
    static_cast<void>(make_tuning(plan.space, plan.settings));
  } catch (const UserError& e) {
    refuse_at_key(tune, plan.file.itself, e.what());
  }
  return plan;
}

}  // namespace pitboss::clients
