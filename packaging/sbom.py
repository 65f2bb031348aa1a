#!/usr/bin/env python3
"""Writes what the Debian package is made of, a software bill of materials in CycloneDX 1.5, to
standard output: sbom.py BUILD_FOLDER PACKAGE.deb. The libraries that the programs load are taken
from ldd, what is compiled in from the headers that ninja knows and the archives that are linked;
names, versions and licences are dpkg's."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from urllib.parse import quote

PROGRAMS = ("pitbossd", "pitboss")


def output_of(*command: str, fails: bool = False) -> str:
    return subprocess.run(command, check=not fails, capture_output=True, text=True).stdout


def linked_files(build: Path) -> set[str]:
    files = set()
    for program in PROGRAMS:
        text = output_of("ldd", str(build / "bin" / program))
        files |= set(re.findall(r"(?:=> |^\s*)(/\S+) \(0x", text, re.MULTILINE))
    return files


def compiled_files(build: Path) -> set[str]:
    """Headers of what the programs are made of, and archives of the system that are linked into them."""
    files = set()
    ours = True
    for line in output_of("ninja", "-C", str(build), "-t", "deps").splitlines():
        if line and not line.startswith(" "):
            ours = not line.startswith(("tests/", "clients/python/"))
        elif ours and line.startswith("    /usr/"):
            files.add(line.strip())
    for program in PROGRAMS:
        links = output_of("ninja", "-C", str(build), "-t", "commands", "-s", f"bin/{program}")
        files |= set(re.findall(r"/usr/\S+\.a\b", links))
    return files


def packages_of(files: set[str]) -> set[str]:
    """The packages that the files belong to. Since /lib became /usr/lib, dpkg knows some files by the
    one name and some by the other."""
    names = {str(Path(file).resolve()) for file in files} | files
    names |= {name.removeprefix("/usr") for name in names if name.startswith("/usr/lib")}
    found = output_of("dpkg-query", "--search", *sorted(names), fails=True)
    owners = [line.rpartition(": ")[0] for line in found.splitlines()]
    return {name for owner in owners if " " not in owner for name in owner.split(", ")}


def licences_of(package: str) -> list[str]:
    """Those that the file `copyright` names, if it is one that programs can read."""
    path = Path("/usr/share/doc", package.partition(":")[0], "copyright")
    text = path.read_text(errors="replace") if path.exists() else ""
    if not text.startswith("Format:"):
        return []
    return sorted(set(re.findall(r"^License: *(\S.*?) *$", text, re.MULTILINE)))


def component(package: str, use: str) -> dict[str, object]:
    form = "${Package}\n${Version}\n${Architecture}"
    name, version, architecture = output_of("dpkg-query", "-W", "-f", form, package).split("\n")
    url = f"pkg:deb/debian/{quote(name, safe='')}@{quote(version, safe='')}?arch={architecture}"
    made: dict[str, object] = {"type": "library", "bom-ref": url, "name": name, "version": version}
    licences = licences_of(package)
    if licences:
        made["licenses"] = [{"license": {"name": licence}} for licence in licences]
    return {**made, "purl": url, "properties": [{"name": "pitboss:use", "value": use}]}


def main() -> None:
    build, deb = Path(sys.argv[1]), sys.argv[2]
    name, version = output_of(
        "dpkg-deb", "--show", "--showformat", "${Package}\n${Version}", deb
    ).split("\n")
    linked = packages_of(linked_files(build))
    compiled = packages_of(compiled_files(build)) - linked
    parts = [component(package, "linked") for package in sorted(linked)]
    parts += [component(package, "compiled in") for package in sorted(compiled)]
    whole = {
        "type": "application",
        "bom-ref": f"{name}@{version}",
        "name": name,
        "version": version,
        "licenses": [{"license": {"id": "Apache-2.0"}}],
    }
    bill = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "version": 1,
        "metadata": {"component": whole},
        "components": parts,
        "dependencies": [
            {"ref": whole["bom-ref"], "dependsOn": [part["bom-ref"] for part in parts]}
        ],
    }
    print(json.dumps(bill, indent=1))


if __name__ == "__main__":
    main()
