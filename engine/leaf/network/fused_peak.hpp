#pragma once

namespace pitboss::engine {

/// Multiplies and adds in registers alone, `steps` times with independent vectors in flight, on the
/// instruction set in use; returns the multiply-adds of single numbers that it made. No kernel
/// makes more in the same time.
double multiply_and_add(int steps);

/// The name of that instruction set.
const char* instruction_set();

}  // namespace pitboss::engine
