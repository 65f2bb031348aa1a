"""Links between a client and a server that fail: a TCP proxy that delays, stalls and cuts, and a network
namespace whose link to this one loses packets and goes down."""

import os
import random
import socket
import subprocess
import threading
import time

CHUNK = 1 << 16
# Addresses of the block for documentation (RFC 5737), which no network uses.
NEAR, FAR, PREFIX = "198.51.100.1", "198.51.100.2", "30"


class Proxy:
    """A way to a server of this machine. Each piece of data is late by up to 20 ms; `stall` holds back
    everything for so long, and `cut` ends all connections."""

    LONGEST_DELAY = 0.02

    def __init__(self, port):
        self.server = port
        self.is_open = threading.Event()
        self.is_open.set()
        self.ways = set()
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.address = "127.0.0.1:{}".format(self.listener.getsockname()[1])
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return  # closed
            try:
                server = socket.create_connection(("127.0.0.1", self.server))
            except OSError:
                client.close()
                continue
            with self.lock:
                self.ways |= {client, server}
            for one, other in [(client, server), (server, client)]:
                threading.Thread(target=self.carry, args=(one, other), daemon=True).start()

    def carry(self, one, other):
        try:
            while data := one.recv(CHUNK):
                time.sleep(random.uniform(0, self.LONGEST_DELAY))
                self.is_open.wait()
                other.sendall(data)
        except OSError:
            pass  # one end has gone, or the way was cut
        self.end({one, other})

    def end(self, ends):
        with self.lock:
            self.ways -= ends
        for one in ends:
            try:
                one.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass  # the other thread was here before
            one.close()

    def stall(self, seconds):
        self.is_open.clear()
        time.sleep(seconds)
        self.is_open.set()

    def cut(self):
        with self.lock:
            ways = set(self.ways)
        self.end(ways)

    def close(self):
        self.listener.close()
        self.cut()


def run(*words):
    subprocess.run(words, check=True, capture_output=True, text=True)


class Partition:
    """A network namespace, as another machine at the end of a link. Servers here listen on NEAR to be
    reached from there. `loses` tells whether the kernel lets the link lose one packet in a hundred (netem).
    Raises OSError where this process may not make a namespace."""

    def __init__(self):
        self.name = f"pitboss-{os.getpid()}"
        self.link = f"pb{os.getpid()}"
        try:
            run("ip", "netns", "add", self.name)
            run("ip", "link", "add", self.link, "type", "veth", "peer", "far", "netns", self.name)
            run("ip", "address", "add", f"{NEAR}/{PREFIX}", "dev", self.link)
            run(*self.there("ip", "address", "add", f"{FAR}/{PREFIX}", "dev", "far"))
            run(*self.there("ip", "link", "set", "far", "up"))
            self.set_link("up")
        except (OSError, subprocess.CalledProcessError) as error:
            self.close()
            raise OSError(getattr(error, "stderr", None) or str(error)) from error
        lossy = ["tc", "qdisc", "add", "dev", self.link, "root", "netem", "loss", "1%"]
        self.loses = subprocess.run(lossy, capture_output=True).returncode == 0

    def there(self, *words):
        """The command that runs `words` at the other end."""
        return ["ip", "netns", "exec", self.name, *words]

    def set_link(self, state):
        run("ip", "link", "set", self.link, state)

    def cut(self, seconds):
        self.set_link("down")
        time.sleep(seconds)
        self.set_link("up")

    def close(self):
        subprocess.run(["ip", "netns", "del", self.name], capture_output=True)
        subprocess.run(["ip", "link", "del", self.link], capture_output=True)
