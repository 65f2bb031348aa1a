"""Plays one game by a daemon whose searches are evaluated by a server alone: play_game.py PITBOSSD
NETWORKS GAME HOST:PORT. Fails unless the game ends and the server has made every evaluation."""

import json
import socket
import subprocess
import sys
from collections import Counter

OPTIONS = {
    "evaluation": "network",
    "selection": "puct",
    "evaluator": "remote",
    "simulations": 200,
    "in_flight": 4,
    "seed": 1,
}


class Session:
    def __init__(self, address):
        host, port = address.rsplit(":", 1)
        self.stream = socket.create_connection((host, int(port)), timeout=300).makefile("rw")

    def ask(self, command):
        self.stream.write(command + "\n")
        self.stream.flush()
        lines = []
        while line := self.stream.readline().rstrip("\n"):
            lines.append(line)
        answer = "\n".join(lines)
        if not answer.startswith("="):
            sys.exit(f"{command}: {answer}")
        return answer[1:].strip()


def main(daemon, networks, game, server):
    command = [daemon, "--listen", f"127.0.0.1:0={game}", "--networks", networks]
    command += ["--evaluator", f"grpc://{server}", "--evaluator-fallback", "fail"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            session = Session(process.stdout.readline().split()[1])
            for name, value in {**OPTIONS, "network": game}.items():
                session.ask(f"setoption {name} {value}")
            evaluations = Counter()
            colours = ["b", "w"]
            while session.ask("legal_moves"):
                session.ask(f"genmove {colours[0]}")
                colours.reverse()
                evaluations.update(json.loads(session.ask("last_search"))["evaluations"])
            print("moves:", session.ask("moves"))
            print("score:", session.ask("final_score"))
            print("evaluations:", dict(evaluations))
            print("evaluators:", session.ask("evaluators"))
        finally:
            process.terminate()
    return 0 if evaluations["remote"] > 0 and not evaluations["local"] else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
