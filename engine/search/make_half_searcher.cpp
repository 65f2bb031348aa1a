#include "engine/leaf/model_source.hpp"
#include "engine/search/make_searcher.hpp"
#include "engine/search/searcher_report.hpp"
#include "engine/search/searcher_run.hpp"
#include "games/amazons.hpp"

namespace pitboss::engine {

template <games::HasHalves G>
std::unique_ptr<Search> make_half_searcher(const G& game, const Models& models,
                                           const std::shared_ptr<MemoryBudget>& budget) {
  using Half = games::Halved<G>;
  auto source = std::make_shared<const ModelSource<Half>>(models);
  return std::make_unique<Searcher<Half>>(Half(game), std::move(source), budget);
}

template std::unique_ptr<Search> make_half_searcher(const games::Amazons& game,
                                                    const Models& models,
                                                    const std::shared_ptr<MemoryBudget>& budget);

}  // namespace pitboss::engine
