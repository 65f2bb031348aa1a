#include "server/session/search_json.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "engine/formulas.hpp"
#include "engine/search/choice_terms.hpp"
#include "protocol/geometry_json.hpp"
#include "server/session/graphics.hpp"

namespace pitboss::server {

using Json = nlohmann::ordered_json;

namespace {

/// How many values each evaluator has computed.
Json json_of(const engine::NetworkUse& use) {
  Json json = Json::object();
  if (use.remote > 0) json["remote"] = use.remote;
  if (use.local() > 0) json["local"] = use.local();
  return json;
}

void add_exact(Json& json, std::optional<int> score, bool counts_points) {
  json["exact"] = engine::word_of_score(score);
  if (score && counts_points) json["points"] = *score;
}

}  // namespace

std::string_view word_of(engine::Proven proven) {
  switch (proven) {
    case engine::Proven::win:
      return "win";
    case engine::Proven::loss:
      return "loss";
    case engine::Proven::draw:
      return "draw";
    case engine::Proven::no:
      break;
  }
  return "unknown";
}

std::string truth_json(const games::AnyGame& position, const engine::ExactSolver& solver,
                       std::optional<int> score) {
  Json moves = Json::array();
  bool is_complete = true;
  for (const engine::ExactMove& move : solver.moves()) {
    add_exact(moves.emplace_back(Json{{"move", move.move}}), move.score, solver.counts_points());
    is_complete = is_complete && move.score;
  }
  Json json{{"version", 1}, {"to_move", position.name_of(position.to_move())}};
  add_exact(json, score, solver.counts_points());
  json["complete"] = is_complete;
  json["moves"] = std::move(moves);
  return json.dump();
}

std::string evaluations_json(const ModelsUsed& used) {
  Json json = json_of(used.network);
  if (!used.networks.empty()) json["network"] = used.networks;
  if (!used.feature_sets.empty()) json["features"] = used.feature_sets;
  return json.dump();
}

namespace {

Json json_of(engine::Proven proven) {
  return proven == engine::Proven::no ? Json() : Json(word_of(proven));
}

Json json_of(const std::optional<double>& number) { return number ? Json(*number) : Json(); }

Json json_of(const engine::MoveReport& move, const engine::ChoiceTerms& terms) {
  const auto interval = interval_of(move);
  return {{"move", move.move},
          {"visits", move.visits},
          {"value", move.value},
          {"interval", interval ? Json{interval->low, interval->high} : Json()},
          {"novelty", move.novelty},
          {"prior", json_of(move.prior)},
          {"proven", json_of(move.proven)},
          {"b", json_of(terms.b)},
          {"exploration", json_of(terms.exploration)},
          {"bound", json_of(terms.bound)}};
}

/// What the chosen move is worth: to its mover, and by colour. Of more than two colours the search
/// tells the mover's only.
void add_value(Json& json, const engine::Report& report, const games::AnyGame& position) {
  const auto chosen = std::ranges::find(report.moves, report.move, &engine::MoveReport::move);
  const bool is_known = chosen != report.moves.end() && interval_of(*chosen);
  json["value"] = is_known ? Json(chosen->value) : Json();
  json["values"] = nullptr;
  if (!is_known) return;
  for (const std::string_view colour : position.colours()) {
    const bool is_mover = colour == position.name_of(position.to_move());
    json["values"][std::string(colour)] = is_mover                  ? Json(chosen->value)
                                          : position.players() == 2 ? Json(1 - chosen->value)
                                                                    : Json();
  }
}

void add_options(Json& json, const engine::Options& options, const engine::Options& before) {
  json = Json::object();
  for (const engine::OptionRow& row : engine::option_rows()) {
    std::string value = engine::get_option(options, row);
    if (value != engine::get_option(before, row)) json[std::string(row.name)] = std::move(value);
  }
}

/// Adds all that is known of a search, `moves` as they are. `position` is the one reported.
void add_report(Json& json, const engine::Report& report, const games::AnyGame& position,
                Json moves) {
  json["game"] = report.game;
  json["simulations"] = report.simulations;
  json["reused"] = report.reused;
  json["seconds"] = report.seconds;
  json["nodes"] = report.nodes;
  json["bytes"] = report.bytes;
  json["max_depth"] = report.max_depth;
  json["tree_full"] = report.tree_full;
  json["seed"] = report.seed;
  json["path"] = report.path;
  json["visits"] = report.visits;
  json["to_move"] =
      position.result().finished() ? Json() : Json(position.name_of(position.to_move()));
  json["move"] = report.move.empty() ? Json() : Json(report.move);
  json["moves"] = std::move(moves);
  json["pv"] = report.pv;
  add_value(json, report, position);
  if (report.exact) add_exact(json, report.exact->score, report.exact->counts_points);
  for (const engine::TableReport& t : report.tables) {
    json["tables"].push_back({{"estimator", t.estimator},
                              {"bytes", t.bytes},
                              {"entries", t.entries},
                              {"evictions", t.evictions}});
  }
  if (report.network) {
    json["network"] = {{"name", report.network->name},
                       {"sha256", report.network->sha256},
                       {"evaluations", report.network->evaluations},
                       {"cached", report.network->cached}};
    json["evaluations"] = json_of(*report.network);
  }
  if (report.features) {
    json["features"] = {{"name", report.features->name}, {"sha256", report.features->sha256}};
  }
  add_options(json["options"], report.options, engine::Options{});
}

}  // namespace

std::optional<Interval> interval_of(const engine::MoveReport& move) {
  if (move.proven != engine::Proven::no) return Interval{move.value, move.value};
  if (move.visits == 0) return std::nullopt;
  const double error =
      engine::normal_95 * std::sqrt(move.variance / static_cast<double>(move.visits));
  return Interval{std::clamp(move.value - error, 0.0, 1.0),
                  std::clamp(move.value + error, 0.0, 1.0)};
}

namespace {

Json json_of(const engine::Report& report, const games::AnyGame& position) {
  const auto terms = engine::choice_terms(report);
  Json moves = Json::array();
  for (std::size_t i = 0; i < report.moves.size(); ++i) {
    moves.push_back(json_of(report.moves[i], terms[i]));
  }
  const auto reported = position.clone();
  for (const std::string& move : report.path) reported->play(move);
  Json json;
  add_report(json, report, *reported, std::move(moves));
  return json;
}

Json json_of(const engine::PathReport& path, const games::AnyGame& position) {
  Json values;
  for (std::size_t c = 0; c < path.values.size(); ++c) {
    values[std::string(position.colours()[c])] = path.values[c];
  }
  return {{"moves", path.moves}, {"values", values}, {"expanded", path.expanded}};
}

}  // namespace

std::string search_json(const engine::Report& report, const games::AnyGame& position) {
  return json_of(report, position).dump();
}

std::string tree_json(const std::vector<TreeMove>& moves) {
  Json json = Json::array();
  for (const TreeMove& each : moves) {
    json.emplace_back(json_of(each.report, each.terms))["path"] = each.path;
  }
  return json.dump();
}

std::string simulations_json(const engine::Report& report, const games::AnyGame& position) {
  Json json = json_of(report, position);
  json["paths"] = Json::array();
  for (const engine::PathReport& path : report.paths) {
    json["paths"].push_back(json_of(path, position));
  }
  return json.dump();
}

std::string analysis_json(const engine::Report& report, const games::AnyGame& position,
                          const std::vector<std::size_t>& told, const AnalysisFrame& frame) {
  const auto terms = engine::choice_terms(report);
  Json moves = Json::array();
  for (const std::size_t i : told) {
    const engine::MoveReport& move = report.moves[i];
    Json& json = moves.emplace_back(json_of(move, terms[i]));
    // If a move's continuation was not asked for, its variation is the move alone.
    const auto length = static_cast<std::ptrdiff_t>(std::min(move.pv.size(), longest_pv));
    const auto beginning = [&](const auto& all, const auto& own) {
      return length == 0 ? Json::array({own})
                         : Json(std::vector(all.begin(), all.begin() + length));
    };
    json["pv"] = beginning(move.pv, move.move);
    if (frame.pv_visits) json["pv_visits"] = beginning(move.pv_visits, move.visits);
  }
  Json json{{"version", protocol::json_version},
            {"sequence", frame.sequence},
            {"elapsed", std::chrono::duration<double>(frame.elapsed).count()}};
  add_report(json, report, position, std::move(moves));
  add_options(json["changed"], report.options, frame.before);
  return json.dump();
}

std::string assessment_json(const games::AnyGame& position, const engine::Options& options,
                            const engine::Assessment& assessment) {
  Json json{{"values", Json::object()}, {"policy", nullptr}};
  const auto colours = position.colours();
  for (std::size_t c = 0; c < assessment.values.size(); ++c) {
    json["values"][std::string(colours[c])] = assessment.values[c];
  }
  for (const auto& [move, prior] : assessment.policy) json["policy"][move] = prior;
  json["evaluator"] = engine::get_option(options, "evaluation");
  json["network"] = nullptr;
  if (const auto& network = assessment.network) {
    json["network"] = {{"name", network->name},
                       {"sha256", network->sha256},
                       {"evaluated", network->remote > 0   ? "remote"
                                     : network->cached > 0 ? "cached"
                                                           : "local"}};
  }
  if (const auto& features = assessment.features) {
    json["features"] = {{"name", features->name}, {"sha256", features->sha256}};
  }
  return json.dump();
}

std::string value_text(double value) { return decimal_text(value, 3); }

std::string seconds_text(std::chrono::nanoseconds time) {
  return decimal_text(std::chrono::duration<double>(time).count(), 6);
}

}  // namespace pitboss::server
