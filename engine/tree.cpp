#include "engine/tree.hpp"

namespace pitboss::engine {

void Tree::reset(std::int64_t megabytes) {
  const std::size_t units = static_cast<std::size_t>(megabytes) * 1024 * 1024 / unit;
  if (units != units_) {
    region_.reset();
    units_ = 0;
    region_.reset(static_cast<std::byte*>(::operator new (units* unit, std::align_val_t{64})));
    units_ = units;
  }
  used_ = 1;
  nodes_ = 0;
  full_ = false;
}

}  // namespace pitboss::engine
