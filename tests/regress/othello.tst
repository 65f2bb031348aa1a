# othello: passes, the end, the score

game othello
setoption name seed value 1
setoption name simulations value 2000

10 legal_moves
#? [c5 d6 e3 f4]

11 play b d3
#? []*

12 play b e3
#? []

13 perft 3
#? [61]

14 boardsize 6
#? []

15 game
#? [othello size=6]

16 boardsize 7
#? []*

# Black cannot turn a disc and must pass.
game othello size=4
position XXXX/XXXX/XXXX/OOO. b
20 legal_moves
#? [pass]

21 genmove b
#? [pass]

22 legal_moves
#? [pass]

# So must white, and the game is over.
23 genmove w
#? [pass]

24 final_score
#? [B\+9]

25 legal_moves
#? []

# Three points are empty; black has two moves.
game othello size=4
position .OX./XXOX/XOXX/XXXX b
30 legal_moves
#? [a4 d4]
