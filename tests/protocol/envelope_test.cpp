#include "protocol/envelope.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

using namespace pitboss::protocol;

TEST_CASE("line_in_envelope: the id stands before the command") {
  struct Row {
    std::string_view frame;
    std::string_view line;
  };
  for (const Row& row :
       {Row{R"({"id":7,"line":"genmove b"})", "7 genmove b"},
        Row{R"( { "line" : "name" , "id" : 0 } )", "0 name"},
        Row{R"({"id":2147483647,"line":" play b d3 # why"})", "2147483647  play b d3 # why"},
        // A second id makes an unknown command, not another command's answer.
        Row{R"({"id":7,"line":"8 name"})", "7 8 name"},
        // No answer, so no id.
        Row{R"({"id":7,"line":""})", ""}, Row{R"({"id":7,"line":" \t"})", " \t"},
        Row{R"({"id":7,"line":"# interrupt"})", "# interrupt"}}) {
    CAPTURE(row.frame);
    CHECK(line_in_envelope(row.frame) == row.line);
  }
}

TEST_CASE("line_in_envelope: what is no envelope") {
  struct Row {
    std::string frame;
    const char* why;
  };
  const Row rows[] = {
      {"", "no JSON:"},
      {"genmove b", "no JSON:"},
      {R"({"id":7,"line":"name")", "no JSON:"},
      {R"({"id":7,"line":"name"}{})", "no JSON:"},
      {R"({"id":7,"line":"\ud800"})", "no JSON:"},
      {"{\"id\":7,\"line\":\"\xff\"}", "no JSON:"},
      {std::string(60000, '['), "no JSON"},
      {"[]", "no JSON object:"},
      {"7", "no JSON object:"},
      {R"("name")", "no JSON object:"},
      {R"({"line":"name"})", "has no id:"},
      {R"({"id":"7","line":"name"})", "has no id:"},
      {R"({"id":7.0,"line":"name"})", "has no id:"},
      {R"({"id":null,"line":"name"})", "has no id:"},
      {R"({"id":{"a":1},"line":"name"})", "has no id:"},
      {R"({"id":-1,"line":"name"})", "out of range:"},
      {R"({"id":2147483648,"line":"name"})", "out of range:"},
      {R"({"id":18446744073709551615,"line":"name"})", "out of range:"},
      {R"({"id":7})", "has no line:"},
      {R"({"id":7,"line":["name"]})", "has no line:"},
      {R"({"id":7,"line":"name\nquit"})", "several lines:"},
      // Refused where they begin, however long and wrong the rest is.
      {R"({"id":7,"line":"name","time":3})", "more than one id and one line:"},
      {R"({"time":3 and no JSON)", "more than one id and one line:"},
      {R"({"id":7,"id":8 and no JSON)", "more than one id and one line:"},
      {R"({"id":[ and no JSON)", "has no id:"},
      {R"({"line":{ and no JSON)", "has no line:"},
  };
  for (const Row& row : rows) {
    CAPTURE(row.frame.substr(0, 60));
    CHECK_THROWS_WITH_AS(static_cast<void>(line_in_envelope(row.frame)), doctest::Contains(row.why),
                         BadEnvelope);
  }
}

TEST_CASE("envelopes of answers: one line each, whatever the text") {
  CHECK(success_envelope("7", "d3") == "{\"id\":7,\"ok\":true,\"text\":\"d3\"}\n");
  CHECK(success_envelope("7", "a\n\"b\"\n") ==
        "{\"id\":7,\"ok\":true,\"text\":\"a\\n\\\"b\\\"\\n\"}\n");
  CHECK(failure_envelope("0", FailureCode::busy, "wait") ==
        "{\"id\":0,\"ok\":false,\"code\":\"busy\",\"text\":\"wait\"}\n");
  CHECK(failure_envelope("", FailureCode::internal, "internal error") ==
        "{\"id\":null,\"ok\":false,\"code\":\"internal\",\"text\":\"internal error\"}\n");
  CHECK(update_envelope("7", "{}") == "{\"id\":7,\"update\":\"{}\"}\n");
  CHECK(with_id("8", update_without_id("x")) == update_envelope("8", "x"));
  CHECK(success_envelope("7", "\xff") == "{\"id\":7,\"ok\":true,\"text\":\"\xef\xbf\xbd\"}\n");
  CHECK(failure_envelope("7", FailureCode::limit, std::string(1000, 'x')).size() < 400);
}
