#include "clients/players/transcript.hpp"

#include <doctest/doctest.h>

#include <string>

namespace pitboss::clients {

TEST_CASE("Transcript keeps the last lines, marked and printable") {
  Transcript transcript;
  CHECK(transcript.text().empty());
  transcript.sent("genmove b");
  transcript.received("= a\tb\nc\x07");
  CHECK(transcript.text() == "> genmove b\n< = a b\n< c?\n");

  for (int i = 0; i < 1000; ++i) transcript.sent("play b a" + std::to_string(i));
  const std::string text = transcript.text();
  CHECK(text.size() <= Transcript::max_bytes);
  CHECK(text.size() > Transcript::max_bytes - 100);
  CHECK(text.ends_with("> play b a999\n"));
  CHECK(text.starts_with("> play b a"));
}

TEST_CASE("Transcript: a stranger's flood is a few lines") {
  Transcript transcript;
  transcript.sent("name");
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += std::to_string(i) + "\n";
  transcript.received(lines);
  CHECK(transcript.text().ends_with("< 7\n< ...\n"));
  transcript.received(std::string(100000, 'a'));
  CHECK(transcript.text().ends_with(std::string(200, 'a') + "...\n"));
  CHECK(transcript.text().size() <= Transcript::max_bytes);
}

}  // namespace pitboss::clients
