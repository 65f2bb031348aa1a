#include <stdexcept>

#include "engine/leaf/remote/evaluator_client.hpp"

namespace pitboss::engine {

bool has_evaluator_client() { return false; }

std::shared_ptr<RemoteService> make_evaluator_client(const EvaluatorSettings& /*settings*/) {
  throw std::runtime_error("this build has no client for remote evaluators (PITBOSS_REMOTE)");
}

}  // namespace pitboss::engine
