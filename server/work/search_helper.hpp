#pragma once

#include <memory>
#include <utility>

#include "engine/search/search.hpp"
#include "server/work/slices.hpp"
#include "server/work/worker_pool.hpp"

namespace pitboss::server {

/// Makes a worker help a search, as its second or later thread, until the search is over.
class SearchHelper final : public WorkerPool::Task {
 public:
  explicit SearchHelper(std::shared_ptr<engine::Search> search) : search_(std::move(search)) {}
  engine::Progress work() noexcept override { return search_->help(slices_.next()); }

 private:
  std::shared_ptr<engine::Search> search_;
  Slices slices_;
};

}  // namespace pitboss::server
