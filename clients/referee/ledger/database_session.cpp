#include "clients/referee/ledger/database_session.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <utility>

#include "clients/referee/ledger/libpq.hpp"

namespace pitboss::clients {

int DatabaseAnswer::rows() const { return libpq().rows(result_.get()); }

unsigned int DatabaseAnswer::type(int column) const { return libpq().type(result_.get(), column); }

std::string_view DatabaseAnswer::text(int row, int column) const {
  const auto size = static_cast<std::size_t>(libpq().length(result_.get(), row, column));
  return {libpq().value(result_.get(), row, column), size};
}

std::int64_t DatabaseAnswer::changed_rows() const {
  const std::string_view text = libpq().affected_rows(result_.get());
  std::int64_t out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

DatabaseSession::DatabaseSession(const std::string& url)
    : connection_(libpq().connect(url.c_str()), libpq().finish) {
  if (!is_open()) throw DatabaseFailure(libpq().error_message(connection_.get()), "");
  // Or they would go to standard error.
  libpq().take_notices(
      connection_.get(), [](void*, const char*) {}, nullptr);
}

int DatabaseSession::socket() const { return libpq().socket(connection_.get()); }

bool DatabaseSession::is_open() const { return libpq().status(connection_.get()) == CONNECTION_OK; }

DatabaseAnswer DatabaseSession::run(const std::string& statement,
                                    const std::vector<std::string>& parameters) {
  const Libpq& pq = libpq();
  PGconn* const connection = connection_.get();
  std::vector<const char*> values;
  std::ranges::transform(parameters, std::back_inserter(values),
                         [](const std::string& text) { return text.c_str(); });
  const auto ask = [&] {
    if (values.empty()) return pq.execute(connection, statement.c_str());
    return pq.execute_with(connection, statement.c_str(), static_cast<int>(values.size()), nullptr,
                           values.data(), nullptr, nullptr, 0);
  };
  std::shared_ptr<PGresult> result(ask(), pq.clear);
  const ExecStatusType status = pq.result_status(result.get());
  if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK) {
    const char* const state = pq.result_error_field(result.get(), PG_DIAG_SQLSTATE);
    const bool is_answer = result != nullptr;
    throw DatabaseFailure(
        is_answer ? pq.result_error_message(result.get()) : pq.error_message(connection),
        state != nullptr ? state : "");
  }
  return DatabaseAnswer(std::move(result));
}

std::string DatabaseSession::quoted(const std::string& name) const {
  const std::unique_ptr<char, decltype(PQfreemem)*> text(
      libpq().escape_identifier(connection_.get(), name.data(), name.size()), libpq().free);
  // Which also servers call what is no text of the connection's character set.
  constexpr const char* character_not_in_repertoire = "22021";
  if (text == nullptr) {
    throw DatabaseFailure(libpq().error_message(connection_.get()), character_not_in_repertoire);
  }
  return text.get();
}

}  // namespace pitboss::clients
