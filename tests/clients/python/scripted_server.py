"""A server that plays a script: it answers as pitbossd does, until a line comes at which it misbehaves."""

import json
import re
import socket
import threading
import time
from collections.abc import Callable
from types import TracebackType

STATE = {
    "version": 1,
    "rules": "connect4",
    "start": "....... b",
    "position": "....... b",
    "moves": [],
}
SEARCH = {
    "version": 1,
    "move": "a1",
    "value": 0.5,
    "values": {"black": 0.5, "white": 0.5},
    "moves": [
        {
            "move": "a1",
            "visits": 10,
            "value": 0.5,
            "interval": [0.4, 0.6],
            "novelty": 0.0,
            "prior": None,
            "proven": None,
        }
    ],
    "pv": ["a1"],
    "simulations": 10,
    "reused": 0,
    "seconds": 0.01,
    "seed": 7,
    "tree_full": False,
    "options": {},
}
REPORT = {**SEARCH, "sequence": 1, "elapsed": 0.01, "changed": {}}
OPTIONS = {
    "simulations": 5000,
    "movetime": 0,
    "cputime": 0,
    "k": 0.3,
    "ponder": False,
    "preset": "reference",
}
TYPES: dict[str, dict[str, object]] = {
    "simulations": {"type": "spin", "min": 0, "max": 4000000000},
    "movetime": {"type": "spin", "min": 0, "max": 86400000},
    "cputime": {"type": "spin", "min": 0, "max": 86400000},
    "k": {"type": "real", "min": 0, "max": 100},
    "ponder": {"type": "check"},
    "preset": {"type": "combo", "choices": ["reference", "uct"]},
}
LISTED = {
    "version": 1,
    "options": [
        {
            "name": name,
            "choices": [],
            "default": str(OPTIONS[name]).lower(),
            "value": str(OPTIONS[name]).lower(),
            "live": name == "k",
            "help": "what it does",
            **facts,
        }
        for name, facts in TYPES.items()
    ],
}

# What is sent instead of the answer to a line with a number.
FAULTS: dict[str, Callable[[str], bytes]] = {
    "drop": lambda number: b"",
    "half a line": lambda number: f"={number} ...".encode(),
    "garbage": lambda number: b"GET / HTTP/1.1\n\n",
    "no text": lambda number: b"=\xff\xfe\n\n",
    "wrong number": lambda number: b"=2000000000 a1\n\n",
    "nobody asked": lambda number: f"={number} a1\n\n={number} a1\n\n".encode(),
    "a line of 1 MB": lambda number: b"=" + number.encode() + b" " + b"x" * 1_000_000 + b"\n\n",
    "no JSON": lambda number: f'={number} {{"version":1\n\n'.encode(),
    "other JSON": lambda number: f'={number} {{"version":1,"moves":7}}\n\n'.encode(),
    "stall": lambda number: b"",
}
ENDS = {"drop", "half a line"}


class ScriptedServer:
    """Listens on `address`. `lines` are those that came, without their numbers. `answers` may be changed, `seconds`
    tells how long the answers to some commands take, and
    `refusals` names how many connections are refused first. From the first line that `at` matches on it has
    the fault: for a stall, everything is silent."""

    def __init__(self, at: str = "", fault: str = "") -> None:
        self.lines: list[str] = []
        self.answers = {
            "version": "0.1.0",
            "state": json.dumps(STATE),
            "list_options": json.dumps(LISTED),
            "kata-get-params": json.dumps(OPTIONS),
            "games": "connect4\nothello",
            "tables": "lab connect4 1 idle",
            "stats": "{}",
            "protocol_version": "2",
            "to_move": "black",
            "reg_genmove": "a1",
            "genmove_analyze": f"\n{json.dumps(REPORT)}\nplay a1",
            "last_search": json.dumps(SEARCH),
            "simulate": json.dumps({**SEARCH, "paths": []}),
            "evaluate_many": '{"positions":[{"values":{"black":0.5},"policy":null,"evaluator":"static","network":null}]}',
        }
        self.seconds: dict[str, float] = {}
        self.refusals = 0
        self.connections = 0
        self.at = at
        self.fault = fault
        self.is_stalled = False
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self._listener.getsockname()[1]}"
        self._clients: list[socket.socket] = []
        self._servers: list[threading.Thread] = []
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self) -> "ScriptedServer":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.drop_clients()

    def wait_until_alone(self) -> None:
        """Until all clients have gone, and what served them."""
        end = time.monotonic() + 60
        while any(server.is_alive() for server in self._servers) and time.monotonic() < end:
            time.sleep(0.01)
        self.drop_clients()

    def drop_clients(self) -> None:
        for client in self._clients:
            try:
                client.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # it has ended by itself
            client.close()
        self._clients.clear()

    def _accept(self) -> None:
        while True:
            try:
                client, _ = self._listener.accept()
            except OSError:
                return
            if self.refusals > 0:
                self.refusals -= 1
                client.sendall(b"? too many sessions (limit 1)\n\n")
                client.close()
                continue
            self.connections += 1
            self._clients.append(client)
            self._servers.append(threading.Thread(target=self._serve, args=[client], daemon=True))
            self._servers[-1].start()

    def _serve(self, client: socket.socket) -> None:
        try:
            with client.makefile("rb") as lines:
                analyses = ""
                for raw in lines:
                    number, _, line = raw.decode().strip().partition(" ")
                    if analyses:  # any line ends an analysis
                        client.sendall(b"\n")
                        analyses = ""
                    if not number.isdecimal():
                        continue
                    self.lines.append(line)
                    if self.fault and re.match(self.at, line):
                        if self.fault == "stall":
                            self.is_stalled = True
                        else:
                            client.sendall(FAULTS[self.fault](number))
                        if self.fault in ENDS:
                            client.shutdown(socket.SHUT_RDWR)
                            return
                        continue
                    if self.is_stalled:
                        continue
                    if line.startswith("analyze"):
                        is_bounded = " simulations " in line  # by as many as the report has
                        analyses = "" if is_bounded else number
                        end = "\n" * is_bounded
                        client.sendall(f"={number} \n{json.dumps(REPORT)}\n{end}".encode())
                        continue
                    command = line.split()[0]
                    time.sleep(self.seconds.get(command, 0))
                    answer = self.answers.get(command, "")
                    head = "" if answer.startswith("?") else "="
                    client.sendall(f"{head or '?'}{number} {answer.removeprefix('?')}\n\n".encode())
        except OSError:
            pass  # the client has gone, or the test is over
