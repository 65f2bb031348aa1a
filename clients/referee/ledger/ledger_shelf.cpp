#include "clients/referee/ledger/ledger_shelf.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "clients/referee/ledger/ledger_schema.hpp"
#include "clients/referee/ledger/postgresql_store.hpp"

namespace pitboss::clients {

namespace {

/// What it asks is answered at once, unlike what a large ledger is asked.
constexpr std::chrono::seconds longest_silence{10};

}  // namespace

LedgerShelf::LedgerShelf(DatabasePlace place) : place_(std::move(place)) {}

LedgerShelf::~LedgerShelf() = default;

std::vector<ShelvedLedger> LedgerShelf::ledgers() {
  std::vector<ShelvedLedger> out;
  try {
    if (store_ == nullptr) store_ = std::make_unique<PostgresqlStore>(DatabasePlace(place_.url()));
    store_->stop_waiting(longest_silence);
    for (std::string& name : store_->ledgers()) {
      if (place_.is_named() && name != place_.name()) continue;
      std::string version = version_of(name);
      out.push_back({DatabasePlace(place_.url(), std::move(name)), std::move(version)});
    }
  } catch (...) {
    store_.reset();
    throw;
  }
  return out;
}

/// Of a ledger that cannot be read, the same until it can.
std::string LedgerShelf::version_of(const std::string& name) {
  try {
    return store_->last_commits(name, ledger_tables.front());
  } catch (const UserError&) {
    static_cast<void>(store_->ledgers());  // throws if all of the database is away
    return "unreadable";
  }
}

std::string version_of_file(const std::filesystem::path& file) {
  std::string out;
  for (const char* part : {"", "-wal"}) {  // what is written goes into the log first
    struct stat about {};
    if (::stat((file.string() + part).c_str(), &about) != 0) continue;
    if (about.st_size == 0) continue;  // an empty log tells nothing
    out += std::to_string(about.st_size) + "/" + std::to_string(about.st_mtim.tv_sec) + "." +
           std::to_string(about.st_mtim.tv_nsec) + " ";
  }
  return out;
}

}  // namespace pitboss::clients
