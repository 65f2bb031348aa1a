#include "server/session/search_json.hpp"

#include <nlohmann/json.hpp>

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

}  // namespace

std::string evaluations_json(const ModelsUsed& used) {
  Json json = json_of(used.network);
  if (!used.networks.empty()) json["network"] = used.networks;
  if (!used.feature_sets.empty()) json["features"] = used.feature_sets;
  return json.dump();
}

std::string search_json(const engine::Report& report) {
  Json json{{"game", report.game},           {"simulations", report.simulations},
            {"reused", report.reused},       {"seconds", report.seconds},
            {"nodes", report.nodes},         {"bytes", report.bytes},
            {"max_depth", report.max_depth}, {"tree_full", report.tree_full},
            {"seed", report.seed},           {"move", report.move}};
  auto& moves = json["moves"] = Json::array();
  for (const engine::MoveReport& m : report.moves) {
    moves.push_back({{"move", m.move},
                     {"visits", m.visits},
                     {"value", m.value},
                     {"novelty", m.novelty},
                     {"prior", m.prior ? Json(*m.prior) : Json()},
                     {"proven", m.proven == engine::Proven::no    ? Json()
                                : m.proven == engine::Proven::win ? Json("win")
                                                                  : Json("loss")}});
  }
  json["pv"] = report.pv;
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
  auto& touched = json["options"] = Json::object();
  for (const engine::OptionRow& row : engine::option_rows()) {
    const std::string value = engine::get_option(report.options, row.name);
    if (value != engine::get_option(engine::Options{}, row.name))
      touched[std::string(row.name)] = value;
  }
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
