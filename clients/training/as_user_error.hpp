#pragma once

#include "clients/experiments/user_error.hpp"
#include "clients/players/engine_failure.hpp"
#include "engine/leaf/network/tensor.hpp"
#include "engine/options/options.hpp"

namespace pitboss::clients {

/// Returns what `work` returns. Its failures become UserErrors: options that contradict each other,
/// a network that cannot be used, a program that does not answer.
template <class Work>
auto as_user_error(Work work) {
  try {
    return work();
  } catch (const engine::BadOption& e) {
    throw UserError(e.what());
  } catch (const engine::BadNetwork& e) {
    throw UserError(e.what());
  } catch (const EngineFailure& e) {
    throw UserError(e.what());
  }
}

}  // namespace pitboss::clients
