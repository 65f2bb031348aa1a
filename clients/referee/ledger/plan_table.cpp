#include "clients/referee/ledger/plan_table.hpp"

#include <algorithm>
#include <iomanip>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string_view>
#include <utility>

#include "clients/experiments/match_configuration.hpp"
#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

using nlohmann::ordered_json;

namespace {

/// "/players/0/options/k" becomes "player 1 k".
std::string label_of(std::string pointer) {
  for (const auto& [from, to] :
       {std::pair<std::string_view, std::string_view>{"/players/0/", "player 1 "},
        {"/players/1/", "player 2 "},
        {"/parameters/", ""},
        {"options/", ""}}) {
    if (const std::size_t at = pointer.find(from); at != std::string::npos) {
      pointer.replace(at, from.size(), to);
    }
  }
  std::ranges::replace(pointer, '/', ' ');
  return pointer.substr(pointer.find_first_not_of(' '));
}

std::string cell_of(const ordered_json& flat, const std::string& key) {
  constexpr std::size_t widest = 30;
  const auto found = flat.find(key);
  if (found == flat.end()) return "-";
  const std::string text = found->is_string() ? found->get<std::string>() : found->dump();
  return text.size() <= widest ? text : text.substr(0, widest - 3) + "...";
}

/// A table of the differences between two configurations.
std::string differences(const ordered_json& there, const ordered_json& here) {
  const ordered_json a = there.flatten();
  const ordered_json b = here.flatten();
  std::ostringstream out;
  const auto row = [&](const std::string& label, const std::string& left,
                       const std::string& right) {
    out << "\n  " << std::left << std::setw(24) << label << std::setw(32) << left << right;
  };
  row("", "there", "here");
  for (const auto& [key, value] : b.items()) {
    // `flatten` makes null of an object without entries.
    if (!value.is_null() && a.value(key, ordered_json()) != value)
      row(label_of(key), cell_of(a, key), cell_of(b, key));
  }
  for (const auto& [key, value] : a.items()) {
    if (!value.is_null() && !b.contains(key)) row(label_of(key), cell_of(a, key), "-");
  }
  return out.str();
}

/// Compares with the match of the experiment that is most like the missing one.
std::string differences(const ordered_json& there, const Experiment& experiment) {
  const ordered_json flat = there.flatten();
  const auto count = [&](const Match& match) {
    const ordered_json here = ordered_json::parse(configuration(match)).flatten();
    return std::ranges::count_if(here.items(), [&](const auto& entry) {
      return flat.value(entry.key(), ordered_json()) != entry.value();
    });
  };
  const auto nearest = std::ranges::min_element(experiment.matches, {}, count);
  return differences(there, ordered_json::parse(configuration(*nearest)));
}

ordered_json sprt_json(const std::optional<SprtPlan>& sprt) {
  if (!sprt) return nullptr;
  return {{"elo0", sprt->elo0},
          {"elo1", sprt->elo1},
          {"alpha", sprt->alpha},
          {"beta", sprt->beta},
          {"model", name_of(sprt->model)}};
}

std::optional<SprtPlan> parse_sprt(const ordered_json& json) {
  if (json.is_null()) return std::nullopt;
  SprtPlan plan;
  plan.elo0 = json.at("elo0");
  plan.elo1 = json.at("elo1");
  plan.alpha = json.at("alpha");
  plan.beta = json.at("beta");
  const auto model = elo_model_named(json.at("model").get<std::string>());
  if (!model) throw UserError("the ledger is damaged: a stopping rule of no known model");
  plan.model = *model;
  return plan;
}

ordered_json plan_of(Store& store) {
  auto plan = ordered_json::parse(value_of(store, "ledger", "plan"), nullptr, false);
  require(plan.is_object() && plan.contains("sprt"),
          "cannot use " + store.name() + ": it is damaged: it has no plan of games");
  return plan;
}

/// How many games are planned, by the ids of the matches.
std::map<std::string, int> planned_games(Store& store) {
  std::map<std::string, int> out;
  const auto plan = ordered_json::parse(value_of(store, "ledger", "plan"), nullptr, false);
  if (!plan.is_object() || !plan.contains("games")) return out;
  store.read("SELECT id FROM matches ORDER BY number", {}, [&](const StoredRow& row) {
    const auto& games = plan["games"];
    if (out.size() < games.size()) out.emplace(row.text(0), games[out.size()]);
  });
  return out;
}

}  // namespace

void write_plan(Store& store, const std::vector<std::string>& match_ids,
                const Experiment& experiment) {
  ordered_json games = ordered_json::array();
  auto planned = store.is_shared() ? planned_games(store) : std::map<std::string, int>();
  for (std::size_t i = 0; i < match_ids.size(); ++i) {
    const Match& match = experiment.matches[i];
    games.push_back(std::max(match.games, planned[match_ids[i]]));
    write_match(store, match_ids[i], static_cast<std::int64_t>(i), match);
  }
  ordered_json plan{
      {"name", experiment.name}, {"games", games}, {"sprt", sprt_json(experiment.sprt)}};
  if (experiment.tuning) plan["tuning"] = ordered_json::parse(experiment.tuning->text);
  set_value(store, "ledger", "plan", plan.dump());
}

void write_match(Store& store, const std::string& id, std::int64_t number, const Match& match) {
  store.run(
      "INSERT INTO matches (id, number, configuration) VALUES ($1, $2, $3) "
      "ON CONFLICT (id) DO UPDATE SET number = excluded.number",
      {id, number, configuration(match)});
}

Experiment read_plan(Store& store) {
  Experiment experiment;
  auto& matches = experiment.matches;
  store.read("SELECT configuration FROM matches ORDER BY number", {}, [&](const StoredRow& row) {
    const Match* const before = matches.empty() ? nullptr : &matches.back();
    matches.push_back(parse_configuration(row.text(0), before));
  });
  const ordered_json plan = plan_of(store);
  if (plan.contains("tuning")) {
    experiment.name = plan.value("name", "");
    experiment.tuning = TuningConfiguration{plan["tuning"].dump()};
    return experiment;
  }
  try {
    experiment.name = plan.at("name");
    experiment.sprt = parse_sprt(plan.at("sprt"));
    for (std::size_t i = 0; i < experiment.matches.size(); ++i) {
      experiment.matches[i].games = plan.at("games").at(i);
    }
  } catch (const ordered_json::exception&) {
    throw UserError("cannot use " + store.name() + ": it is damaged: it has no plan of games");
  }
  return experiment;
}

std::string difference_to_plan(Store& store, const std::vector<std::string>& match_ids,
                               const Experiment& experiment) {
  std::string out;
  store.read("SELECT id, configuration FROM matches ORDER BY number", {},
             [&](const StoredRow& row) {
               if (!out.empty() || std::ranges::count(match_ids, row.text(0)) != 0) return;
               const auto there = ordered_json::parse(row.text(1), nullptr, false);
               require(there.is_object(), "cannot use " + store.name() + ": it is damaged");
               out = differences(there, experiment);
             });
  return out;
}

std::string difference_in_tuning(Store& store, const Experiment& experiment) {
  const ordered_json plan = plan_of(store);
  if (plan.contains("tuning") != experiment.tuning.has_value()) {
    return experiment.tuning ? "an experiment that is no tuning; " : "a tuning; ";
  }
  if (!experiment.tuning) return {};
  const ordered_json there = plan["tuning"].flatten();
  const ordered_json here = ordered_json::parse(experiment.tuning->text).flatten();
  for (const auto* one : {&here, &there}) {
    for (const auto& [key, value] : one->items()) {
      const auto text = [&](const ordered_json& in) {
        return in.contains(key) ? in[key].dump() : std::string("missing");
      };
      if (text(there) == text(here)) continue;
      const bool may_grow = key == "/" + experiment.tuning->growing && there.contains(key);
      if (may_grow && there[key].get<double>() < here[key].get<double>()) continue;
      const std::string advice = !there.contains(key) ? "take it out"
                                 : may_grow           ? "set it to " + text(there) + " or more"
                                                      : "set it to " + text(there);
      std::string label = key.substr(1);  // of "/parameters/k"
      std::ranges::replace(label, '/', ' ');
      return "another tuning: " + label + " is " + text(there) + " there and " + text(here) +
             " here; " + advice + " to go on, or ";
    }
  }
  return {};
}

std::string difference_in_rule(Store& store, const Experiment& experiment) {
  const ordered_json there = plan_of(store)["sprt"];
  const ordered_json here = sprt_json(experiment.sprt);
  if (there == here) return {};
  const auto text = [](const ordered_json& rule) { return rule.is_null() ? "none" : rule.dump(); };
  return std::string(there.is_null() ? "no stopping rule" : "another stopping rule") + " (there " +
         text(there) + ", here " + text(here) + ")";
}

}  // namespace pitboss::clients
