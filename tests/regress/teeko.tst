# teeko: four in line or in a block

game teeko
setoption name seed value 1
setoption name simulations value 2000

10 perft 3
#? [13800]

position ...OO/...../..O../.O.X./XXX.. b
20 genmove b
#? [d2d1]
21 final_score
#? [B\+1]
22 get_position
#? [...OO/...../..O../.O.../XXXX. w 9]

# Markers are still dropped: black is kept from d1.
30 position O..../...../..O../...../XXX.. w
#? []
31 reg_genmove w
#? [d1]
