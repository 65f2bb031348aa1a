#!/usr/bin/env python3
"""Makes the Debian package of a build, package.py BUILD_FOLDER, and looks at it: the programs are
hardened, the service is watched, and the bill of materials is whole. Exit code 77: this is no Debian."""

from __future__ import annotations

import gzip
import json
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import urlopen

ROOT = Path(__file__).resolve().parents[2]


def output_of(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def check(is_so: bool, what: str) -> None:
    if not is_so:
        sys.exit(f"failed: {what}")


def check_program(program: Path) -> None:
    facts = output_of("readelf", "--wide", "--file-header", "--segments", "--dynamic", program)
    symbols = output_of("readelf", "--wide", "--dyn-syms", program)
    name = program.name
    check("DYN (Position-Independent Executable file)" in facts, f"{name} is no PIE")
    check("GNU_RELRO" in facts, f"{name} has no RELRO")
    check(re.search(r"\(FLAGS\).*BIND_NOW", facts) is not None, f"{name} has no full RELRO")
    check("__stack_chk_fail@" in symbols, f"{name} has no stack protector")
    check(
        re.search(r"__(memcpy|read|snprintf)_chk@", symbols) is not None, f"{name} has no fortify"
    )
    check(re.search(r"GNU_STACK.* RW ", facts) is not None, f"{name} has an executable stack")


def check_bill(text: str, depends: str) -> None:
    bill = json.loads(text)
    check(bill["bomFormat"] == "CycloneDX" and bill["specVersion"] == "1.5", "the bill's format")
    check(bill["version"] == 1, "the bill's version")
    whole = bill["metadata"]["component"]
    check(whole["type"] == "application" and whole["name"] == "pitboss", "what the bill is of")
    parts = bill["components"]
    for part in parts:
        check(part["type"] == "library" and bool(part["name"] and part["version"]), f"{part}")
        check(
            part["purl"].startswith(f"pkg:deb/debian/{part['name'].replace('+', '%2B')}@"),
            f"{part}",
        )
        for one in part.get("licenses", []):
            check(bool(one["license"]["name"]), f"{part}")
    references = [part["bom-ref"] for part in parts]
    check(len(set(references)) == len(references), "two components have one bom-ref")
    (made,) = bill["dependencies"]
    check(made["ref"] == whole["bom-ref"] and made["dependsOn"] == references, "dependencies")
    by_use: dict[str, set[str]] = {"linked": set(), "compiled in": set()}
    for part in parts:
        by_use[part["properties"][0]["value"]].add(part["name"])
    needed = {word.split()[0] for word in re.split(r"[,|]", depends)} - {"init-system-helpers"}
    provided = output_of("dpkg-query", "-W", "-f", "${Provides}, ", *sorted(by_use["linked"]))
    known = by_use["linked"] | {word.split()[0] for word in provided.split(",") if word.strip()}
    check(needed <= known, f"linked: {needed - known} is missing")
    headers = {"libboost1.81-dev", "libeigen3-dev", "nlohmann-json3-dev", "libtomlplusplus-dev"}
    check(headers <= by_use["compiled in"], f"compiled in: {headers - by_use['compiled in']}")
    check("doctest-dev" not in by_use["compiled in"], "what only the tests use is in the bill")
    check(sum("licenses" in part for part in parts) > len(parts) / 2, "most have no licence")


def check_manuals(share: Path, build: Path) -> None:
    about = output_of(build / "bin/pitboss", "--help")
    commands = re.findall(r"^  (?!pitboss)([a-z]+)  +", about, re.MULTILINE)
    check(len(commands) > 10, f"commands: {commands}")
    for page in ["man8/pitbossd.8", "man1/pitboss.1", *(f"man1/pitboss-{c}.1" for c in commands)]:
        text = gzip.decompress((share / f"man/{page}.gz").read_bytes()).decode()
        check(text.startswith(".TH PITBOSS") and "\\-\\-help" in text, f"the manual page {page}")
    completion = share / "bash-completion/completions/pitboss"
    script = f"source {completion}; COMP_CWORD=$1; shift; COMP_WORDS=($@); _pitboss; echo ${{COMPREPLY[@]}}"
    for words, expected in [
        (("1", "pitboss", "ref"), "referee"),
        (("2", "pitboss", "ledger", "ver"), "verify"),
        (("2", "pitboss", "load", "--pipe"), "--pipeline"),
        (("2", "pitboss", "play", "oth"), ""),
        (("1", "/usr/bin/pitbossd", "--tok"), "--tokens"),
    ]:
        told = output_of("bash", "-c", script, "bash", *words).strip()
        check(told == expected, f"{words} is completed to '{told}'")


def check_monitoring(share: Path, build: Path) -> None:
    """Whatever the rules and the dashboard ask for is on the page of a daemon."""
    command: list[str | Path] = [
        build / "bin/pitbossd",
        "--listen",
        "127.0.0.1:0",
        "--metrics",
        "127.0.0.1:0",
    ]
    command += ["--evaluator", "grpc://127.0.0.1:1", "--networks", ROOT / "data/networks"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as daemon:
        assert daemon.stdout is not None
        told = [daemon.stdout.readline() for _ in range(2)]
        (address,) = (line.split()[1] for line in told if line.startswith("metrics "))
        with urlopen(f"http://{address}/metrics") as answer:
            page = answer.read().decode()
        daemon.terminate()
    dashboard = json.loads((share / "pitboss/monitoring/grafana.json").read_text())
    asked = [target["expr"] for panel in dashboard["panels"] for target in panel["targets"]]
    rules = (share / "pitboss/monitoring/alerts.yml").read_text()
    asked += re.findall(r"^ *expr: (.*)$", rules, re.MULTILINE)
    check(len(asked) > 20, "what is asked for")
    for text in asked:
        for name in re.findall(r"\b(?:pitboss|process)_\w+", text):
            check(re.search(rf"^{name}[ {{]", page, re.MULTILINE) is not None, f"{name}: {text}")
        for label in re.findall(r'\b\w+="\w+"', text.replace('job="pitbossd"', "")):
            check(label in page, f"{label}: {text}")


def main() -> None:
    build = Path(sys.argv[1])
    if shutil.which("dpkg-query") is None:
        print("skipped: this is no Debian")
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        output_of("cpack", "--config", build / "CPackConfig.cmake", "-B", folder)
        (package,) = Path(folder).glob("pitboss_*.deb")
        files = Path(folder, "files")
        output_of("dpkg-deb", "--extract", package, files)
        for name in ("pitbossd", "pitboss"):
            check_program(files / "usr/bin" / name)
        check_manuals(files / "usr/share", build)
        check_monitoring(files / "usr/share", build)
        service = (files / "usr/lib/systemd/system/pitbossd.service").read_text()
        check(
            "\nType=notify\n" in service and "\nWatchdogSec=" in service, "the service's watchdog"
        )
        families = re.search(r"\nRestrictAddressFamilies=(.*)", service)
        check(families is not None and "AF_UNIX" in families[1], "the daemon may not tell systemd")
        depends = output_of("dpkg-deb", "--field", package, "Depends")
        check_bill(output_of(ROOT / "packaging/sbom.py", build, package), depends)
        recommends = output_of("dpkg-deb", "--field", package, "Recommends").split()
        check(recommends == ["libpq5"] and "libpq" not in depends, "what only databases need")
    image = (ROOT / "Dockerfile").read_text()
    stages = re.findall(r"^FROM (\S+)", image, re.MULTILINE)
    check(set(stages) == {"debian:12-slim"}, f"the image's stages: {stages}")
    check(image.count("apt-get upgrade --yes") == len(stages), "a stage of the image has no mends")


if __name__ == "__main__":
    main()
