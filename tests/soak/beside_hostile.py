#!/usr/bin/env python3
"""How long others wait beside hostile clients, in amazons, five runs of 8 s for each daemon and number of clients."""

import argparse
import os
import signal
import socket
import statistics
import subprocess
import sys
import threading
import time

RUNS = 5
# In a process of its own, so that the hostile clients of this one do not slow it down.
ASK = """
import socket, sys, time
stream = socket.create_connection(("127.0.0.1", int(sys.argv[1]))).makefile("rwb")
times = []
end = time.time() + 8
while time.time() < end:
    begun = time.perf_counter()
    stream.write(b"name\\n")
    stream.flush()
    stream.readline(), stream.readline()
    times.append(1000 * (time.perf_counter() - begun))
    time.sleep(0.001)
times.sort()
print(times[len(times) // 2], times[len(times) * 99 // 100], times[-1])
"""


def costly_lines(port):
    """Long lines, and short ones that take long."""
    stream = socket.create_connection(("127.0.0.1", port)).makefile("rwb")
    stream.write(b"legal_moves\n")
    stream.flush()
    moves = []
    while line := stream.readline().strip():
        moves += line.decode().removeprefix("=").split()
    return [
        f"analyze b avoid b {','.join(moves[:1990])} 1",
        f"gogui-play_sequence {' '.join('b ' + move for move in moves[:1500])}",
        "kata-set-params {" + '"x":1,' * 3000 + "}",
        "legal_moves",
        "list_options",
        "printsgf",
    ]


def discard(connection):
    try:
        while connection.recv(1 << 16):
            pass
    except OSError:
        pass


def flood(port, lines):
    while True:
        try:
            connection = socket.create_connection(("127.0.0.1", port))
            threading.Thread(target=discard, args=[connection], daemon=True).start()
            while True:
                connection.sendall("".join(line + "\n" for line in lines).encode())
        except OSError:
            time.sleep(0.01)


def measure(pitbossd, hostile):
    """Returns whether the other client's answers came in time, and the daemon ended as it should."""
    limits = ["--max-sessions", "4000", "--max-sessions-per-address", "4000"]
    command = [pitbossd, "--listen", "127.0.0.1:0=amazons", "--log-level", "off", *limits]
    daemon = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
    port = int(daemon.stdout.readline().split()[1].rsplit(":", 1)[1])
    lines = costly_lines(port)
    # The hostile clients have a process of their own, which ends with the measurement.
    parent = os.getpid()
    floods = os.fork()
    if floods == 0:
        for _ in range(hostile):
            threading.Thread(target=flood, args=[port, lines], daemon=True).start()
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(0)
    time.sleep(1 + hostile / 200)
    late = []
    for _ in range(RUNS):
        asked = subprocess.run(
            [sys.executable, "-c", ASK, str(port)], stdout=subprocess.PIPE, text=True
        )
        median, most, longest = map(float, asked.stdout.split())
        late.append(most)
        print(f"name: median {median:.2f} ms, 99 % {most:.2f} ms, longest {longest:.2f} ms")
    print(
        f"{pitbossd}, {hostile} clients: 99 %, median of {RUNS} runs: {statistics.median(late):.2f} ms"
    )
    begun = time.monotonic()
    daemon.terminate()
    status = daemon.wait()
    print(f"SIGTERM: exit {status} after {time.monotonic() - begun:.2f} s", flush=True)
    os.kill(floods, signal.SIGKILL)
    os.waitpid(floods, 0)
    return statistics.median(late) < 20 and status == 0


def main():
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--clients", type=int, nargs="+", default=[4], help="hostile ones")
    arguments.add_argument("--daemons", nargs="+", required=True, metavar="PITBOSSD")
    given = arguments.parse_args()
    in_time = [measure(daemon, count) for count in given.clients for daemon in given.daemons]
    return 0 if all(in_time) else 1


if __name__ == "__main__":
    sys.exit(main())
