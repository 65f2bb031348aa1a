#include "engine/search/slots.hpp"

#include <string>

namespace pitboss::engine {

void check_options(const Abilities& abilities, const Options& options) {
  const std::string game(abilities.game);
  const bool plays_out = options.evaluation == EvaluatorKind::playout;
  const bool is_informed = options.playout == Playout::informed;
  const bool has_network = options.evaluation == EvaluatorKind::network;
  if (!plays_out && !has_network && !abilities.has_static_value) {
    throw BadOption(game + " has no static value: set evaluation to playout");
  }
  const auto need_playouts = [&](bool is_on, const std::string& what, const char* off) {
    if (is_on && !plays_out) {
      throw BadOption(what + " needs playouts: set evaluation to playout, or " + off);
    }
  };
  need_playouts(options.relative_bonus, "the relative bonus", "relative_bonus to false");
  need_playouts(options.qualitative_bonus, "the qualitative bonus", "qualitative_bonus to false");
  need_playouts(options.mast > 0, "mast", "mast to 0");
  if (options.evaluation_noise > 0 && (plays_out || has_network)) {
    throw BadOption(
        "evaluation_noise is an error of static values: set evaluation to static, or "
        "evaluation_noise to 0");
  }
  if (options.qualitative_bonus && !abilities.has_quality) {
    throw BadOption(game +
                    " has no quality of a finished game: set qualitative_bonus to false "
                    "(relative_bonus needs no quality)");
  }
  if (options.cputime_ms > 0 && options.threads > 1) {
    throw BadOption("cputime bounds one thread: set threads to 1, or cputime to 0");
  }
  if (options.knowledge > 0 && !abilities.has_knowledge) {
    throw BadOption(game + " has no knowledge of positions without search: set knowledge to 0");
  }
  for (std::size_t i = 0; i < estimator_rows().size(); ++i) {
    const EstimatorRow& row = estimator_rows()[i];
    if (!row.needs_target || abilities.has_target) continue;
    if (!options.estimators.has(static_cast<Estimator>(i))) continue;
    throw BadOption(game + " has moves without a target square: take " + std::string(row.name) +
                    " out of estimators");
  }
  if (uses_features(options) && !abilities.has_target) {
    throw BadOption(game + " has moves without a target square, and features need one");
  }
  if (!options.estimators.empty() && plays_out && options.playout == Playout::features) {
    throw BadOption(
        "estimators choose the moves of playouts, so features cannot: set playout to uniform, or "
        "to informed, which leaves them the tree only");
  }
  if (!options.estimators.empty() && options.mast > 0) {
    throw BadOption(
        "estimators choose the moves of playouts, so mast has no part in them: set mast to 0 (the "
        "estimator global is the same table)");
  }
  if (plays_out && is_informed && !abilities.has_informed_move) {
    throw BadOption(game + " has no informed playouts: set playout to uniform");
  }
  if (counts_features(options.novelty) && !abilities.has_features) {
    throw BadOption(game + " has no evaluation features: set novelty to another measure");
  }
}

}  // namespace pitboss::engine
