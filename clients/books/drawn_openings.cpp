#include "clients/books/drawn_openings.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "clients/experiments/derived_seed.hpp"
#include "clients/experiments/openings.hpp"
#include "clients/experiments/user_error.hpp"
#include "engine/leaf/network/symmetry_tables.hpp"

namespace pitboss::clients {

namespace {

/// So many draws in a row that bring nothing new end those of a length.
constexpr int most_vain_draws = 1000;

/// The images under all symmetries of the game, computed once for many positions.
class Images {
 public:
  explicit Images(const games::AnyGame& start) : tables_(engine::symmetry_tables(start)) {}

  [[nodiscard]] std::string least(const games::AnyGame& position) const {
    const auto cells = static_cast<std::size_t>(position.shape().cells());
    std::string planes(static_cast<std::size_t>(position.plane_count()) * cells, '\0');
    position.fill_planes(reinterpret_cast<std::int8_t*>(planes.data()));
    std::string least = planes;
    std::string image(planes.size(), '\0');
    for (const engine::SymmetryTable& table : tables_) {
      for (std::size_t i = 0; i < planes.size(); ++i) {
        const std::size_t cell = i % cells;
        image[i - cell + static_cast<std::size_t>(table.cells[cell])] = planes[i];
      }
      least = std::min(least, image);
    }
    return least;
  }

 private:
  std::vector<engine::SymmetryTable> tables_;
};

}  // namespace

std::string least_image(const games::AnyGame& position) { return Images(position).least(position); }

std::vector<DrawnOpening> draw_openings(const games::AnyGame& start, int turns, std::size_t count,
                                        std::int64_t seed) {
  const Images images(start);
  std::vector<DrawnOpening> candidates;
  std::set<std::string> seen;
  for (; candidates.size() < count && turns <= most_turns; ++turns) {
    const auto own_seed =
        static_cast<std::int64_t>(derived_seed(seed, use_book, static_cast<std::uint64_t>(turns)));
    int vain = 0;
    for (int draw = 0; candidates.size() < count && vain < most_vain_draws; ++draw) {
      std::vector<std::string> moves;
      try {
        moves = draw_opening(start, Openings{turns}, own_seed, draw);
      } catch (const UserError&) {  // no game is that long
        return candidates;
      }
      const auto position = start.clone();
      for (const std::string& move : moves) position->play(move);
      const bool is_new = seen.insert(images.least(*position)).second;
      vain = is_new ? 0 : vain + 1;
      if (is_new) candidates.push_back({std::move(moves), position->position()});
    }
  }
  return candidates;
}

}  // namespace pitboss::clients
