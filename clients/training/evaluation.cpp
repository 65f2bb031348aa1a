#include "clients/training/evaluation.hpp"

#include <nlohmann/json.hpp>

#include "clients/experiments/match.hpp"
#include "clients/experiments/player_settings.hpp"
#include "clients/experiments/text_file.hpp"
#include "clients/experiments/user_error.hpp"
#include "clients/players/own_daemon.hpp"
#include "clients/referee/run_experiment.hpp"
#include "clients/results/conclusions.hpp"
#include "clients/results/record_files.hpp"
#include "clients/results/summary.hpp"

namespace pitboss::clients {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* results_name = "evaluation.json";

std::string network_player(const RunFolder& run, int generation) {
  return "name=g" + generation_text(generation) +
         " selection=puct evaluation=network network=" + generation_text(generation) +
         " simulations=" + std::to_string(run.settings().evaluation.simulations) + " " +
         run.settings().self_play.options;
}

Experiment experiment_of(const RunFolder& run, int generation, const Address& server) {
  const EvaluationSettings& settings = run.settings().evaluation;
  Match match;
  set_game(match, run.settings().game);
  match.openings = settings.random_plies == 0
                       ? Openings{}
                       : parse_openings("random:" + std::to_string(settings.random_plies),
                                        *match.initial_position(), {});
  match.seed = run.settings().seed;
  match.games = std::max(1, settings.games / match.round()) * match.round();
  match.players[0] = parse_player(network_player(run, generation), {server});
  Experiment experiment;
  experiment.name = "generation " + std::to_string(generation);
  if (!settings.anchor.empty()) {
    match.players[1] = parse_player("name=anchor " + settings.anchor, {server});
    experiment.matches.push_back(match);
  }
  const int earlier = generation - settings.earlier;
  if (settings.earlier > 0 && earlier >= 0) {
    match.players[1] = parse_player(network_player(run, earlier), {server});
    experiment.matches.push_back(match);
  }
  return experiment;
}

std::string results_text(const Results& results) {
  Json json = Json::array();
  for (const MatchResults& match : results.matches()) {
    const Scores& scores = match.standings().scores();
    const Tally& tally = match.standings().tally(0);
    const Player& opponent = match.match().players[1];
    json.push_back({{"opponent", opponent.name},
                    {"options", options_text(opponent)},
                    {"games", tally.games()},
                    {"wins", tally.wins},
                    {"draws", tally.draws},
                    {"score", scores.mean()},
                    {"interval", {scores.interval().low, scores.interval().high}}});
  }
  return json.dump(1) + "\n";
}

}  // namespace

bool is_evaluated(const TrainingSettings& settings, int generation) {
  const int every = settings.evaluation.every;
  return every > 0 && (generation % every == 0 || generation == settings.generations);
}

std::optional<std::vector<Comparison>> read_evaluation(const RunFolder& run, int generation) {
  const fs::path file = run.evaluation(generation) / results_name;
  if (!fs::exists(file)) return std::nullopt;
  try {
    std::vector<Comparison> all;
    for (const Json& json : Json::parse(read_text_file(file))) {
      Comparison one;
      json.at("opponent").get_to(one.opponent);
      json.at("options").get_to(one.options);
      json.at("games").get_to(one.games);
      json.at("wins").get_to(one.wins);
      json.at("draws").get_to(one.draws);
      json.at("score").get_to(one.score);
      one.interval = {json.at("interval").at(0).get<double>(),
                      json.at("interval").at(1).get<double>()};
      all.push_back(one);
    }
    return all;
  } catch (const Json::exception&) {
    throw UserError(file.string() + " is damaged; remove it, and pitboss train makes it anew");
  }
}

bool evaluate(const RunFolder& run, int generation, int threads,
              const std::function<void(int games, int of)>& on_progress) {
  const OwnDaemon daemon({"--networks", run.networks().string(), "--workers",
                          std::to_string(threads), "--log-level", "error"});
  const Experiment experiment = experiment_of(run, generation, daemon.address());
  if (experiment.matches.empty()) return true;
  Conduct conduct;
  conduct.folder = run.evaluation(generation);
  conduct.handles_signals = true;
  conduct.on_progress = [&](const Results& results) {
    int games = 0;
    for (const MatchResults& match : results.matches()) games += match.standings().games();
    on_progress(games, experiment.games());
  };
  const RunEnd end = run_experiment(experiment, conduct);
  const auto stop = [&](const std::string& why) {
    throw UserError("the evaluation of generation " + std::to_string(generation) + ": " + why);
  };
  if (end.kind == RunEnd::Kind::stopped) stop(end.why);
  if (end.kind != RunEnd::Kind::complete) return false;
  const std::vector<std::string> failed = no_results_of(end.contents.results);
  if (!failed.empty()) stop(failed.front());
  write_records(conduct.folder, end.contents);
  replace_file(conduct.folder / results_name, results_text(end.contents.results));
  return !end.is_asked_to_end;
}

}  // namespace pitboss::clients
