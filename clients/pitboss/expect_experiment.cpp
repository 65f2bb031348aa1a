#include "clients/pitboss/expect_experiment.hpp"

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger.hpp"

namespace pitboss::clients {

void expect_experiment(const DatabasePlace& database, const std::string& name) {
  std::string list;
  for (const std::string& there : ledgers_in(database)) {
    if (there == name) return;
    list += (list.empty() ? "" : ", ") + there;
  }
  throw UserError(database.url() + " holds no experiment " + name +
                  (list.empty() ? ", nor any other" : ", but: " + list));
}

}  // namespace pitboss::clients
