#include "engine/searchers.hpp"

#include "engine/searcher_begin.hpp"
#include "engine/searcher_impl.hpp"
#include "engine/searcher_report.hpp"

namespace pitboss::engine {

template <int Part>
std::unique_ptr<Search> make_searcher(const games::AnyGame& game) {
  std::unique_ptr<Search> search;
  games::AllGames::for_each([&]<class G>(std::type_identity<G>) {
    if constexpr (games::AllGames::place<G>() % searcher_parts == Part) {
      if (const auto* boxed = dynamic_cast<const games::BoxedGame<G>*>(&game)) {
        search = std::make_unique<Searcher<G>>(boxed->game());
      }
    }
  });
  return search;
}

template std::unique_ptr<Search> make_searcher<PITBOSS_SEARCHER_PART>(const games::AnyGame& game);

}  // namespace pitboss::engine
