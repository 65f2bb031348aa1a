"""GTP in front of the crate ai-hex, whose protocol is its own: ai_hex_gtp.py PROGRAM [WORDS OF ITS COMMAND mcts]"""

from __future__ import annotations

import subprocess
import sys

FACTS = {"protocol_version": "2", "name": "ai-hex", "version": "0.1.0"}
COMMANDS = [*FACTS, "list_commands", "boardsize", "clear_board", "play", "genmove", "quit"]


class Refusal(Exception):
    pass


class Program:
    def __init__(self, command: str, search: list[str]) -> None:
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([command], stdin=pipe, stdout=pipe, text=True)
        self.search, self.size, self.moves = " ".join(search), 11, list[str]()

    def told(self, line: str) -> list[str]:
        """What it says to the line, up to the answer to a question behind it."""
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{line}\nisready\n")
        self.process.stdin.flush()
        lines = list(iter(self.process.stdout.readline, "readyok\n"))
        for said in lines:
            if said.startswith("info string error"):
                raise Refusal(said.strip())
        return lines

    def play(self, move: str) -> None:
        moves = " ".join([*self.moves, move])
        self.told(f"position size {self.size} swap off moves {moves}")
        self.moves.append(move)

    def best_move(self) -> str:
        if not self.moves:
            self.told(f"newgame size {self.size} swap off")
        move = next(
            said.split()[1]
            for said in self.told(f"mcts {self.search}")
            if said.startswith("bestmove")
        )
        self.play(move)
        return move

    def answer(self, command: str, arguments: list[str]) -> str:
        if command == "boardsize":
            self.size = int(arguments[0])
        elif command == "clear_board":
            self.moves.clear()
        elif command == "play":
            self.play(arguments[1].lower())
        elif command == "genmove":
            return self.best_move()
        elif command == "list_commands":
            return "\n".join(COMMANDS)
        elif command not in COMMANDS:
            raise Refusal("unknown command")
        return FACTS.get(command, "")


def main() -> None:
    program = Program(sys.argv[1], sys.argv[2:])
    for line in sys.stdin:
        number, command, *arguments = line.split()
        try:
            print(f"={number} {program.answer(command, arguments)}\n", flush=True)
        except Refusal as refusal:
            print(f"?{number} {refusal}\n", flush=True)
        if command == "quit":
            break


if __name__ == "__main__":
    main()
