#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>

namespace pitboss::engine {

/// An array of floats that begins with a cache line; all zero at first.
class AlignedFloats {
 public:
  static constexpr std::align_val_t alignment{64};

  AlignedFloats() = default;
  explicit AlignedFloats(std::size_t n)
      : floats_(static_cast<float*>(::operator new(n * sizeof(float), alignment))) {
    std::fill_n(floats_.get(), n, 0.0F);
  }

  [[nodiscard]] float* data() { return floats_.get(); }
  [[nodiscard]] const float* data() const { return floats_.get(); }

 private:
  struct Delete {
    void operator()(float* floats) const { ::operator delete(floats, alignment); }
  };
  std::unique_ptr<float[], Delete> floats_;
};

}  // namespace pitboss::engine
