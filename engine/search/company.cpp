#include "engine/search/company.hpp"

#include <exception>

namespace pitboss::engine {

void Company::step(Progress::TimePoint now) {
  std::erase_if(others_, [&](Search* search) {
    try {
      return search->step(batch_, now) == Progress::done;
    } catch (const std::exception&) {
      return true;
    }
  });
  batch_.evaluate();
}

}  // namespace pitboss::engine
