# Writes SOURCE, unless it would stay the same: VERSION, and the commit of the repository ROOT or, where there is
# none, of the environment's PITBOSS_COMMIT.
set(commit "$ENV{PITBOSS_COMMIT}")
execute_process(
  COMMAND git -C ${ROOT} describe --always --abbrev=10 --exclude=* --dirty=-modified
  OUTPUT_VARIABLE described OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET RESULT_VARIABLE failed)
if(EXISTS ${ROOT}/.git AND NOT failed)
  set(commit ${described})
endif()
file(CONFIGURE OUTPUT ${SOURCE} CONTENT [[
#include "protocol/version.hpp"

namespace pitboss::protocol {

const std::string_view version = "@VERSION@";
const std::string_view commit = "@commit@";

}  // namespace pitboss::protocol
]] @ONLY)
