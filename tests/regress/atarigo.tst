# atarigo: the first capture wins

game atarigo
setoption name seed value 1
setoption name simulations value 2000

10 boardsize 7
#? []

11 perft 2
#? [2352]

position O.....O/......./......./..XOX../...X.../......./....... b
20 reg_genmove b
#? [d5]

position X.....X/......./......./..OXO../...O.../......./......X w
21 genmove w
#? [d5]

22 legal_moves
#? []

23 final_score
#? [W\+1]

24 genmove b
#? [resign]
