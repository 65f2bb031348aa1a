#pragma once

#include <libpq-fe.h>

/// PostgreSQL's library for clients. It is loaded when a database is first asked for: who has none
/// does without it, and without what it needs in its turn (Kerberos, LDAP, GnuTLS). Private to this
/// folder.
namespace pitboss::clients {

/// What we call of it, as libpq-fe.h declares it.
struct Libpq {
  decltype(PQclear)* clear;
  decltype(PQcmdTuples)* affected_rows;
  decltype(PQconnectdb)* connect;
  decltype(PQconninfoFree)* free_parameters;
  decltype(PQconninfoParse)* parse_url;
  decltype(PQerrorMessage)* error_message;
  decltype(PQescapeIdentifier)* escape_identifier;
  decltype(PQexec)* execute;
  decltype(PQexecParams)* execute_with;
  decltype(PQfinish)* finish;
  decltype(PQfreemem)* free;
  decltype(PQftype)* type;
  decltype(PQgetlength)* length;
  decltype(PQgetvalue)* value;
  decltype(PQntuples)* rows;
  decltype(PQresultErrorField)* result_error_field;
  decltype(PQresultErrorMessage)* result_error_message;
  decltype(PQresultStatus)* result_status;
  decltype(PQsetNoticeProcessor)* take_notices;
  decltype(PQsocket)* socket;
  decltype(PQstatus)* status;
};

/// Throws UserError if this machine does not have it.
[[nodiscard]] const Libpq& libpq();

}  // namespace pitboss::clients
