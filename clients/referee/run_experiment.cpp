#include "clients/referee/run_experiment.hpp"

#include "clients/referee/run.hpp"

namespace pitboss::clients {

RunEnd run_experiment(const Experiment& experiment, const Conduct& conduct) {
  return Run(experiment, conduct).play();
}

}  // namespace pitboss::clients
