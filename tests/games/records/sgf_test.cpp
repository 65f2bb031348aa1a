#include "games/records/sgf.hpp"

#include <doctest/doctest.h>

#include "games/random.hpp"

using namespace pitboss;
using namespace pitboss::games;
using namespace std::string_literals;

namespace {

/// The games' nodes on one line: "|B=aa,|W=bb,C=a,b,", "&" before each game but the first.
std::string summary(std::string_view text) {
  std::string all;
  for (const SgfGame& game : read_sgf(text)) {
    if (!all.empty()) all += "&";
    for (const SgfNode& node : game.nodes) {
      all += "|";
      for (const SgfProperty& property : node) {
        all += property.name + "=";
        for (const std::string& value : property.values) all += value + ",";
      }
    }
  }
  return all;
}

}  // namespace

TEST_CASE("read_sgf: what SGF allows") {
  struct Row {
    std::string text, nodes;
  };
  const Row rows[] = {
      {"(;)", "|"},
      {"(;GM[1]SZ[9];B[aa];W[])", "|GM=1,SZ=9,|B=aa,|W=,"},
      {" \r\n(\t;AB [aa]\n[bb] [cc] PL[W] ; B[dd] ) ", "|AB=aa,bb,cc,PL=W,|B=dd,"},
      {"\xEF\xBB\xBF(;B[aa])", "|B=aa,"},
      {"(;Black[aa]SiZe[9])", "|B=aa,SZ=9,"},  // as FF[3] writes names
      // Escapes: the character behind a backslash is meant, a line end is none.
      {R"((;C[a\]b\\c\:d]))", R"(|C=a]b\c:d,)"},
      {"(;C[a\\\r\nb\\\nc\nd\r\ne\rf])", "|C=abc\nd\ne\nf,"},
      {"(;C[(;)])", "|C=(;),"},
      // Of variations the first.
      {"(;B[aa](;W[bb];B[cc])(;W[dd]))", "|B=aa,|W=bb,|B=cc,"},
      {"(;B[aa](;W[bb](;B[cc])(;B[ee]))(;W[dd](;B[ff])))", "|B=aa,|W=bb,|B=cc,"},
      // A collection.
      {"(;B[aa])(;W[bb])", "|B=aa,&|W=bb,"},
      {"(;B[aa](;W[bb])(;W[cc]))\nthe next: (;)(;C[)(])\n", "|B=aa,|W=bb,&|&|C=)(,"},
      // Text before, between and behind games.
      {"From: a (friend)\nSee below.\n(;B[aa])", "|B=aa,"},
      {"(;B[aa]) and (whatever) else", "|B=aa,"},
      {"((;B[aa]))", "|B=aa,"},
      {"( \n;B[aa])(", "|B=aa,"},
  };
  for (const Row& r : rows) {
    CAPTURE(r.text);
    CHECK(summary(r.text) == r.nodes);
  }
}

TEST_CASE("read_sgf: what is no SGF is refused") {
  for (const char* text :
       {"", " ", "nonsense", "(", "()", "(;[aa])", "(;b[aa])", "(;B)", "(;B[aa]x)", "(;B[aa]]",
        "(B[aa])", "(;B[aa]())", "(;1[aa])", ";B[aa]", "<xml/>"}) {
    CAPTURE(text);
    CHECK_THROWS_AS((void)read_sgf(text), BadRecord);
  }
  CHECK_THROWS_WITH_AS((void)read_sgf("(;B[aa]\n;W[bb]\n!)"), doctest::Contains("in line 3"),
                       BadRecord);
  const std::string zeros(1000, '\0');
  CHECK_THROWS_AS((void)read_sgf(zeros), BadRecord);
}

TEST_CASE("read_sgf: a text that ends within a game") {
  struct Row {
    std::string text, nodes;
    int line;
  };
  const Row rows[] = {
      {"(;", "|", 1},
      {"(;B[aa]", "|B=aa,", 1},
      {"(;B[aa]\n;W[bb]\n", "|B=aa,|W=bb,", 2},
      {"(;B[aa]\n;W[b", "|B=aa,|", 2},
      {"(;B[aa]\n;W[bb]C[a comment\nof lines", "|B=aa,|W=bb,", 2},
      {"(;B[aa]\n;W[bb]C[\\", "|B=aa,|W=bb,", 2},
      {"(;B[aa]\n;W", "|B=aa,|", 2},
      {"(;B[aa]AB[bb][c", "|B=aa,", 1},
      {"(;B[aa](;W[bb])", "|B=aa,|W=bb,", 1},
      {"(;B[aa](;W[bb])\n(;W[cc", "|B=aa,|W=bb,", 2},
      {"(;B[aa])(;", "|B=aa,&|", 1},
  };
  for (const Row& r : rows) {
    CAPTURE(r.text);
    CHECK(summary(r.text) == r.nodes);
    CHECK(read_sgf(r.text).back().cut_in_line == r.line);
  }
  CHECK(read_sgf("(;B[aa]) and text behind").back().cut_in_line == 0);
}

TEST_CASE("read_sgf: deep, long and random texts") {
  constexpr int depth = 1'000'000;
  std::string deep;
  for (int i = 0; i < depth; ++i) deep += "(;";
  CHECK(read_sgf(deep).front().cut_in_line == 1);
  deep += std::string(depth, ')');
  CHECK(read_sgf(deep).front().nodes.size() == depth);
  CHECK(read_sgf(deep).front().cut_in_line == 0);
  CHECK_THROWS_AS((void)read_sgf(std::string(depth, '(')), BadRecord);
  CHECK(read_sgf("(;C[" + std::string(depth, 'x') + "])")
            .front()
            .nodes.front()
            .front()
            .values.front()
            .size() == depth);

  games::Random random(1);
  constexpr std::string_view likely = "();[]\\BWC \nab";
  int read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text = "(;B";
    for (int n = random.below(30); n > 0; --n) {
      text += random.below(20) == 0 ? static_cast<char>(random.below(256))
                                    : likely[random.below(static_cast<int>(likely.size()))];
    }
    try {
      read += read_sgf(text).empty() ? 0 : 1;
    } catch (const BadRecord&) {
    }
  }
  CHECK(read > 0);
}

TEST_CASE("sgf_value") {
  for (const std::string& text : {""s, "plain"s, "a]b\\c[d"s, "\\"s}) {
    CHECK(read_sgf("(;C" + sgf_value(text) + ")").front().nodes.front().front().values.front() ==
          text);
  }
}
