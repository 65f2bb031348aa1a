#pragma once

#include <string>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

/// The sentence of the UserError that ends `work`; empty if none does.
template <class Work>
std::string error_of(Work work) {
  try {
    work();
  } catch (const UserError& e) {
    return e.what();
  }
  return "";
}

}  // namespace pitboss::clients
