#include "server/net/web_connection.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>

#include "server/page_files.hpp"
#include "tests/server/client.hpp"
#include "tests/server/running_server.hpp"
#include "tests/server/token_file.hpp"
#include "tests/server/web_client.hpp"

using namespace std::chrono_literals;
using pitboss::tests::Client;
using pitboss::tests::eventually;
using pitboss::tests::RunningServer;
using pitboss::tests::TokenFile;
using pitboss::tests::upgrade_request;
using pitboss::tests::WebClient;

namespace {

pitboss::server::Config with_web_page(pitboss::server::Config config = RunningServer::small()) {
  config.listen.push_back({"127.0.0.1", 0, "othello", false, true});
  return config;
}

std::string web_answer(const RunningServer& server, const std::string& request) {
  Client client(server.page_port());
  client.write(request);
  return client.rest();
}

std::string get(const std::string& target, const std::string& headers = "Host: localhost\r\n") {
  return "GET " + target + " HTTP/1.1\r\n" + headers + "\r\n";
}

std::string status_of(const std::string& answer) { return answer.substr(9, 3); }

nlohmann::json update_of(const std::string& frame) {
  const auto json = nlohmann::json::parse(frame);
  REQUIRE_MESSAGE(json.contains("update"), frame);
  return nlohmann::json::parse(json["update"].get<std::string>());
}

/// Whether a session that has nothing to do with the others plays on.
bool plays_on(Client& neighbour) {
  return neighbour.ask("showboard").starts_with("=") && neighbour.ask("genmove").starts_with("=") &&
         neighbour.ask("clear_board").starts_with("=");
}

}  // namespace

TEST_CASE("WebConnection: the files of the page, and nothing else") {
  const RunningServer server(with_web_page());
  for (const auto& file : pitboss::server::page_files()) {
    const std::string path(file.path);
    CAPTURE(path);
    const std::string text = web_answer(server, get(path));
    CHECK(status_of(text) == "200");
    CHECK(text.ends_with("\r\n\r\n" + std::string(file.bytes)));
    for (const char* header : {"Content-Security-Policy: default-src 'self'",
                               "frame-ancestors 'none'", "X-Content-Type-Options: nosniff\r\n",
                               "Referrer-Policy: no-referrer\r\n", "Cache-Control: no-cache\r\n"}) {
      CHECK(text.find(header) != std::string::npos);
    }
    const std::string known =
        "Host: localhost\r\nIf-None-Match: " + std::string(file.etag) + "\r\n";
    const std::string unchanged = web_answer(server, get(path, known));
    CHECK(status_of(unchanged) == "304");
    CHECK(unchanged.ends_with("\r\n\r\n"));

    // Compressed for those who accept that, with a tag of its own.
    const std::string zipped =
        web_answer(server, get(path, "Host: localhost\r\nAccept-Encoding: br, gzip\r\n"));
    CHECK(zipped.find("Content-Encoding: gzip\r\n") != std::string::npos);
    CHECK(zipped.find("Vary: Accept-Encoding\r\n") != std::string::npos);
    CHECK(zipped.find("ETag: " + std::string(file.etag) + "\r\n") == std::string::npos);
    CHECK(zipped.ends_with("\r\n\r\n" + std::string(file.zipped)));
    CHECK(file.zipped.starts_with("\x1f\x8b"));
    CHECK(file.zipped.size() < file.bytes.size() * 3 / 4 + 100);
    const auto asked_with = [&](const char* accepted) {
      return web_answer(
          server,
          get(path, "Host: localhost\r\nAccept-Encoding: " + std::string(accepted) + "\r\n"));
    };
    for (const char* accepted : {"GZIP", "identity;q=0, gzip", "gzip;q=0.001, br;q=0"}) {
      CAPTURE(accepted);
      CHECK(asked_with(accepted).ends_with("\r\n\r\n" + std::string(file.zipped)));
    }
    for (const char* refused : {"", "br", "*", "gzip;q=0", "deflate, gzip;q=0.0", "gzipped"}) {
      CAPTURE(refused);
      CHECK(asked_with(refused).ends_with("\r\n\r\n" + std::string(file.bytes)));
    }
  }
  struct Row {
    std::string request;
    const char* status;
  };
  const Row rows[] = {
      {"HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n", "200"},
      {get("/../etc/passwd"), "404"},
      {get("/%2e%2e/etc/passwd"), "404"},
      {get("//etc/passwd"), "404"},
      {get("/page.js/../../etc/passwd"), "404"},
      {get("/gtp"), "426"},
      {get("/gtp?token=secret"), "400"},
      {get("/?token=secret"), "400"},
      {get("/", ""), "421"},
      {get("/", "Host: attacker.example\r\n"), "421"},
      {"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello", "405"},
      {"genmove b\r\n\r\n", "400"},
      {std::string(100, '\0'), "400"},
      {get("/", "Host: localhost\r\nX: " + std::string(9000, 'x') + "\r\n"), "431"},
      {"GET /" + std::string(100'000, 'x'), "431"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.request.substr(0, 60));
    CHECK(status_of(web_answer(server, row.request)) == row.status);
  }
  // The answer to HEAD has no body.
  CHECK(web_answer(server, rows[0].request).ends_with("\r\n\r\n"));
}

TEST_CASE("WebConnection: who may open a WebSocket") {
  auto config = with_web_page();
  config.http_origins = {"https://board.example.org"};
  const RunningServer server(config);
  const auto status = [&](const std::string& headers, const std::string& host) {
    Client client(server.page_port());
    client.write(upgrade_request(headers, host));
    return status_of(client.line());
  };
  CHECK(status("", "localhost:8080") == "101");  // no browser
  CHECK(status("Origin: http://localhost:8080\r\n", "localhost:8080") == "101");
  CHECK(status("Origin: https://board.example.org\r\n", "board.example.org") == "101");
  CHECK(status("Origin: https://board.example.org\r\n", "localhost") == "101");
  CHECK(status("Origin: http://attacker.example\r\n", "localhost") == "403");
  CHECK(status("Origin: null\r\n", "localhost") == "403");
  CHECK(status("Origin:\r\n", "localhost") == "403");
  // A name that somebody else has pointed here.
  CHECK(status("Origin: http://attacker.example\r\n", "attacker.example") == "421");
}

TEST_CASE("WebConnection: a session in envelopes") {
  const RunningServer server(with_web_page());
  WebClient web(server.page_port());
  CHECK(web.ask(7, "name") == R"({"id":7,"ok":true,"text":"Pitboss"})");
  CHECK(web.ask(8, "legal_moves") == R"({"id":8,"ok":true,"text":"c5 d6 e3 f4"})");
  const auto failure = nlohmann::json::parse(web.ask(9, "play b a1"));
  CHECK(failure["ok"] == false);
  CHECK(failure["code"] == "illegal-move");
  CHECK(failure["text"].get<std::string>().starts_with("illegal move"));
  // Text that looks like HTTP is a line like any other.
  CHECK(nlohmann::json::parse(web.ask(10, "GET / HTTP/1.1"))["code"] == "unknown-command");
  // Fragments, and a ping between them.
  web.send(R"({"id":11,"li)", WebClient::text, false);
  web.send("hello", WebClient::ping);
  web.send(R"(ne":"na)", WebClient::continuation, false);
  web.send(R"(me"})", WebClient::continuation);
  const auto pong = web.frame();
  CHECK(pong.opcode == WebClient::pong);
  CHECK(pong.payload == "hello");
  CHECK(web.frame().payload == R"({"id":11,"ok":true,"text":"Pitboss"})");
  // An analysis tells updates; options that are set meanwhile are answered at once; the next line
  // ends it.
  web.say(12, "analyze json 1");
  CHECK(update_of(web.frame().payload)["sequence"] == 1);
  web.say(13, "setoption alpha 0.5");
  std::string next = web.frame().payload;
  while (next.starts_with(R"({"id":12,"update")")) next = web.frame().payload;
  CHECK(next == R"({"id":13,"ok":true,"text":"in force in the running search"})");
  CHECK(web.frame().payload.starts_with(R"({"id":12,"update")"));
  web.say(14, "stop");
  next = web.frame().payload;
  while (next.starts_with(R"({"id":12,"update")")) next = web.frame().payload;
  CHECK(next == R"({"id":12,"ok":true,"text":""})");
  CHECK(web.frame().payload == R"({"id":14,"ok":true,"text":""})");
  Client administrator(server.port());
  CHECK(administrator.ask("sessions").find("1 127.0.0.1:") != std::string::npos);
  CHECK(administrator.ask("disconnect 1") == "= \n\n");
  CHECK(web.closing() == "1008 an administrator has disconnected it");
}

TEST_CASE("WebConnection: the ends of a session") {
  auto config = with_web_page();
  config.limits.max_sessions = 2;
  RunningServer server(config);
  {
    WebClient web(server.page_port());
    CHECK(web.ask(1, "quit") == R"({"id":1,"ok":true,"text":""})");
    CHECK(web.closing() == "1000");
  }
  {
    WebClient web(server.page_port());
    web.send("\x03\xe8", WebClient::close);
    CHECK(web.closing() == "1000");
  }
  {
    config.limits.idle = 300ms;
    const RunningServer impatient(config);
    WebClient web(impatient.page_port());
    CHECK(web.closing() == "1008 idle");
  }
  REQUIRE(eventually([&] { return server.counts().sockets == 0; }));
  WebClient first(server.page_port());
  std::deque<WebClient> others;
  for (int i = 0; i < 6; ++i) others.emplace_back(server.page_port());
  CHECK(others.back().closing() == "1013 too many sessions (limit 2)");
  server.stop();
  CHECK(first.closing().starts_with("10"));
  CHECK(server.join());
}

TEST_CASE("WebConnection: the server says that it ends") {
  RunningServer server(with_web_page());
  WebClient web(server.page_port());
  web.say(1, "analyze json 1");
  CHECK_FALSE(web.frame().payload.empty());
  server.stop();
  CHECK(web.closing() == "1001 the server ends");
  CHECK(server.join());
}

TEST_CASE("WebConnection: tokens") {
  const TokenFile tokens;
  auto config = with_web_page(tokens.config());
  const RunningServer server(config);
  WebClient web(server.page_port());
  CHECK(nlohmann::json::parse(web.ask(1, "games"))["code"] == "needs-token");
  CHECK(nlohmann::json::parse(web.ask(2, "auth bob"))["code"] == "wrong-token");
  CHECK(web.ask(3, "auth eve").starts_with(R"({"id":3,"ok":true)"));
  CHECK(nlohmann::json::parse(web.ask(4, "genmove"))["code"] == "needs-right");
  config.limits.entry = 1s;
  const RunningServer impatient(config);
  WebClient stranger(impatient.page_port());
  CHECK(stranger.closing() == "1008 no token");
  WebClient guesser(server.page_port());
  for (int i = 0; i < 3; ++i) guesser.say(i, "auth bob");
  CHECK(guesser.closing() == "1008 wrong tokens");
}

TEST_CASE("WebConnection: frames that are none of ours end their session, and no other") {
  const RunningServer server(with_web_page());
  Client neighbour(server.port());
  const auto closed_by = [&](const std::function<void(WebClient&)>& misbehave) {
    WebClient web(server.page_port());
    misbehave(web);
    const std::string closing = web.closing();
    CHECK(plays_on(neighbour));
    return closing;
  };
  CHECK(closed_by([](WebClient& web) { web.send("name", WebClient::binary); }) ==
        "1003 frames must be text");
  CHECK(
      closed_by([](WebClient& web) { web.send("name"); }).starts_with("1007 the frame is no JSON"));
  CHECK(closed_by([](WebClient& web) { web.send("\xff\xfe"); }).starts_with("1007"));
  CHECK(closed_by([](WebClient& web) { web.send(std::string(70'000, ' ')); }) ==
        "1009 a frame must have at most 65536 bytes");
  CHECK(closed_by([](WebClient& web) {
          web.send(std::string(70'000, ' '), WebClient::text, true, 16 << 20);
        }) == "1009 a frame must have at most 65536 bytes");
  CHECK(closed_by([](WebClient& web) {
          web.send(std::string(40'000, ' '), WebClient::text, false);
          web.send(std::string(40'000, ' '), WebClient::continuation, false);
        }) == "1009 a frame must have at most 65536 bytes");
  CHECK(closed_by([](WebClient& web) { web.send("", WebClient::continuation); }) == "1002");
  CHECK(closed_by([](WebClient& web) { web.send(std::string(200, 'x'), WebClient::ping); }) ==
        "1002");
  CHECK(closed_by([](WebClient& web) { web.client.write("genmove b\ngenmove b\n"); }) == "1002");
  // The longest frame that is allowed.
  WebClient web(server.page_port());
  const std::string frame = R"({"id":1,"line":"name"})";
  web.send(frame + std::string(65536 - frame.size(), ' '));
  CHECK(web.frame().payload == R"({"id":1,"ok":true,"text":"Pitboss"})");
}

TEST_CASE("WebConnection: floods and silence cost nobody else") {
  auto config = with_web_page();
  config.limits.entry = 1s;
  config.limits.max_sessions = 8;
  config.limits.write_timeout = 1s;
  const RunningServer server(config);
  Client neighbour(server.port());
  // Sockets that say nothing, or half a request, give way to those who want to enter.
  std::deque<Client> silent;
  for (int i = 0; i < 60; ++i) {
    silent.emplace_back(server.page_port());
    if (i % 2 == 0) silent.back().write("GET / HTTP/1.1\r\nX: ");
  }
  WebClient web(server.page_port());
  CHECK(web.ask(1, "name") == R"({"id":1,"ok":true,"text":"Pitboss"})");
  CHECK(plays_on(neighbour));
  CHECK(eventually([&] { return server.counts().sockets == 2; }));
  // Pings whose answers nobody reads.
  try {
    web.client.timeout = 3s;
    for (;;) web.send(std::string(100, 'x'), WebClient::ping);
  } catch (const std::exception&) {  // the server has cut it, or takes no more
  }
  CHECK(eventually([&] { return server.counts().sessions == 1; }));
  CHECK(plays_on(neighbour));
}

TEST_CASE("WebConnection: a stranger's frames are small") {
  const TokenFile tokens;
  const RunningServer server(with_web_page(tokens.config()));
  WebClient stranger(server.page_port());
  const std::string frame = R"({"id":1,"line":"games"})";
  stranger.send(frame + std::string(4096 - frame.size(), ' '));
  CHECK(nlohmann::json::parse(stranger.frame().payload)["code"] == "needs-token");
  stranger.send(frame + std::string(4097 - frame.size(), ' '));
  CHECK(stranger.closing() == "1009 a frame must have at most 4096 bytes before a token is shown");
  WebClient client(server.page_port());
  CHECK(client.ask(1, "auth eve").starts_with(R"({"id":1,"ok":true)"));
  client.send(frame + std::string(65536 - frame.size(), ' '));
  CHECK(client.frame().payload.starts_with(R"({"id":1,"ok":true)"));
}

TEST_CASE("WebConnection: a frame that comes with the request is answered") {
  const RunningServer server(with_web_page());
  Client client(server.page_port());
  client.write(upgrade_request() + WebClient::frame_bytes(R"({"id":1,"line":"name"})"));
  CHECK(status_of(client.line()) == "101");
  while (client.line() != "\r") continue;
  const std::string answer = R"({"id":1,"ok":true,"text":"Pitboss"})";
  CHECK(client.bytes(2 + answer.size()).substr(2) == answer);
}

TEST_CASE("WebConnection: a client that dies while its lines wait is noticed") {
  for (const bool is_reset : {true, false}) {
    CAPTURE(is_reset);
    const RunningServer server(with_web_page());
    WebClient web(server.page_port());
    CHECK(web.ask(1, "setoption movetime 600000").starts_with(R"({"id":1,"ok":true)"));
    web.say(2, "genmove");
    for (int i = 3; i < 1300; ++i) web.say(i, "name");
    // More wait than are taken; the rest stays in the socket.
    std::this_thread::sleep_for(200ms);
    CHECK(server.counts().searching == 1);
    if (is_reset) {
      web.client.reset();
    } else {
      web.client.close();
    }
    CHECK(eventually([&] { return server.counts().searching == 0; }, 5s));
    CHECK(eventually([&] { return server.counts().sockets == 0; }, 5s));
  }
}

TEST_CASE("WebConnection: a flood of pings ends its session, and costs nobody else") {
  const RunningServer server(with_web_page());
  Client neighbour(server.port());
  WebClient few(server.page_port());
  for (int i = 0; i < 30; ++i) few.send("x", i % 2 == 0 ? WebClient::ping : WebClient::pong);
  for (int i = 0; i < 15; ++i) CHECK(few.frame().opcode == WebClient::pong);
  CHECK(few.ask(1, "name") == R"({"id":1,"ok":true,"text":"Pitboss"})");
  for (const auto kind : {WebClient::ping, WebClient::pong}) {
    WebClient flooding(server.page_port());
    std::string flood;
    for (int i = 0; i < 5000; ++i) flood += WebClient::frame_bytes(std::string(125, 'x'), kind);
    flooding.client.write(flood);
    CHECK(flooding.closing() == "1008 too many pings");
    CHECK(plays_on(neighbour));
  }
  CHECK(few.ask(2, "name") == R"({"id":2,"ok":true,"text":"Pitboss"})");
}

TEST_CASE("watch: several sessions see what happens at a table, and disturb nobody") {
  const RunningServer server(with_web_page());
  WebClient player(server.page_port());
  CHECK(player.ask(1, "attach hall") == R"({"id":1,"ok":true,"text":""})");
  CHECK(player.ask(2, "setoption simulations 2000") == R"({"id":2,"ok":true,"text":""})");
  WebClient watcher(server.page_port());
  CHECK(watcher.ask(1, "attach hall") == R"({"id":1,"ok":true,"text":""})");
  watcher.say(2, "watch");
  Client by_lines(server.port());
  CHECK(by_lines.ask("attach hall") == "= \n\n");
  by_lines.write("3 watch\n");
  CHECK(by_lines.line() == "=3 ");
  // What is there is told first.
  const nlohmann::json position{{"version", 1}, {"event", "position"}};
  CHECK(update_of(watcher.frame().payload) == position);
  CHECK(nlohmann::json::parse(by_lines.line()) == position);

  CHECK(player.ask(3, "setoption alpha 0.25") == R"({"id":3,"ok":true,"text":""})");
  const nlohmann::json options{
      {"version", 1}, {"event", "options"}, {"changed", {{"alpha", "0.25"}}}};
  CHECK(update_of(watcher.frame().payload) == options);
  CHECK(nlohmann::json::parse(by_lines.line()) == options);

  CHECK(player.ask(4, "play d6") == R"({"id":4,"ok":true,"text":""})");
  CHECK(update_of(watcher.frame().payload) == position);
  CHECK(nlohmann::json::parse(by_lines.line()) == position);

  // An analysis goes on while others look at the table.
  player.say(5, "analyze json 1000");
  std::int64_t simulations = 0;
  for (int i = 0; i < 5; ++i) {
    const auto report = update_of(watcher.frame().payload);
    CHECK(report["simulations"].get<std::int64_t>() >= simulations);
    simulations = report["simulations"];
    CHECK(nlohmann::json::parse(by_lines.line())["simulations"] == simulations);  // the same line
  }
  WebClient other(server.page_port());
  CHECK(other.ask(1, "attach hall") == R"({"id":1,"ok":true,"text":""})");
  const auto state = nlohmann::json::parse(other.ask(2, "state"));
  CHECK(state["ok"] == true);
  CHECK(nlohmann::json::parse(state["text"].get<std::string>())["moves"].size() == 1);
  CHECK(nlohmann::json::parse(other.ask(3, "geometry"))["ok"] == true);
  CHECK(update_of(watcher.frame().payload)["simulations"].get<std::int64_t>() > simulations);

  // The next line of a watcher ends its watch alone.
  watcher.say(3, "name");
  std::string next = watcher.frame().payload;
  while (next.starts_with(R"({"id":2,"update")")) next = watcher.frame().payload;
  CHECK(next == R"({"id":2,"ok":true,"text":""})");
  CHECK(watcher.frame().payload == R"({"id":3,"ok":true,"text":"Pitboss"})");
  player.say(6, "stop");
  next = player.frame().payload;
  while (next.starts_with(R"({"id":5,"update")")) next = player.frame().payload;
  CHECK(next.starts_with(R"({"id":5,"ok":true,"text":)"));
}

TEST_CASE("watch: the owner of a table can end it") {
  const TokenFile tokens;
  const RunningServer server(with_web_page(tokens.config()));
  WebClient owner(server.page_port());
  CHECK(owner.ask(1, "auth alice").starts_with(R"({"id":1,"ok":true)"));
  CHECK(owner.ask(2, "attach hall").starts_with(R"({"id":2,"ok":true)"));
  CHECK(owner.ask(3, "share watch").starts_with(R"({"id":3,"ok":true)"));
  WebClient guest(server.page_port());
  CHECK(guest.ask(1, "auth eve").starts_with(R"({"id":1,"ok":true)"));
  CHECK(guest.ask(2, "attach hall").starts_with(R"({"id":2,"ok":true)"));
  guest.say(3, "watch");
  CHECK(update_of(guest.frame().payload)["event"] == "position");
  CHECK(owner.ask(4, "setoption alpha 0.25").starts_with(R"({"id":4,"ok":true)"));
  CHECK(update_of(guest.frame().payload)["event"] == "options");
  CHECK(owner.ask(5, "share nobody").starts_with(R"({"id":5,"ok":true)"));
  CHECK(nlohmann::json::parse(guest.frame().payload)["code"] == "needs-right");
  CHECK(nlohmann::json::parse(guest.ask(4, "watch"))["code"] == "needs-right");
}

TEST_CASE("watch: a slow reader gets the newest report, not a queue") {
  auto config = with_web_page();
  config.limits.write_timeout = 10min;  // a slow machine takes long over what is left
  const RunningServer server(config);
  Client player(server.port());
  CHECK(player.ask("game amazons") == "= \n\n");  // long reports fill the system's buffers soon
  CHECK(player.ask("attach hall") == "= \n\n");
  const auto watching = [&](Client::Pipe pipe) {
    auto client = std::make_unique<WebClient>(server.page_port(), "", "localhost", pipe);
    CHECK(client->ask(1, "attach hall") == R"({"id":1,"ok":true,"text":""})");
    client->say(2, "watch");
    CHECK(update_of(client->frame().payload)["event"] == "position");
    return client;
  };
  const auto fast = watching(Client::Pipe::wide);
  const auto slow = watching(Client::Pipe::narrow);
  Client administrator(server.port());
  const auto waiting = [&] {
    const auto stats = nlohmann::json::parse(administrator.ask("stats").substr(2));
    return stats["pitboss_waiting_answer_bytes"].get<std::int64_t>();
  };
  player.write("analyze json 1000\n");
  const auto simulations = [](WebClient& client) {
    return update_of(client.frame().payload)["simulations"].get<std::int64_t>();
  };
  int made = 0;
  std::size_t bytes = 0;
  std::int64_t largest_wait = 0;
  std::string newest_frame;
  // Until much more has been written than a narrow pipe holds.
  for (; bytes < 2'000'000 && made < 400; ++made) {
    newest_frame = fast->frame().payload;
    bytes += newest_frame.size();
    largest_wait = std::max(largest_wait, waiting());
  }
  CHECK(largest_wait < 2 * static_cast<std::int64_t>(bytes / made));
  CHECK(player.ask("stop").find("\n\n") != std::string::npos);
  fast->say(3, "name");
  for (std::string next = fast->frame().payload; next.starts_with(R"({"id":2,"update")");
       next = fast->frame().payload) {
    newest_frame = next;
    ++made;
  }
  const auto newest = update_of(newest_frame)["simulations"].get<std::int64_t>();
  // The slow one reads on to the newest, and has missed some.
  slow->client.socket().set_option(boost::asio::ip::tcp::socket::receive_buffer_size(1 << 22));
  int seen = 0;
  for (std::int64_t last = -1; last < newest; ++seen) {
    const auto now = simulations(*slow);
    CHECK(now >= last);
    last = now;
  }
  CHECK(seen > 0);
  CHECK(seen < made);
}
