#include "clients/experiments/adjudication.hpp"

#include <sstream>

namespace pitboss::clients {

std::string adjudication_text(const Adjudication& rule) {
  std::ostringstream text;
  if (rule.resign_moves > 0) {
    text << "a win after " << rule.resign_moves << " moves at " << rule.resign_value
         << " or less for the loser";
  }
  if (rule.resign_moves > 0 && rule.draw_moves > 0) text << "; ";
  if (rule.draw_moves > 0) {
    text << "a draw after " << rule.draw_moves << " moves within " << rule.draw_margin
         << " of 0.5, from ply " << rule.draw_from_ply;
  }
  return text.str();
}

}  // namespace pitboss::clients
