#include "clients/referee/ledger/libpq.hpp"

#include <dlfcn.h>

#include "clients/experiments/user_error.hpp"

namespace pitboss::clients {

namespace {

// It calls the machine's OpenSSL, for which it was made, also where the program has one of its own,
// as in a wheel. The sanitizers do not take that.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr int how = RTLD_NOW | RTLD_LOCAL;
#else
constexpr int how = RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND;
#endif

/// For good.
void* library() {
  void* const loaded = ::dlopen("libpq.so.5", how);
  if (loaded != nullptr) return loaded;
  const std::string why = ::dlerror();  // NOLINT(concurrency-mt-unsafe): of this thread, in glibc
  throw UserError("a ledger in a database needs PostgreSQL's library (Debian's package libpq5): " +
                  why);
}

/// Converts to the type of the function that it is.
struct Symbol {
  void* address;
  template <class Function>
  operator Function*() const {  // NOLINT(google-explicit-constructor)
    return reinterpret_cast<Function*>(address);
  }
};

Libpq load() {
  void* const from = library();
  const auto find = [from](const char* name) {
    const Symbol found{::dlsym(from, name)};
    require(found.address != nullptr, std::string("PostgreSQL's library has no ") + name);
    return found;
  };
  return {
      .clear = find("PQclear"),
      .affected_rows = find("PQcmdTuples"),
      .connect = find("PQconnectdb"),
      .free_parameters = find("PQconninfoFree"),
      .parse_url = find("PQconninfoParse"),
      .error_message = find("PQerrorMessage"),
      .escape_identifier = find("PQescapeIdentifier"),
      .execute = find("PQexec"),
      .execute_with = find("PQexecParams"),
      .finish = find("PQfinish"),
      .free = find("PQfreemem"),
      .type = find("PQftype"),
      .length = find("PQgetlength"),
      .value = find("PQgetvalue"),
      .rows = find("PQntuples"),
      .result_error_field = find("PQresultErrorField"),
      .result_error_message = find("PQresultErrorMessage"),
      .result_status = find("PQresultStatus"),
      .take_notices = find("PQsetNoticeProcessor"),
      .socket = find("PQsocket"),
      .status = find("PQstatus"),
  };
}

}  // namespace

const Libpq& libpq() {
  static const Libpq loaded = load();
  return loaded;
}

}  // namespace pitboss::clients
