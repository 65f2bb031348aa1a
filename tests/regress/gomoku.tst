# gomoku: the opening gomoku3, five in line

game gomoku
setoption name seed value 1
setoption name simulations value 2000

10 legal_moves
#? [e5]

11 genmove b
#? [e5]

12 play b d4
#? []*

13 boardsize 15
#? []

14 game
#? [gomoku .*size=15.*]

game gomoku opening=free
20 legal_moves
#? [a1 a2 .* j9]

position ........./........./........./........./.OXXXX.../........./..OO.O.../........./......... b
21 reg_genmove b
#? [g5]

position ........./........./........./........./.OXXXX.../........./..OO.O.../........./X........ w
22 reg_genmove w
#? [g5]
