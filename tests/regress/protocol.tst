# What every client asks first. A "?" counts as a failure, so what has to be refused ends in "*".

1 protocol_version
#? [2]

2 name
#? [Pitboss]

3 known_command genmove
#? [true]

4 known_command genmoves
#? [false]

5 list_commands
#? [[\s\S]*quit[\s\S]*boardsize[\s\S]*]

6 games
#? [[\s\S]*connect4[\s\S]*othello[\s\S]*]

7 no_such_command
#? []*

8 play b
#? []*

9 play purple d1
#? []*

# What has failed has changed nothing.
10 moves
#? []

11 komi 6.5
#? []

12 setoption name simulations value 100
#? [(in force from the next search on)?]

13 getoption simulations
#? [100]

14 setoption name simulations value many
#? []*

15 getoption simulations
#? [100]

# A comment # and one behind a command
16 getoption simulations # and its value
#? [100]
