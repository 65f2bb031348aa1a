#include "clients/referee/ledger/ledger_place.hpp"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string_view>
#include <system_error>
#include <utility>

#include "clients/experiments/user_error.hpp"
#include "clients/experiments/user_path.hpp"
#include "clients/referee/ledger/libpq.hpp"

namespace pitboss::clients {

namespace {

/// Whether PostgreSQL takes it for the name of a schema of ours.
bool may_be_name(const std::string& name) {
  constexpr std::size_t longest = 63;  // bytes
  return name.size() <= longest && !name.starts_with("pg_") && name != "public" &&
         name != "information_schema" && std::ranges::none_of(name, [](char c) {
           return static_cast<unsigned char>(c) < ' ' || c == '\x7f';
         });
}

bool is_url(const std::string& text) {
  return text.starts_with("postgresql://") || text.starts_with("postgres://");
}

/// The URL without its parameter `passfile`.
std::string without_passfile(const std::string& url) {
  const std::size_t question = url.find('?');
  std::string out = url.substr(0, question);
  char before = '?';
  for (std::size_t at = question; at < url.size();) {
    const std::size_t end = std::min(url.find('&', at + 1), url.size());
    const std::string parameter = url.substr(at + 1, end - at - 1);
    if (!parameter.starts_with("passfile=")) {
      out += before + parameter;
      before = '&';
    }
    at = end;
  }
  return out;
}

std::string first_line(std::string_view text) {
  return std::string(text.substr(0, text.find('\n')));
}

}  // namespace

DatabasePlace::DatabasePlace(std::string url, std::string name)
    : url_(std::move(url)), name_(std::move(name)) {
  char* error = nullptr;
  const Libpq& pq = libpq();
  const std::unique_ptr<PQconninfoOption, decltype(PQconninfoFree)*> options(
      pq.parse_url(url_.c_str(), &error), pq.free_parameters);
  const std::unique_ptr<char, decltype(PQfreemem)*> freed(error, pq.free);
  require(
      is_url(url_) && options != nullptr,
      "\"" + url_ + "\" is no URL of a database: " +
          (error != nullptr ? first_line(error) : "expected postgresql://USER@HOST:PORT/DATABASE"));
  for (const auto* option = options.get(); option->keyword != nullptr; ++option) {
    require(std::string_view(option->keyword) != "password" || option->val == nullptr,
            "the URL of the database holds a password, which others could see: set PGPASSWORD, or "
            "put it into ~/.pgpass");
    // With a file that this machine does not have libpq would look nowhere else.
    std::error_code ignored;
    const bool is_missing = std::string_view(option->keyword) == "passfile" &&
                            option->val != nullptr &&
                            !std::filesystem::exists(option->val, ignored);
    if (is_missing) url_ = without_passfile(url_);
  }
  require(may_be_name(name_), "\"" + name_ +
                                  "\" cannot name an experiment in a database: at most 63 bytes "
                                  "without control characters, not public, "
                                  "information_schema, or pg_...");
}

std::string DatabasePlace::address() const { return url_.substr(0, url_.find('?')) + "#" + name_; }

std::string name_of(const std::string& experiment, const LedgerPlace& place) {
  if (!experiment.empty()) return experiment;
  const auto* database = std::get_if<DatabasePlace>(&place);
  if (database != nullptr) return database->name();
  return (std::get<std::filesystem::path>(place) / "").lexically_normal().parent_path().filename();
}

LedgerPlace parse_place(const std::string& text) {
  if (!is_url(text)) return user_path(text);
  const std::size_t end = text.find('#');
  return DatabasePlace(text.substr(0, end),
                       end == std::string::npos ? std::string() : text.substr(end + 1));
}

std::string text_of(const LedgerPlace& place) {
  if (const auto* folder = std::get_if<std::filesystem::path>(&place)) return folder->string();
  const auto& database = std::get<DatabasePlace>(place);
  return database.is_named() ? database.url() + "#" + database.name() : database.url();
}

}  // namespace pitboss::clients
