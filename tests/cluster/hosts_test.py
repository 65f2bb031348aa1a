"""Three hosts, network namespaces with sshd, play an experiment while links are cut and a host disappears. Nothing
outside these namespaces reaches their network."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from cluster import (
    BIN,
    GAMES,
    NAME,
    Database,
    Programs,
    experiment,
    folder,
    kill_all,
    programs,
    run,
)
from cluster import table_of_one_referee, wait_for

pytestmark = [
    pytest.mark.skipif(os.geteuid() != 0, reason="only root may make network namespaces"),
    pytest.mark.skipif(
        not os.access("/usr/sbin/sshd", os.X_OK), reason="openssh-server is not installed"
    ),
]

# A block for documentation (RFC 5737), which no network uses.
NETWORK = "198.51.100"


class Network:
    """The namespace `home`, with database and launcher, and one for each host."""

    def __init__(self, folder: Path, programs: Programs, hosts: str) -> None:
        self.folder, self.programs, self.hosts = folder, programs, hosts
        self.tag = f"pb{os.getpid() % 100000}"

    def open(self) -> None:
        folder = self.folder
        Path("/run/sshd").mkdir(exist_ok=True)
        for key in ("host_key", "user_key"):
            run("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", folder / key)
        run("ip", "netns", "add", self.space("home"))
        self.at("home", "ip", "link", "set", "lo", "up")
        self.at("home", "ip", "link", "add", "bridge", "type", "bridge")
        self.at("home", "ip", "addr", "add", f"{NETWORK}.1/24", "dev", "bridge")
        self.at("home", "ip", "link", "set", "bridge", "up")
        lines = ""
        for number, host in enumerate(self.hosts, start=11):
            run("ip", "netns", "add", self.space(host))
            link = ("ip", "link", "add", f"to-{host}", "type", "veth")
            self.at("home", *link, "peer", "name", "eth0", "netns", self.space(host))
            self.at("home", "ip", "link", "set", f"to-{host}", "master", "bridge", "up")
            self.at(host, "ip", "link", "set", "lo", "up")
            self.at(host, "ip", "addr", "add", f"{NETWORK}.{number}/24", "dev", "eth0")
            self.at(host, "ip", "link", "set", "eth0", "up")
            self.start_sshd(host)
            lines += f"Host {host}\n  HostName {NETWORK}.{number}\n"
        lines += f"Host nobody\n  HostName {NETWORK}.99\n"
        (folder / "ssh_config").write_text(
            f"{lines}Host *\n  IdentityFile {folder}/user_key\n  UserKnownHostsFile {folder}/known_hosts\n"
            "  StrictHostKeyChecking accept-new\n  LogLevel ERROR\n"
        )

    def space(self, host: str) -> str:
        return f"{self.tag}{host}"

    def inside(self, host: str) -> tuple[str, ...]:
        return ("ip", "netns", "exec", self.space(host))

    def at(self, host: str, *words: object) -> str:
        return run(*self.inside(host), *words)

    def start_sshd(self, host: str) -> None:
        (self.folder / "sshd_config").write_text(
            f"HostKey {self.folder}/host_key\nAuthorizedKeysFile {self.folder}/user_key.pub\nStrictModes no\n"
            "PidFile none\nUsePAM no\nPasswordAuthentication no\nPermitRootLogin prohibit-password\n"
        )
        config = self.folder / "sshd_config"
        self.programs.start(
            f"sshd-{host}", *self.inside(host), "/usr/sbin/sshd", "-D", "-e", "-f", config
        )

    def cut(self, host: str) -> None:
        self.at("home", "ip", "link", "set", f"to-{host}", "down")

    def heal(self, host: str) -> None:
        self.at("home", "ip", "link", "set", f"to-{host}", "up")

    def processes(self, host: str) -> list[int]:
        return [int(word) for word in run("ip", "netns", "pids", self.space(host)).split()]

    def close(self) -> None:
        for host in ["home", *self.hosts]:
            if Path("/run/netns", self.space(host)).exists():
                kill_all(self.processes(host))
                run("ip", "netns", "delete", self.space(host))


@pytest.fixture(scope="module")
def network(folder: Path, programs: Programs) -> Iterator[Network]:
    network = Network(folder, programs, "abc")
    try:
        network.open()
        yield network
    finally:
        network.close()


@pytest.fixture(scope="module")
def database(folder: Path, network: Network) -> Iterator[Database]:
    database = Database(folder / "database", f"{NETWORK}.1", network.inside("home"))
    yield database
    database.stop()


def launch_words(network: Network, database: Database, *words: object) -> list[object]:
    return [
        *network.inside("home"), BIN / "pitboss", "launch", "ssh", *words,
        "--ssh", f"ssh -F {network.folder / 'ssh_config'}", "--threads", 1,
    ]  # fmt: skip


def command_lines(network: Network, host: str) -> dict[int, list[str]]:
    """The words of each of a host's processes; those that end meanwhile are left out."""
    out = {}
    for pid in network.processes(host):
        try:
            out[pid] = Path(f"/proc/{pid}/cmdline").read_bytes().decode().split("\0")
        except OSError:
            continue
    return out


def workers(network: Network, host: str) -> list[int]:
    """The daemons of workers on a host."""
    lines = command_lines(network, host)
    return [pid for pid, words in lines.items() if words[0].endswith("/pitbossd")]


def referee_of(network: Network, host: str) -> str:
    """The name in the ledger of a host's referee, which ends with its folder."""
    for words in command_lines(network, host).values():
        if "worker" in words[:3]:
            return words[words.index("--folder") + 1]
    return ""


def test_links_and_hosts_fail(
    network: Network, database: Database, programs: Programs, experiment: Path
) -> None:
    def referee(folder: str, what: str) -> int:
        rows = database.ask(
            f"SELECT count(*) FROM rounds JOIN referees ON referee = referees.id WHERE name LIKE '%{folder}' AND {what}"
        )
        return int(rows[0][0])

    begun = time.monotonic()
    words = launch_words(
        network, database, "a", "b", "c", "--ledger", database.url, "--experiment", experiment
    )
    launcher = programs.start("launch", *words)
    wait_for("all hosts play", lambda: all(workers(network, host) for host in "abc"))
    wait_for("50 games are played", lambda: database.games() >= 50, 120)

    # A link is cut for a minute. The host goes on without the ledger for a while, and the others with it.
    folder = referee_of(network, "a")
    assert folder
    network.cut("a")
    cut = time.monotonic()
    done = database.games()
    taken = wait_for(
        "the others take its rounds",
        lambda: referee(folder, "state = 'leased'") == 0 and database.games() > done, 120,
    )  # fmt: skip
    print(
        f"cut off: the rounds of the host were free after {taken:.0f} s; {database.games() - done} games by others"
    )
    time.sleep(max(0, 60 - (time.monotonic() - cut)))
    finished = referee(folder, "state = 'done'")
    assert database.games() < GAMES, "the experiment was over before the link was healed"
    network.heal("a")
    back = wait_for(
        "the host plays again", lambda: referee(folder, "state = 'done'") > finished, 180
    )
    print(f"healed: the host's next round was recorded after {back:.0f} s")
    assert referee_of(network, "a") == folder, "its worker was started again"

    # A host disappears, as by a power cut.
    folder = referee_of(network, "c")
    network.cut("c")
    kill_all(network.processes("c"))
    gone = wait_for("its rounds are free", lambda: referee(folder, "state = 'leased'") == 0, 120)
    print(
        f"gone: the rounds of the host were free after {gone:.0f} s, {GAMES - database.games()} games left"
    )

    assert launcher.wait(1500) == 0, programs.errors("launch")
    print(f"ssh: {GAMES} games in {time.monotonic() - begun:.0f} s")
    print(programs.errors("launch"))
    assert f"{GAMES} games" in database.verify() and "all sound" in database.verify()
    assert database.table(network.folder / "records") == table_of_one_referee()
    wait_for(
        "nothing runs any more", lambda: not workers(network, "a") and not workers(network, "b")
    )


def test_mistakes_leave_nothing_running(
    network: Network, database: Database, programs: Programs
) -> None:
    network.heal("c")  # nothing listens there any more
    ledger = f"{database.url}#{NAME}"

    def said(*words: object) -> tuple[int, str]:
        end = subprocess.run(
            [str(word) for word in launch_words(network, database, *words)],
            capture_output=True,
            text=True,
            timeout=60,
        )
        return end.returncode, end.stderr

    assert said("a", "--ledger", ledger) == (
        0,
        "the experiment is finished already; nothing was launched\n",
    )
    assert said("a", "--ledger", database.url, "--join", "other")[0] == 2

    # More games, so that there is something to play.
    more = network.folder / "more.toml"
    text = (network.folder / "experiment.toml").read_text()
    more.write_text(text.replace(f"games = {GAMES}", f"games = {2 * GAMES}"))
    code, errors = said("c", "nobody", "--ledger", ledger, "--experiment", more)
    assert code == 2
    assert (
        "host c: ssh: connect to host" in errors and "host nobody: ssh: connect to host" in errors
    )
    code, errors = said("a", "--ledger", ledger, "--program", "/nowhere/pitboss")
    assert code == 2 and "host a: " in errors and "/nowhere/pitboss" in errors
    code, errors = said("a", "b", "--ledger", ledger, "--networks", "/nowhere")
    assert code == 2 and "/nowhere" in errors
    for host in "ab":
        wait_for("nothing runs", lambda: not workers(network, host))


def test_workers_end_with_their_launcher(
    network: Network, database: Database, programs: Programs
) -> None:
    ledger = f"{database.url}#{NAME}"
    launcher = programs.start(
        "killed", *launch_words(network, database, "a", "b", "--ledger", ledger)
    )
    wait_for("both play", lambda: all(workers(network, host) for host in "ab"))
    done = database.games()
    wait_for("games are played", lambda: database.games() >= done + 10)
    kill_all([launcher.pid])
    took = wait_for(
        "no worker is left", lambda: not workers(network, "a") and not workers(network, "b")
    )
    print(f"the launcher was killed: no worker after {took:.0f} s")

    launcher = programs.start(
        "drained", *launch_words(network, database, "a", "b", "--ledger", ledger)
    )
    wait_for("both play", lambda: all(workers(network, host) for host in "ab"))
    launcher.terminate()
    assert launcher.wait(120) == 130
    wait_for("no worker is left", lambda: not workers(network, "a") and not workers(network, "b"))
    assert database.ask("SELECT count(*) FROM rounds WHERE state = 'leased'") == [["0"]]


def test_a_link_that_stays_cut(
    network: Network, database: Database, programs: Programs, experiment: Path
) -> None:
    longer = network.folder / "longer.toml"
    longer.write_text(
        experiment.read_text().replace(NAME, "longer").replace(f"games = {GAMES}", "games = 100000")
    )
    words = launch_words(
        network, database, "a", "b", "--ledger", database.url, "--experiment", longer
    )
    launcher = programs.start("longer", *words)
    query = "SELECT count(DISTINCT referee) FROM rounds WHERE state = 'done'"
    wait_for("both have played", lambda: database.ask(query, "longer") == [["2"]], 120)
    network.cut("b")
    ended = wait_for("no worker is left behind the cut", lambda: not workers(network, "b"), 200)
    missed = ended + wait_for(
        "the host is missed", lambda: "host b is missing" in programs.errors("longer"), 60
    )
    print(
        f"cut for good: its worker ended after {ended:.0f} s, and its launcher missed it after {missed:.0f} s"
    )
    network.heal("b")
    back = wait_for("its worker is started again", lambda: workers(network, "b"))
    print(f"healed: a worker was started after {back:.0f} s")
    assert workers(network, "a")
    wait_for("that is said", lambda: "host b is back" in programs.errors("longer"))
    launcher.terminate()
    assert launcher.wait(120) == 130
    wait_for("no worker is left", lambda: not workers(network, "a") and not workers(network, "b"))
