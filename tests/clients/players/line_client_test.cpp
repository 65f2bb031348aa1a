#include "clients/players/line_client.hpp"

#include <doctest/doctest.h>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <chrono>
#include <exception>
#include <string>
#include <vector>

#include "clients/players/child_program.hpp"
#include "clients/players/uci_engine.hpp"

namespace pitboss::clients {

namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

/// What a shell script answers to `uci`: the lines with '|' between them, or the failure.
std::string answer_of(const std::string& script, std::chrono::milliseconds timeout = 20s) {
  const std::vector<std::string> command = {"sh", "-c", "read line; " + script};
  asio::io_context io;
  LineClient client(io.get_executor(), uci_asides);
  ChildProgram program(command);
  client.stream().adopt(program.take_streams(io.get_executor()));
  std::string out;
  asio::co_spawn(io, client.ask("uci", "uciok", timeout),
                 [&](std::exception_ptr failure, const std::vector<std::string>& lines) {
                   for (const std::string& line : lines) out += line + "|";
                   try {
                     if (failure) std::rethrow_exception(failure);
                   } catch (const EngineFailure& e) {
                     out = e.what();
                     CHECK_FALSE(client.stream().is_open());
                   }
                 });
  io.run();
  return out;
}

}  // namespace

TEST_CASE("LineClient: answers") {
  CHECK(answer_of("echo \"got $line\"; echo uciok") == "got uci|uciok|");
  CHECK(answer_of("printf 'a\\r\\n\\n  info x\\n uciok \\r\\n'") == "a||uciok|");
  CHECK(answer_of("printf 'uci'; sleep 0.05; printf 'ok\\n'") == "uciok|");
  CHECK(answer_of("echo uciok b; echo uciok c") == "uciok b|");
}

TEST_CASE("LineClient: what info lines have told stays until a later one says it anew") {
  const std::vector<std::string> command = {
      "sh", "-c",
      "read line; echo 'info depth 5 score cp 12 nodes 1234 pv P@a1'; "
      "echo 'info depth 6 currmove P@a1 currmovenumber 3'; echo 'info string nodes 9'; echo uciok; "
      "read line; echo uciok"};
  asio::io_context io;
  LineClient client(io.get_executor(), uci_asides);
  ChildProgram program(command);
  client.stream().adopt(program.take_streams(io.get_executor()));
  const auto ask = [&] {
    asio::co_spawn(io, client.ask("uci", "uciok", 20s), asio::detached);
    io.restart();
    io.run();
  };
  ask();
  CHECK(client.told().nodes() == 1234);
  CHECK(client.told().depth() == 6);
  CHECK(client.told().text() == "depth 6 score cp 12 nodes 1234 pv P@a1");
  CHECK(client.stream().transcript().text().find("< info depth 6 score cp 12 nodes 1234 pv P@a1") !=
        std::string::npos);
  ask();  // another search
  CHECK_FALSE(client.told().nodes());
  CHECK(client.told().text() == "");
}

TEST_CASE("LineClient: failures") {
  CHECK(answer_of("read line", 100ms) == "no answer in 0.1 s");
  CHECK(answer_of("while :; do echo info x; sleep 0.01; done", 100ms) == "no answer in 0.1 s");
  CHECK(answer_of("echo uciokay; printf uciok") == "connection closed");
  CHECK(answer_of("head -c 2000000 /dev/zero | tr '\\0' a; read line") ==
        "garbage: an answer without end");
  CHECK(answer_of("yes \"$(head -c 500 /dev/zero | tr '\\0' b)\"") ==
        "garbage: an answer without end");
}

}  // namespace pitboss::clients
