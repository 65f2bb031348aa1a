#include "protocol/pondering.hpp"

namespace pitboss::protocol {

std::shared_ptr<Pondering> Pondering::begin(const std::shared_ptr<Table>& table) {
  const engine::Options options = table->options();
  if (!options.ponder || !options.reuse_tree || !table->turn().is_free() ||
      table->game().result().finished()) {
    return nullptr;
  }
  auto pondering = std::make_shared<Pondering>(table);
  // What can fail comes before the table is taken, which must be released.
  std::function<void()> yield = [weak = std::weak_ptr(pondering)] {
    const auto it = weak.lock();
    if (!it) return;
    it->table_->interrupt();
    if (it->hurry_) it->hurry_();
  };
  table->begin_pondering();
  table->turn().take("ponder", std::move(yield));
  return pondering;
}

engine::Progress Pondering::work(std::chrono::microseconds slice) noexcept {
  try {
    const auto progress = table_->search(slice);
    if (progress == engine::Progress::done) table_->end_search();
    return progress;
  } catch (const std::exception&) {
    table_->abandon_search();  // no memory for a second tree: the next search begins anew
  }
  return engine::Progress::done;
}

void Pondering::end() {
  ended_ = true;
  table_->end_search();
  table_->turn().release();
}

}  // namespace pitboss::protocol
