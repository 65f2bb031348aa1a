# breakthrough and knightthrough: moves have two points; reaching the far row wins

game breakthrough
setoption name seed value 1
setoption name simulations value 2000

10 play b d2-e3
#? []

11 play w d7d6
#? []

12 play b e3e3
#? []*

13 undo
#? []

14 moves
#? [d2e3]

15 boardsize 5
#? []

position ..O../X..../...../....O/..X.. b
20 reg_genmove b
#? [a4(a5|b5)]

21 genmove b
#? [a4(a5|b5)]

22 final_score
#? [B\+1]

23 genmove w
#? [resign]

game knightthrough
30 legal_moves
#? [a1b3 a2b4 .*h2g4]

31 perft 2
#? [1600]
