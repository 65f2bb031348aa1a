#!/usr/bin/env python3
"""Mixed load against one daemon for some minutes, as `./dev soak` starts it (docs/development.md).

Some clients behave: a GUI's session, a referee, an analysis that streams, a load of short questions, and one
whose answers have to be the same bytes each time. Others do not: they send garbage, half a line, lines
without end, questions whose answers they never read, or connect and leave. Three more referees play the
same match over a link that delays, stalls and cuts, from a network namespace whose link goes down, and at
a daemon that is killed: it has to have the same games. At the end the daemon has to have as many
descriptors as at the beginning, no more memory than in the middle, and no error to tell.
"""

import argparse
import csv
import json
import os
import pathlib
import random
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time

from bad_links import NEAR, Partition, Proxy

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
    MANY = 400  # games of a match that is disturbed

    def __init__(self, arguments, folder):
        self.pitboss = arguments.pitboss
        self.folder = folder
        self.end = threading.Event()  # of the clients
        self.calm = threading.Event()  # for what makes links and servers fail, after them
        self.failures = []
        self.rounds = {}
        self.latencies = []
        self.samples = []
        self.transcript = None
        self.games = {}  # by their number, as they were played undisturbed
        self.victim = None  # the address of the daemon that is killed
        self.skipped = []
        self.log = open(folder / "daemon.log", "w+")
        self.program = arguments.daemon
        listen = ["--listen", "127.0.0.1:0"]
        try:
            self.partition = Partition()
            listen += ["--listen", f"{NEAR}:0", "--open"]
            if not self.partition.loses:
                self.skipped.append("packets that are lost: this kernel has no netem")
        except OSError as error:
            self.partition = None
            self.skipped.append(f"partition: {error}".strip())
        self.daemon, addresses = self.started(
            *listen, "--tree-mb", "16", "--max-sessions", "200", "--idle-seconds", "10"
        )
        self.address = addresses[0]
        self.far_address = addresses[-1]
        self.port = int(self.address.rsplit(":", 1)[1])
        self.proxy = Proxy(self.port)

    def started(self, *flags):
        """A daemon that listens, and its addresses."""
        daemon = subprocess.Popen(
            [self.program, "--workers", "2", "--memory", "1024", "--write-timeout", "5"]
            + ["--keep-tables", "5", "--log-level", "warning", *flags],
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
        )
        lines = [daemon.stdout.readline() for flag in flags if flag == "--listen"]
        return daemon, [line.split()[1] for line in lines]

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

    def play_match(self, name, address, games=20, before=(), may_fail=False):
        """A match that always has the same games. A referee that does not find its server at the start
        ends; where that may be, it is started again."""
        out = self.folder / f"{name}-{self.rounds.get(name, 0)}"
        command = [*before, self.pitboss, "referee", "--server", address, "--game", "connect4"]
        command += ["--player", "name=A simulations=200", "--player", "name=B simulations=100"]
        command += ["--games", str(games), "--seed", "1", "--concurrency", "2", "--out", str(out)]
        command += ["--reconnect-seconds", "300"]
        latest = time.monotonic() + 20 * PATIENCE
        while True:
            end = subprocess.run(command, capture_output=True, text=True, timeout=20 * PATIENCE)
            if end.returncode == 0:
                break
            if not may_fail or (out / "games.csv").exists() or time.monotonic() > latest:
                raise AssertionError(end.stderr[-2000:])
            time.sleep(0.2)
        with open(out / "games.csv") as file:
            played = [(row["moves"], row["result"], row["reason"]) for row in csv.DictReader(file)]
        if played != self.games.setdefault(games, played):
            raise AssertionError(f"{name}: the same match has other games: see {out}")
        shutil.rmtree(out)

    def referee(self):
        self.play_match("referee", self.address)

    # Referees whose server or link fails, and what makes them fail.

    def over_bad_link(self):
        self.play_match("over_bad_link", self.proxy.address, self.MANY, may_fail=True)

    def spoil_link(self):
        self.proxy.stall(random.uniform(0, 8))
        self.calm.wait(random.uniform(0, 20))
        self.proxy.cut()
        self.calm.wait(random.uniform(0, 20))

    def over_partition(self):
        self.play_match("over_partition", self.far_address, self.MANY, self.partition.there(), True)

    def part(self):
        self.calm.wait(random.uniform(0, 20))
        self.partition.cut(random.uniform(1, 40))

    def beside_kills(self):
        while not self.victim:
            time.sleep(0.1)
        self.play_match("beside_kills", self.victim, self.MANY, may_fail=True)

    def kill(self):
        daemon, [self.victim] = self.started("--listen", self.victim or "127.0.0.1:0")
        self.calm.wait(random.uniform(0.1, 4))
        daemon.kill()
        daemon.wait()
        self.calm.wait(random.uniform(0, 1))

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

    def repeat(self, one_round, end):
        name = one_round.__name__
        while not end.is_set():
            try:
                one_round()
                self.rounds[name] = self.rounds.get(name, 0) + 1
            except Exception as error:  # whatever it is, it is told at the end
                self.failures.append(f"{name}: {error}")
                end.wait(1)

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
        for games in (20, self.MANY):
            self.play_match("alone", self.address, games)
        with Client(self.port) as client:
            client.ask("stats")
        time.sleep(2)  # until the sessions have ended
        descriptors = self.descriptors()
        clients = [self.gui, self.same_answers, self.analysis, self.referee, self.load]
        clients += [self.over_bad_link, self.beside_kills]
        spoilers = [self.spoil_link, self.kill]
        if self.partition:
            clients.append(self.over_partition)
            spoilers.append(self.part)
        clients += [self.slow_loris, self.garbage, self.never_reads, self.storm]
        clients += [self.leaves_searches]

        def begun(rounds, end):
            threads = [threading.Thread(target=self.repeat, args=(one, end)) for one in rounds]
            for thread in threads:
                thread.start()
            return threads

        spoiling = begun(spoilers, self.calm)
        playing = begun(clients, self.end)
        try:
            self.sample(minutes)
        except Exception as error:
            self.failures.append(f"a good client: {error}")
        self.end.set()
        for thread in playing:
            thread.join()
        self.calm.set()
        for thread in spoiling:
            thread.join()
        self.proxy.close()
        if self.partition:
            self.partition.close()
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
        expected = ["gui", "same_answers", "analysis", "referee", "load", "garbage", "storm"]
        expected += ["over_bad_link", "beside_kills"] + ["over_partition"] * bool(self.partition)
        for name in expected:
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
            "skipped": self.skipped,
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
