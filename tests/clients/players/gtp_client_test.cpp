#include "clients/players/gtp_client.hpp"

#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <exception>
#include <string>

#include "clients/players/child_program.hpp"
#include "tests/clients/run_task.hpp"
#include "tests/peers/peer.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using namespace std::chrono_literals;
using peers::Manner;
using peers::Peer;

namespace {

void run(asio::awaitable<void> task) {
  asio::io_context io;
  clients::run(io, std::move(task));
}

/// What a peer's answer to its first genmove comes to.
asio::awaitable<void> ask_for_move(Address address, std::chrono::milliseconds timeout,
                                   std::string& outcome) {
  GtpClient client(co_await asio::this_coro::executor);
  try {
    co_await client.connect(address, 5s);
    const GtpAnswer answer = co_await client.ask("genmove b", timeout);
    outcome = (answer.ok ? "=" : "?") + answer.text;
    co_await client.ask("name", timeout);
  } catch (const EngineFailure& failure) {
    outcome = failure.what();
    CHECK_FALSE(client.is_connected());
  }
}

std::string outcome_of(Manner manner, std::chrono::milliseconds timeout = 20s) {
  const Peer peer({.manner = manner});
  std::string outcome;
  run(ask_for_move(peer.address(), timeout, outcome));
  return outcome;
}

}  // namespace

TEST_CASE("GtpClient: comments before an answer are no garbage, and tell of the search") {
  struct Row {
    const char* says;  ///< to the first command; to the second "=2 ok"
    const char* outcome;
    const char* told;
  };
  for (const Row& row : {
           Row{"# depth 5 nodes 1234\n# depth 6\n=1 d3\n\n", "d3", "depth 6 nodes 1234"},
           Row{"#\n\n# hello = world\n\n\n=1 d3\n\n", "d3", ""},
           Row{"#nodes 7\r\n=1 d3\r\n\r\n", "d3", "nodes 7"},
           Row{"=1 d3\n# nodes 7\n\n", "d3\n# nodes 7", ""},  // within the answer
           Row{"nodes 7\n\nhello\n=1 d3\n\n", "d3", ""},      // before the first answer
           Row{"nodes 7\n", "garbage: nodes 7", ""},
           Row{"=1 d3\n\nnodes 7\n", "garbage: nodes 7", ""},
       }) {
    CAPTURE(row.says);
    const std::vector<std::string> command = {
        "sh", "-c",
        "read line; printf '" + std::string(row.says) + "'; read line; printf '=2 ok\\n\\n'"};
    asio::io_context io;
    GtpClient client(io.get_executor());
    ChildProgram program(command);
    client.adopt(program.take_streams(io.get_executor()));
    std::string outcome;
    std::string told;
    const auto talk = [&]() -> asio::awaitable<void> {
      try {
        outcome = (co_await client.ask("genmove b", 20s)).text;
        told = client.told().text();
        const GtpAnswer next = co_await client.ask("name", 20s);
        CHECK(next.text == "ok");
        CHECK(client.told().text() == "");
      } catch (const EngineFailure& failure) {
        outcome = failure.what();
      }
    };
    clients::run(io, talk());
    CHECK(outcome == row.outcome);
    CHECK(told == row.told);
  }
}

TEST_CASE("parse_answer") {
  struct Row {
    const char* block;
    bool ok;
    const char* text;
  };
  constexpr Row rows[] = {
      {"=7 d3", true, "d3"},
      {"=7", true, ""},
      {"=7 ", true, ""},
      {"?7 illegal move", false, "illegal move"},
      {"=7   d3  ", true, "d3"},
      {"=7\td3", true, "d3"},
      {"=7 a\nb\nc", true, "a\nb\nc"},
      {"=7\na\nb", true, "\na\nb"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.block);
    const GtpAnswer answer = parse_answer(row.block, 7);
    CHECK(answer.ok == row.ok);
    CHECK(answer.text == row.text);
  }
  for (const char* block : {"", "7 d3", "d3", "= d3", "=8 d3", "=77 d3", "=7d3", "=-7 d3",
                            "=99999999999 d3", "!7 d3"}) {
    CAPTURE(block);
    CHECK_THROWS_AS(static_cast<void>(parse_answer(block, 7)), EngineFailure);
  }
}

TEST_CASE("printable") {
  CHECK(printable("d3") == "d3");
  CHECK(printable("a\tb\nc\x01\x80") == "a b c??");
  CHECK(printable("abcdef", 3) == "abc...");
}

TEST_CASE("seconds_text") {
  CHECK(seconds_text(300s) == "300 s");
  CHECK(seconds_text(250ms) == "0.25 s");
}

TEST_CASE("GtpClient::ask") {
  CHECK(outcome_of(Manner::plays).starts_with("="));
  CHECK(outcome_of(Manner::writes_windows).starts_with("="));
  CHECK(outcome_of(Manner::plays_nothing) == "=");
  CHECK(outcome_of(Manner::refuses) == "?I do not feel like it");
  CHECK(outcome_of(Manner::falls_silent, 200ms) == "no answer in 0.2 s");
  CHECK(outcome_of(Manner::crashes) == "connection closed");
  CHECK(outcome_of(Manner::half_answers) == "connection closed");
  CHECK(outcome_of(Manner::never_ends) == "garbage: an answer without end");
  CHECK(outcome_of(Manner::talks_garbage) == "garbage: Segmentation \"fault\", sorry?");
  CHECK(outcome_of(Manner::forgets_id).starts_with("garbage: = "));
  CHECK(outcome_of(Manner::forgets_id).ends_with(": the answer lacks its id, 1"));
  // Found out at the next command.
  CHECK(outcome_of(Manner::answers_twice).starts_with("garbage: =1 "));
}

TEST_CASE("GtpClient::connect") {
  Address closed;
  {
    const Peer peer;
    closed = peer.address();
  }
  EngineFailure::Kind kind{};
  run([](Address address, EngineFailure::Kind& out) -> asio::awaitable<void> {
    GtpClient client(co_await asio::this_coro::executor);
    try {
      co_await client.connect(address, 5s);
    } catch (const EngineFailure& failure) {
      out = failure.kind();
    }
    CHECK_FALSE(client.is_connected());
  }(closed, kind));
  CHECK(kind == EngineFailure::Kind::unreachable);
}

TEST_CASE("GtpClient can be destroyed while its deadline runs") {
  asio::io_context io;
  const Peer peer({.manner = Manner::falls_silent});
  std::string outcome;
  asio::co_spawn(io, ask_for_move(peer.address(), 20s, outcome), [](std::exception_ptr) {});
  io.run_for(50ms);
  CHECK(outcome.empty());
}

}  // namespace pitboss::clients
