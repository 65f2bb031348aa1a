# connect4: landing points, the end of the game, tactics

game connect4
setoption name seed value 1
setoption name simulations value 2000

10 legal_moves
#? [a1 b1 c1 d1 e1 f1 g1]

11 play b d
#? []

12 play w D2
#? []

13 play b d4
#? []*

14 play w e1
#? []*

15 moves
#? [d1 d2]

16 final_score
#? []*

17 perft 4
#? [2401]

18 undo
#? []

19 moves
#? [d1]

# Black has three in a row and wins on either side.
position ......./......./......./......./.OOO.../.XXX... b
20 reg_genmove b
#? [a1|e1]

# White must stop a column of three.
position ......./......./......./...X.../...XO../...XO.. w
21 reg_genmove w
#? [d4]

22 genmove w
#? [d4]

23 showboard
#? [[\s\S]*black to move[\s\S]*]

# Four in line end the game: the loser resigns, the winner passes.
clear_board
play b a1
play w b1
play b a2
play w b2
play b a3
play w b3
24 play b a4
#? []

25 legal_moves
#? []

26 final_score
#? [B\+1]

27 genmove w
#? [resign]

28 genmove b
#? [pass]

29 play w b4
#? []*

# A pass after the end is for referees that know only Go; it can be taken back.
30 play w pass
#? []

31 moves
#? [a1 b1 a2 b2 a3 b3 a4 pass pass]

undo
32 undo
#? []

33 moves
#? [a1 b1 a2 b2 a3 b3 a4]

# The board has its only size.
40 boardsize 7
#? []

41 boardsize 19
#? []*
