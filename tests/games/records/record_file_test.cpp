#include "games/records/record_file.hpp"

#include <doctest/doctest.h>

#include <string>

#include "games/records/game_record.hpp"
#include "tests/games/set_up.hpp"

using namespace pitboss::games;
using namespace std::string_literals;

namespace {

ReadRecord read(std::string_view text, std::string_view now = "connect4") {
  return record_from_sgf(read_records(text).front(), *game_of(now));
}

}  // namespace

TEST_CASE("read_records: GGF") {
  // As GGS writes it, and as NBoard does, with the squares in one word and capitals.
  constexpr std::string_view rows =
      "-------- -------- -------- ---O*--- ---*O--- -------- -------- --------";
  const std::string ggs =
      "(;GM[Othello]PC[GGS/os]DT[2003.03.28_10:36:15.MST]PB[alice]PW[bob]RB[1.5]"
      "TI[05:00//02:00]TY[8]RE[+12.000]BO[8 " +
      std::string(rows) + " *]B[f5//0.01]W[d6/-1.50/2.3]B[c3]W[d3]B[c4];)";
  const std::string nboard =
      "(;GM[Othello]PC[NBoard]PB[alice]PW[bob]RE[?]TI[0]TY[8]BO[8 "
      "---------------------------O*------*O--------------------------- *]"
      "B[F5]W[D6]B[C3//1]W[D3]B[C4];)";
  for (const std::string& text : {ggs, nboard}) {
    CAPTURE(text);
    const ReadRecord record = read(text);
    CHECK(record.game.start->name() == "othello");
    CHECK(record.game.start->position() == make_game("othello")->position());
    CHECK(joined(record.game.moves) == "f4 d3 c6 d6 c5");
    CHECK(record.players == std::array{"alice"s, "bob"s});
    CHECK(record.notes.empty());
  }
  // Two games of a synchronous match, on one line; a board of another start; passes, told or not.
  CHECK(read_records("2 " + ggs + nboard).size() == 2);
  const std::string squares =
      "O*------ -------- -------- ---OO--- ---OO--- -------- -------- --------";
  for (const char* moves : {"B[PA]W[c1]", "B[pass]W[C1//3]", "W[c1]", "B[PA]W[c1]B[PA]W[PA]"}) {
    CAPTURE(moves);
    const ReadRecord record = read("(;GM[Othello]TY[8r2]BO[8 " + squares + " *]" + moves + ";)");
    CHECK(record.game.start->position() ==
          "OX....../......../......../...OO.../...OO.../......../......../........ b");
    CHECK(joined(record.game.moves).starts_with("pass c8"));
  }
  CHECK(read("(;GM[Othello]BO[8 " + squares + " O]W[c1];)").game.start->to_move() == Colour::white);
  for (const std::string& bad :
       {"(;GM[Othello]BO[8 *];)"s, "(;GM[Othello]BO[8 " + squares + "];)",
        "(;GM[Othello]BO[" + squares + " *];)", "(;GM[Othello]BO[999 " + squares + " *];)",
        "(;GM[Othello]BO[8 " + squares + " *]B[i9];)",
        "(;GM[Othello]BO[8 " + squares + " *]B[c1];)",
        "(;GM[Othello]BO[7 " + std::string(49, '-') + " *];)"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS((void)read(bad), BadRecord);
  }
  const ReadRecord cut = read(ggs.substr(0, ggs.find("B[c3]") + 3));
  CHECK(joined(cut.game.moves) == "f4 d3");
  CHECK(cut.notes.size() == 1);
}

TEST_CASE("read_records: PSQ") {
  constexpr std::string_view text =
      "Piskvorky 15x15, 11:11, 0\r\n8,8,0\r\n1,1,1203\r\n15,1,30\r\n9,15,1\r\n-1\r\n"
      "pbrain-one.zip\r\npbrain-two.zip\r\n";
  const ReadRecord record = read(text);
  CHECK(record.game.start->name() == "gomoku");
  CHECK(record.game.start->parameters().text("size") == "15");
  CHECK(record.game.start->parameters().text("opening") == "free");
  CHECK(joined(record.game.moves) == "h8 a15 p15 j1");
  CHECK(record.players == std::array{"pbrain-one.zip"s, "pbrain-two.zip"s});
  CHECK(record.notes.empty());
  CHECK(read("Piskvorky 19x19, 1:1, 0\n-1\n").game.moves.empty());
  for (const char* before :
       {"\n", "\r\n  \t", "\xEF\xBB\xBF", "\xEF\xBB\xBF\n", "\n\xEF\xBB\xBF"}) {
    CAPTURE(before);
    CHECK(joined(read(before + std::string(text)).game.moves) == "h8 a15 p15 j1");
    CHECK(joined(read(before + "(;SZ[7]RU[atarigo size=7];B[dd])"s).game.moves) == "d4");
    CHECK(joined(read(before + "(;GM[Othello]PB[]B[F5];)"s).game.moves) == "f4");
  }
  CHECK(joined(read("Piskvorky 15x15, 11:11, 0\n\n 8,8,0 \n\t1,1,5\n -1\n").game.moves) ==
        "h8 a15");
  CHECK_THROWS_WITH_AS((void)read("\n\nPiskvorky 15x15, 11:11, 0\n8,8,0\nx\n-1\n"),
                       "'x' in line 5 is no move of a record of Piskvork, COLUMN,ROW,MILLISECONDS",
                       BadRecord);
  CHECK(read_records("\n\nPiskvorky 15x15, 11:11, 0\n8,8,0\n1").front().cut_in_line == 4);
  // Pasted, without the end of its last line.
  CHECK(read(text.substr(0, text.size() - 2)).players[1] == "pbrain-two.zip");
  CHECK(read("Piskvorky 19x19, 1:1, 0\n-1").notes.empty());

  struct Row {
    const char* text;
    const char* moves;
    int line;
  };
  const Row cut[] = {
      {"Piskvorky 15x15, 11:11, 0\n8,8,0\n1,1,12", "h8 a15", 3},
      {"Piskvorky 15x15, 11:11, 0\n8,8,0\n1,1", "h8", 2},  // or of row 10 to 15
      {"Piskvorky 15x15, 11:11, 0\n8,8,0\n1", "h8", 2},
      {"Piskvorky 15x15, 11:11, 0\n8,8,0\n", "h8", 2},
      {"Piskvorky 15x15, 11:11, 0", "", 1},
  };
  for (const Row& r : cut) {
    CAPTURE(r.text);
    CHECK(joined(read(r.text).game.moves) == r.moves);
    CHECK(read_records(r.text).front().cut_in_line == r.line);
  }
  for (const char* bad :
       {"Piskvorky", "Piskvorky 15", "Piskvorky 15x15", "Piskvorky axb, 1:1, 0\n-1\n",
        "Piskvorky 15x16, 11:11, 0\n-1\n", "Piskvorky 99x99, 11:11, 0\n-1\n",
        "Piskvorky 15x15, 11:11, 0\n0,1,0\n-1\n", "Piskvorky 15x15, 11:11, 0\n16,1,0\n-1\n",
        "Piskvorky 15x15, 11:11, 0\n8,8,0\n8,8,0\n-1\n", "Piskvorky 15x15, 11:11, 0\nhello\n-1\n",
        "Piskvorky 15x15, 11:11, 0\n99999999999,1,0\n-1\n"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS((void)read(bad), BadRecord);
  }
}

TEST_CASE("read_records: character sets") {
  struct Row {
    std::string bytes;
    std::string name;
  };
  const std::string moves = "SZ[7];B[dd];W[de])";
  const Row rows[] = {
      {"\xEF\xBB\xBF(;PB[M\xC3\xBCller]", "Müller"},
      {"(;PB[M\xC3\xBCller]", "Müller"},
      {"(;CA[UTF-8]PB[M\xC3\xBCller]", "Müller"},
      {"(;CA[ISO-8859-1]PB[M\xFCller]", "Müller"},
      {"(;PB[M\xFCller]", "Müller"},
      {"(;CA[nonsense]PB[M\xFCller]", "Müller"},
      // The second byte of the last character is a backslash of ASCII.
      {"(;CA[Shift_JIS]PB[\x8E\x52\x93\x63\x91\xBE\x95\x5C]", "山田太表"},
      {"(;PB[\x8E\x52\x93\x63\x91\xBE\x98\x59]", "山田太郎"},
      {"(;PB[\x95\x5C]C["
       "\x88\xCD\x8C\xE9\x82\xCC\x96\xBC\x90\x6C\x90\xED\x82\xC5\x95\x5C\x8E\xA6\x82"
       "\xB7\x82\xE9]",
       "表"},
      {"(;CA[GBK]PB[\xCE\xE5\xD7\xD3\xC6\xE5]", "五子棋"},
      {"(;CA[gb2312]PB[\xCE\xE5\xD7\xD3\xC6\xE5]", "五子棋"},
      {"(;PB[\xCE\xE5\xD7\xD3\xC6\xE5\xB1\xC8\xC8\xFC]", "五子棋比赛"},
      {"(;PB[\xC0\xCC\xC3\xA2\xC8\xA3]", "이창호"},
      {"(;CA[KOI8-R]PB[\xE9]", "И"},
      // UTF-8 but for a byte, a character that is cut off, or half a name.
      {"(;PB[M\xC3\xBCller]PW[J\xC3\xBCrgen]C[\xFC]", "Müller"},
      {"(;CA[UTF-8]PB[山田太郎次\xE9\x83]C[\xFF]", "山田太郎次\xEF\xBF\xBD\xEF\xBF\xBD"},
      {"(;CA[GBK]PB[山田太郎\xFF]", "山田太郎\xEF\xBF\xBD"},
      // What was copied from a page that has converted it still tells the old set.
      {"(;CA[Shift_JIS]PB[山田太表]", "山田太表"},
  };
  for (const Row& r : rows) {
    CAPTURE(r.name);
    const ReadRecord record = read(r.bytes + moves, "atarigo size=7");
    CHECK(record.players[0] == r.name);
    CHECK(joined(record.game.moves) == "d4 d3");
  }
  std::string wide = "\xFF\xFE";  // UTF-16, as Windows writes it
  for (const char letter : "(;PB[M\xFCller]" + moves) wide += {letter, '\0'};
  CHECK(read(wide, "atarigo size=7").players[0] == "Müller");
  CHECK(read("(;PB[山田太郎]" + moves.substr(0, moves.size() - 1) + "C[\xE5\xB1", "atarigo size=7")
            .players[0] == "山田太郎");
  CHECK(read("(;PB[a\nb\x01]" + moves, "atarigo size=7").players[0] == "a b ");
}

TEST_CASE("read_records: what the reader tells") {
  const std::string exchanged =
      "white begins in the record, black in this game: colours are exchanged";
  // Little Golem's: the first player is PB, whose moves are W's, and who joins top and bottom.
  const ReadRecord golem = read(
      "(;FF[4]EV[hex.mc.1]PB[first]PW[second]SZ[13]SO[http://"
      "www.littlegolem.com];W[ac];B[gg];W[hf])",
      "hex");
  CHECK(golem.game.start->parameters().text("size") == "13");
  CHECK(joined(golem.game.moves) == "a3 g7 h6");
  CHECK(golem.players == std::array{"first"s, "second"s});
  CHECK(golem.notes == std::vector{exchanged});
  // In others' hex, white joins left and right, and so has won here by the row in the middle.
  for (const std::string moves :
       {";W[a2];B[a1];W[b2];B[b1];W[c2])", ";W[ab];B[aa];W[bb];B[ba];W[cb])"}) {
    const ReadRecord hexgui = read("(;AP[HexGui:0.9]GM[11]SZ[3]PB[b]PW[w]" + moves, "hex");
    CHECK(joined(hexgui.game.moves) == "b1 a1 b2 a2 b3");
    CHECK(last_position(hexgui.game)->result().won_by(Colour::black));
    CHECK(hexgui.players == std::array{"w"s, "b"s});
    CHECK(hexgui.notes ==
          std::vector{exchanged + ", and the board is turned over its long diagonal"});
  }
  const ReadRecord twice =
      read("(;PB[b]PW[a]SZ[15];W[hh];B[ii]\n;W[jj", "gomoku size=15 opening=free");
  CHECK(joined(twice.game.moves) == "h8 j7");
  CHECK(twice.notes == std::vector{exchanged, "the record ends early: it is read to line 2"s});
  // Where the record says who begins, nothing is exchanged.
  CHECK(read("(;SZ[9]HA[2]AB[gc][cg];W[ee])", "atarigo").notes.empty());
  CHECK_THROWS_AS((void)read("(;SZ[9]PL[B];W[ee])", "atarigo"), BadRecord);
  // A move of several points that is cut off is left out.
  CHECK(joined(read("(;SZ[8];B[dg];B[df];W[ab]", "breakthrough").game.moves) == "d2d3");
}

TEST_CASE("file_and_game, chosen_game") {
  const auto split = [](const std::string& word) {
    const auto [file, game] = file_and_game(word);
    return file + "|" + (game ? std::to_string(*game) : "");
  };
  CHECK(split("a.sgf") == "a.sgf|");
  CHECK(split("a.sgf:17") == "a.sgf|17");
  CHECK(split("a:b:0") == "a:b|0");
  CHECK(split("a.sgf:") == "a.sgf:|");
  CHECK(split("a.sgf:1x") == "a.sgf:1x|");
  CHECK(split("a.sgf:1234567") == "a.sgf:1234567|");
  const auto two = read_records("(;SZ[1])(;SZ[2])");
  CHECK(chosen_game(two, 2).nodes.front().front().values.front() == "2");
  CHECK_THROWS_WITH_AS((void)chosen_game(two, std::nullopt),
                       "the text holds 2 games; choose one, from 1 to 2", BadRecord);
  CHECK_THROWS_WITH_AS((void)chosen_game(two, std::nullopt, "a.sgf"),
                       "'a.sgf' holds 2 games; choose one, from a.sgf:1 to a.sgf:2", BadRecord);
  CHECK_THROWS_WITH_AS((void)chosen_game(two, 3), "the text holds 2 games, there is no game 3",
                       BadRecord);
  CHECK_THROWS_AS((void)chosen_game(two, 0), BadRecord);
}

TEST_CASE("read_records: results of GGF") {
  for (const auto& [told, result] :
       {std::pair("+12.000", "B+12"), std::pair("-4.000", "W+4"), std::pair("+64.000:r", "B+R"),
        std::pair("-64.000:t", "W+T"), std::pair("0.000", "0"), std::pair("?", ""),
        std::pair("nan", ""), std::pair("+-3", "")}) {
    CAPTURE(told);
    const std::string board =
        "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *";
    CHECK(read("(;GM[Othello]RE[" + std::string(told) + "]BO[" + board + "]B[f5];)").result ==
          result);
  }
}
