#pragma once

#include <boost/asio/basic_waitable_timer.hpp>

#include "environment/awake_clock.hpp"

namespace pitboss::protocol {

/// A timer that does not run on while this process stands still.
using AwakeTimer = boost::asio::basic_waitable_timer<environment::AwakeClock>;

}  // namespace pitboss::protocol
