#!/usr/bin/env python3
"""Mixed load against one daemon for some minutes, as `./dev soak` starts it (docs/development.md).

Some clients behave: a GUI's session, a referee, an analysis that streams, a load of short questions, and one
whose answers have to be the same bytes each time. Others do not: they send garbage, half a line, lines
without end, questions whose answers they never read, or connect and leave. At the end the daemon has to
have as many descriptors as at the beginning, no more memory than in the middle, and no error to tell.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

GAMES = "connect4 othello breakthrough atarigo gomoku amazons hex yavalath teeko".split()
MEBIBYTE = 1 << 20
KIBIBYTE = 1 << 10
# Sanitizers and a busy machine may take long for an answer, but not for ever.
PATIENCE = 120.0
# What the C library keeps of the heap goes up and down by this much.
SPARE_MEMORY = 48 * MEBIBYTE


class Client:
    """A client that speaks GTP: one line, one answer."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
        self.stream = self.socket.makefile("rwb")

    def send(self, line):
        self.stream.write(line.encode() + b"\n")
        self.stream.flush()

    def line(self):
        line = self.stream.readline()
        if not line:
            raise ConnectionError("the daemon has closed the connection")
        return line.decode()

    def answer(self):
        lines = []
        while not lines or lines[-1] != "\n":
            lines.append(self.line())
        return "".join(lines[:-1])

    def ask(self, line):
        self.send(line)
        answer = self.answer()
        if not answer.startswith("="):
            raise AssertionError(f"{line}: {answer}")
        return answer[1:].strip()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()


class Soak:
    def __init__(self, arguments, folder):
        self.pitboss = arguments.pitboss
        self.folder = folder
        self.end = threading.Event()
        self.failures = []
        self.rounds = {}
        self.latencies = []
        self.samples = []
        self.transcript = None
        self.log = open(folder / "daemon.log", "w+")
        self.daemon = subprocess.Popen(
            [arguments.daemon, "--listen", "127.0.0.1:0", "--workers", "2", "--memory", "1024"]
            + ["--tree-mb", "16", "--max-sessions", "200", "--idle-seconds", "10"]
            + ["--write-timeout", "5", "--keep-tables", "5", "--log-level", "warning"],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        self.address = self.daemon.stdout.readline().split()[1]
        self.port = int(self.address.rsplit(":", 1)[1])

    # Clients that behave. Each function is one round of one of them.

    def gui(self):
        with Client(self.port) as client:
            client.ask(f"game {random.choice(GAMES)}")
            client.ask("setoption simulations 300")
            for ply in range(12):
                if not client.ask("legal_moves"):
                    break
                client.ask("genmove " + "bw"[ply % 2])
                client.ask("showboard")
                client.ask("last_search")
            client.ask("undo")
            client.ask("quit")

    def same_answers(self):
        with Client(self.port) as client:
            told = []
            for line in ["setoption seed 7", "setoption simulations 2000", "game othello"]:
                client.ask(line)
            for ply in range(6):
                told.append(client.ask("genmove " + "bw"[ply % 2]))
            told.append(client.ask("moves"))
            told.append(client.ask("get_position"))
        self.transcript = self.transcript or told
        if told != self.transcript:
            raise AssertionError(f"other answers: {told}, not {self.transcript}")

    def analysis(self):
        with Client(self.port) as client:
            client.ask("attach soak")
            client.ask("game breakthrough")
            client.send("analyze 20 maxmoves 3")
            first = client.line()
            lines = [client.line() for _ in range(10)]
            client.send("")
            while client.line() != "\n":
                pass
            if not first.startswith("=") or not all(line.startswith("info ") for line in lines):
                raise AssertionError(f"no analysis: {first} {lines[0]}")
            client.ask("name")

    def referee(self):
        out = self.folder / f"match-{self.rounds.get('referee', 0)}"
        command = [self.pitboss, "referee", "--server", self.address, "--game", "connect4"]
        command += ["--player", "name=A simulations=200", "--player", "name=B simulations=100"]
        command += ["--games", "20", "--seed", "1", "--concurrency", "2", "--out", str(out)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, timeout=10 * PATIENCE)
        lines = (out / "games.csv").read_text().splitlines()
        games = [line.rsplit(",", 2)[0] for line in lines]  # the rest are seconds
        self.games = getattr(self, "games", games)
        if games != self.games:
            raise AssertionError("the same match has other games")

    def load(self):
        command = [self.pitboss, "load", "--connect", self.address, "--connections", "10"]
        end = subprocess.run(
            command + ["--seconds", "1", "--json"],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=PATIENCE,
        )
        # It waits 10 s for an answer, which a sanitizer on a busy machine may exceed: that is told.
        if "no answer in 10 s" in end.stderr:
            self.rounds["load_late"] = self.rounds.get("load_late", 0) + 1
        elif end.returncode != 0:
            raise AssertionError(end.stderr)
        self.end.wait(2)

    # Clients that do not.

    def raw(self):
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def slow_loris(self):
        sockets = [self.raw() for _ in range(20)]
        for part in b"genm":
            for one in sockets:
                try:
                    one.send(bytes([part]))
                except OSError:
                    pass  # it was idle for too long
            self.end.wait(3)
        for one in sockets:
            one.close()

    def garbage(self):
        with self.raw() as one:
            try:
                one.sendall(random.randbytes(random.randrange(200_000)))
                one.shutdown(socket.SHUT_WR)
                while one.recv(1 << 16):
                    pass
            except OSError:
                pass  # a line was too long
        self.end.wait(0.5)

    def never_reads(self):
        with self.raw() as one:
            one.settimeout(10)
            try:
                while not self.end.is_set():
                    one.sendall(b"list_options\n" * 100)
            except OSError:
                pass  # it was given up, as it should be

    def storm(self):
        for _ in range(300):
            self.raw().close()
        self.end.wait(1)

    def leaves_searches(self):
        with self.raw() as one:
            one.sendall(b"setoption simulations 0\nsetoption movetime 60000\ngenmove b\n")
            self.end.wait(0.3)
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")

    # The run.

    def repeat(self, one_round):
        name = one_round.__name__
        while not self.end.is_set():
            try:
                one_round()
                self.rounds[name] = self.rounds.get(name, 0) + 1
            except Exception as error:  # whatever it is, it is told at the end
                self.failures.append(f"{name}: {error}")
                self.end.wait(1)

    def descriptors(self):
        return len(os.listdir(f"/proc/{self.daemon.pid}/fd"))

    def resident(self):
        pages = int(pathlib.Path(f"/proc/{self.daemon.pid}/statm").read_text().split()[1])
        return pages * os.sysconf("SC_PAGESIZE")

    def sample(self, minutes):
        begun = time.monotonic()
        while (now := time.monotonic()) < begun + 60 * minutes:
            if self.daemon.poll() is not None:
                raise AssertionError(f"the daemon ended with {self.daemon.returncode}")
            asked = time.monotonic()
            with Client(self.port) as client:
                client.ask("name")
            self.latencies.append(time.monotonic() - asked)
            self.samples.append((now - begun, self.resident(), self.descriptors()))
            self.end.wait(0.5)

    def is_quiet(self, descriptors):
        for _ in range(60):
            with Client(self.port) as client:
                stats = json.loads(client.ask("stats"))
            time.sleep(1)
            if stats["pitboss_sessions"] == 1 and self.descriptors() == descriptors:
                return stats
        self.failures.append(f"{self.descriptors()} descriptors, {descriptors} before; {stats}")
        return stats

    def run(self, minutes):
        self.same_answers()  # once alone
        self.is_quiet(self.descriptors())
        descriptors = self.descriptors()
        behaved = [self.gui, self.same_answers, self.analysis, self.referee, self.load]
        hostile = [
            self.slow_loris,
            self.garbage,
            self.never_reads,
            self.storm,
            self.leaves_searches,
        ]
        threads = [threading.Thread(target=self.repeat, args=(one,)) for one in behaved + hostile]
        for thread in threads:
            thread.start()
        try:
            self.sample(minutes)
        except Exception as error:
            self.failures.append(f"a good client: {error}")
        self.end.set()
        for thread in threads:
            thread.join()
        if self.daemon.poll() is None:
            stats = self.is_quiet(descriptors)
            if stats["pitboss_internal_errors_total"] != 0:
                self.failures.append("the daemon counts internal errors")
        self.daemon.send_signal(signal.SIGTERM)
        if self.daemon.wait(PATIENCE) != 0:
            self.failures.append(f"the daemon ended with {self.daemon.returncode}")
        return self.report(descriptors)

    def report(self, descriptors):
        self.log.seek(0)
        log = self.log.read()
        for word in ["Sanitizer", "runtime error", "internal error"]:
            if word in log:
                self.failures.append(f"the log has '{word}': {log[-2000:]}")
        third = len(self.samples) // 3
        middle = [memory for _, memory, _ in self.samples[third : 2 * third]]
        last = [memory for _, memory, _ in self.samples[2 * third :]]
        growth = statistics.median(last) - statistics.median(middle)
        if growth > SPARE_MEMORY:
            self.failures.append(f"the daemon has grown by {growth / MEBIBYTE:.0f} MiB")
        times = [at for at, _, _ in self.samples[third:]]
        slope = statistics.linear_regression(times, middle + last).slope
        latencies = sorted(self.latencies)
        for name in ["gui", "same_answers", "analysis", "referee", "load", "garbage", "storm"]:
            if self.rounds.get(name, 0) == 0:
                self.failures.append(f"{name} has not completed a round")
        return {
            "minutes": round(self.samples[-1][0] / 60, 1),
            "rounds": self.rounds,
            "resident_mib": [round(statistics.median(part) / MEBIBYTE) for part in (middle, last)],
            "slope_kib_per_minute": round(60 * slope / KIBIBYTE),
            "descriptors": {"before": descriptors, "most": max(d for _, _, d in self.samples)},
            "name_ms": {
                "median": round(1000 * statistics.median(latencies), 2),
                "p99": round(1000 * latencies[len(latencies) * 99 // 100], 2),
                "most": round(1000 * latencies[-1], 2),
            },
            "failures": self.failures[:20],
        }


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--daemon", required=True)
    parser.add_argument("--pitboss", required=True)
    parser.add_argument("--minutes", type=float, required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        report = Soak(arguments, pathlib.Path(folder)).run(arguments.minutes)
    print(json.dumps(report, indent=2))
    sys.exit(1 if report["failures"] else 0)


main()
