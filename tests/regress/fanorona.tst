# fanorona: chains of captures

game fanorona
setoption name seed value 1
setoption name simulations value 2000

10 perft 4
#? [327]

# The same colour goes on, or passes.
position ........O/........./.O......./........./X.O.....X b
play b a1b1a
12 legal_moves
#? [b1b2a pass]
13 get_position
#? [.* b 1:b1,a1]
play b pass
14 get_position
#? [.* w 2]

# The last man is captured.
position ........./........./........./........./X.O.....X b
20 genmove b
#? [a1b1a]
21 final_score
#? [B\+2]
