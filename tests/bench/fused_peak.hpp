#pragma once

namespace pitboss::bench {

/// Multiplies and adds in registers alone, `steps` times with independent vectors in flight on the
/// best instruction set; returns the multiply-adds of single numbers that it made.
double multiply_and_add(int steps);

/// The name of that instruction set.
const char* instruction_set();

}  // namespace pitboss::bench
