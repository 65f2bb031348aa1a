#include "clients/pitboss/commands.hpp"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <sys/time.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/write.hpp>
#include <chrono>
#include <csignal>
#include <string>
#include <thread>
#include <vector>

#include "tests/clients/pitboss/words.hpp"
#include "tests/folders.hpp"
#include "tests/peers/process.hpp"
#include "tests/server/daemon.hpp"

// The bridge as a GUI starts it, with pipes, and servers good and bad.

namespace pitboss::clients {

namespace asio = boost::asio;
using asio::ip::tcp;
using namespace std::chrono_literals;
using peers::Process;
using tests::Daemon;

namespace {

Words gtp_words(const std::string& server, const Words& more = {}) {
  Words words{tests::bin_folder() + "/pitboss", "gtp", "--connect", server};
  words.insert(words.end(), more.begin(), more.end());
  return words;
}

/// The next answer: its first line, behind which an empty one must come.
std::string answer(Process& gui) {
  const std::string line = gui.output_line();
  CHECK(gui.output_line().empty());
  return line;
}

/// A server that does what the test says, to one connection.
class Host {
 public:
  [[nodiscard]] std::string address() const {
    return "127.0.0.1:" + std::to_string(acceptor_.local_endpoint().port());
  }
  void accept() {
    acceptor_.accept(socket_);
    const timeval limit{20, 0};
    ::setsockopt(socket_.native_handle(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    ::setsockopt(socket_.native_handle(), SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
  }
  /// The next line, with its line feed; at the end of input what there is.
  std::string line() {
    boost::system::error_code error;
    const auto size = asio::read_until(socket_, asio::dynamic_buffer(input_), '\n', error);
    const std::string text = input_.substr(0, error ? input_.size() : size);
    input_.erase(0, text.size());
    return text;
  }
  void write(const std::string& text) { asio::write(socket_, asio::buffer(text)); }
  void reset() {
    socket_.set_option(asio::socket_base::linger(true, 0));
    socket_.close();
  }
  void close() { socket_.close(); }

 private:
  asio::io_context io_;
  tcp::acceptor acceptor_{io_, tcp::endpoint(asio::ip::address_v4::loopback(), 0)};
  tcp::socket socket_{io_};
  std::string input_;
};

}  // namespace

TEST_CASE("pitboss gtp: a game by pipes") {
  Daemon daemon;
  const std::string server = Daemon::address_of(daemon.output_line());
  Process gui(gtp_words(
      server, {"--game", "othello size=6", "--set", "alpha=0.02", "--set", "simulations=50"}));
  gui.write("1 game\n");
  CHECK(answer(gui) == "=1 othello size=6");
  gui.write("getoption alpha\nnonsense\n");
  CHECK(answer(gui) == "= 0.02");
  CHECK(answer(gui).starts_with("? unknown command"));
  gui.write("genmove b\n");
  CHECK(answer(gui).starts_with("= "));
  gui.write("quit\n");
  CHECK(answer(gui) == "= ");
  CHECK(gui.wait() == 0);
  CHECK(gui.output().empty());
  CHECK(gui.errors().empty());
}

TEST_CASE("pitboss gtp: a game with parameters, quoted or not") {
  Daemon daemon;
  const std::string server = Daemon::address_of(daemon.output_line());
  for (const Words& words : {Words{"--game", "hex", "size=7", "--set", "alpha=0.02"},
                             Words{"--set", "alpha=0.02", "--game", "hex", "size=7", "swap=off"},
                             Words{"--game=hex", "size=7"}, Words{"--game", "hex size=7"}}) {
    Process gui(gtp_words(server, words));
    gui.write("game\nquit\n");
    CHECK(answer(gui) == "= hex size=7 swap=off");
    CHECK(gui.wait() == 0);
  }
}

TEST_CASE("pitboss gtp: after the end of input the answers still come") {
  Daemon daemon;
  Process gui(gtp_words(Daemon::address_of(daemon.output_line()), {"--set", "movetime=300"}));
  gui.write("setoption simulations 0\n1 genmove b\n2 name");
  gui.end_input();
  CHECK(gui.wait() == 0);
  CHECK(gui.output().starts_with("= \n\n=1 "));
  CHECK(gui.output().ends_with("=2 Pitboss\n\n"));
}

TEST_CASE("pitboss gtp: the interrupt arrives while a search runs") {
  Daemon daemon;
  Process gui(gtp_words(Daemon::address_of(daemon.output_line()),
                        {"--set", "simulations=0", "--set", "movetime=86400000"}));
  gui.write("name\n");
  CHECK(answer(gui) == "= Pitboss");
  gui.write("genmove b\n");
  CHECK_THROWS(gui.output_line(200ms));
  gui.write("# interrupt\n");
  CHECK(answer(gui).starts_with("= "));
}

TEST_CASE("pitboss gtp: a GUI that goes away") {
  Daemon daemon;
  Process gui(gtp_words(Daemon::address_of(daemon.output_line()),
                        {"--set", "simulations=0", "--set", "movetime=86400000"}));
  gui.write("name\ngenmove b\n");
  CHECK(answer(gui) == "= Pitboss");
  SUBCASE("closes both pipes") {
    gui.end_input();
    gui.close_output();
    CHECK(gui.wait() == 1);
  }
  SUBCASE("closes only the one it reads") {
    gui.close_output();
    CHECK(gui.wait() == 1);
  }
  SUBCASE("ends it") {
    gui.signal(SIGTERM);
    CHECK(gui.wait() == 128 + SIGTERM);
  }
}

TEST_CASE("pitboss gtp: a set-up that fails") {
  Daemon daemon;
  const std::string server = Daemon::address_of(daemon.output_line());
  struct Row {
    Words words;
    const char* says;
  };
  const Row rows[] = {
      {{"--game", "checkers"}, "refused: game checkers"},
      {{"--game", "hex", "sizes=7"}, "hex has no parameter 'sizes'"},
      {{"--game", "hex", "seven"}, "--game hex: 'seven' must be KEY=VALUE"},
      {{"--set", "alpha=much"}, "refused: setoption name alpha value much"},
      {{"--set", "alpha"}, "NAME=VALUE"},
      {{"--set", "=1"}, "NAME=VALUE"},
      {{"--game", "othello\nquit"}, "control characters"},
      {{"--connect", "127.0.0.1"}, "cannot be specified more than once"},
      {{"--wait", "-1"}, "--wait"},
      {{"stray"}, "unexpected word 'stray'"},
  };
  for (const Row& row : rows) {
    Process gui(gtp_words(server, row.words));
    CHECK(gui.wait() == 2);
    CHECK(gui.errors().starts_with("pitboss: "));
    CHECK_MESSAGE(gui.errors().find(row.says) != std::string::npos, gui.errors());
    CHECK(gui.output().empty());
  }
}

TEST_CASE("pitboss gtp --wait") {
  std::string address;
  {
    const Host host;
    address = host.address();
  }
  Process hasty(gtp_words(address));
  CHECK(hasty.wait() == 2);
  CHECK(hasty.errors().find("no daemon at " + address) != std::string::npos);
  Process short_of_time(gtp_words(address, {"--wait", "0.3"}));
  CHECK(short_of_time.wait() == 2);

  Process patient(gtp_words(address, {"--wait", "20"}));
  patient.write("name\n");
  CHECK_THROWS(patient.output_line(300ms));
  const Daemon daemon({"--listen", address});
  CHECK(answer(patient) == "= Pitboss");
}

TEST_CASE("pitboss gtp: live graphics go to standard error") {
  Host host;
  Process gui(gtp_words(host.address()));
  host.accept();
  gui.write("genmove b\n");
  CHECK(host.line() == "genmove b\n");
  host.write("gogui-gfx: TEXT thinking\n");
  CHECK(gui.error_line() == "gogui-gfx: TEXT thinking");
  host.write("gogui-gfx:\nVAR b d3\nTEXT still");
  host.write(" thinking\n\n= d3\n\n");
  CHECK(gui.error_line() == "gogui-gfx:");
  CHECK(gui.error_line() == "VAR b d3");
  CHECK(gui.error_line() == "TEXT still thinking");
  CHECK(answer(gui) == "= d3");
  gui.end_input();
  CHECK(host.line().empty());
  host.close();
  CHECK(gui.wait() == 0);
  CHECK(gui.errors() == "\n");
}

TEST_CASE("pitboss gtp: graphics stay where HexGui reads them") {
  Host host;
  Process gui(gtp_words(host.address(), {"--dialect", "hexgui"}));
  host.accept();
  for (const char* line : {"1 error_codes on\n", "2 dialect hexgui\n", "3 error_codes off\n"}) {
    const std::string received = host.line();
    CHECK(received == line);
    host.write("=" + received.substr(0, 2) + "\n\n");
  }
  gui.write("genmove black\n");
  CHECK(host.line() == "genmove black\n");
  host.write("gogui-gfx: TEXT thinking\n= a1\n\n");
  gui.end_input();
  CHECK(host.line().empty());
  host.close();
  CHECK(gui.wait() == 0);
  CHECK(gui.output() == "gogui-gfx: TEXT thinking\n= a1\n\n");
  CHECK(gui.errors().empty());
}

TEST_CASE("pitboss gtp: the order of the set-up") {
  Host host;
  const Process gui(
      gtp_words(host.address(), {"--live-graphics", "--set", "k=1", "--set", "seed=2", "--dialect",
                                 "gogui", "--game", "hex size=5", "--attach", "table"}));
  host.accept();
  for (const char* line :
       {"1 error_codes on\n", "2 attach table\n", "3 game hex size=5\n",
        "4 setoption name k value 1\n", "5 setoption name seed value 2\n", "6 dialect gogui\n",
        "7 pitboss-live_graphics on\n", "8 error_codes off\n"}) {
    const std::string received = host.line();
    CHECK(received == line);
    host.write("=" + received.substr(0, 2) + "\n\n");
  }
}

TEST_CASE("pitboss gtp: graphics that nobody reads do not hold up the answers") {
  Host host;
  Process gui(gtp_words(host.address()));
  host.accept();
  const std::string block = "gogui-gfx: TEXT " + std::string(1000, 'a') + "\n";
  // More than the pipe takes; only standard output is read meanwhile.
  for (int i = 0; i < 1000; ++i) host.write(block);
  host.write("gogui-gfx: TEXT last\n");
  gui.write("name\n");
  CHECK(host.line() == "name\n");
  host.write("= a\n\n");
  CHECK(answer(gui) == "= a");
  for (std::string line; line != "gogui-gfx: TEXT last";) {
    line = gui.error_line();
    CHECK(line.starts_with("gogui-gfx: TEXT "));
  }
}

TEST_CASE("pitboss gtp: a lost connection") {
  Host host;
  Process gui(gtp_words(host.address()));
  host.accept();
  gui.write("genmove b\n");
  CHECK(host.line() == "genmove b\n");
  SUBCASE("broken") { host.reset(); }
  SUBCASE("closed before the answer") { host.close(); }
  SUBCASE("closed within the answer") {
    host.write("= d");
    CHECK_THROWS(gui.output_line(100ms));
    host.close();
  }
  SUBCASE("broken while nothing is asked") {
    host.write("= d3\n\n");
    CHECK(answer(gui) == "= d3");
    host.reset();
  }
  CHECK(gui.wait() == 1);
  CHECK(gui.errors().find("connection to " + host.address() + " lost") != std::string::npos);
}

TEST_CASE("pitboss gtp: a server that closes unasked") {
  Host host;
  Process gui(gtp_words(host.address()));
  host.accept();
  gui.write("name\n");
  CHECK(host.line() == "name\n");
  host.write("= a\n\n");
  CHECK(answer(gui) == "= a");
  host.close();
  CHECK(gui.wait() == 1);
  CHECK(gui.errors() ==
        "pitboss: " + host.address() +
            " has closed the connection: the server ends, or nothing was asked for too "
            "long\n");
}

TEST_CASE("pitboss gtp: bytes of any kind and length pass in both directions") {
  Host host;
  Process gui(gtp_words(host.address()));
  host.accept();
  const std::string up = "a\x01\xff\r b" + std::string(300'000, 'u') + "\n";
  const std::string down = "? \x01\xff\r" + std::string(3'000'000, 'd') + "\n\n";
  gui.write("name\n" + up.substr(0, 10));
  CHECK(host.line() == "name\n");
  gui.write(up.substr(10));
  CHECK(host.line() == up);
  host.write("=\n\n");
  CHECK(answer(gui) == "=");
  host.write(down.substr(0, 100'000));  // without a line feed: passed on all the same
  gui.end_input();
  CHECK(host.line().empty());
  CHECK_THROWS(gui.output_line(100ms));
  // The rest is more than pipe and socket hold, so it is written while the test waits for the end.
  std::jthread writer([&] {
    host.write(down.substr(100'000));
    host.close();
  });
  CHECK(gui.wait() == 0);
  CHECK(gui.output() == down);
}

}  // namespace pitboss::clients
