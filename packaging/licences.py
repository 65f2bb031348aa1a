#!/usr/bin/env python3
"""Writes the licences of what the programs are made of, for a package that carries its libraries with it:
licences.py BUILD_FOLDER FOLDER. FOLDER gets LIBRARIES.txt, which names what is linked or compiled in, Debian's
`copyright` of each of these source packages, and the common licences that these refer to."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from sbom import compiled_files, licences_of, linked_files, output_of, packages_of

COMMON = Path("/usr/share/common-licenses")
ABOUT = """Libraries of others in this package, as Debian builds them, but for their names and where they look for each
other; files beside this one have their licences. `apt-get source NAME=VERSION` fetches the source of each from
Debian's archive, which keeps all versions. All but what is compiled in are linked dynamically: a library may be
replaced by another build of itself under the same name."""


def main() -> None:
    build, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True)
    named: set[str] = set()
    linked = linked_files(build)
    list_of = (folder / "LIBRARIES.txt").open("w", encoding="utf-8")
    print(ABOUT, file=list_of)
    for package in sorted(packages_of(linked | compiled_files(build))):
        form = "${source:Package}\n${source:Version}"
        source, version = output_of("dpkg-query", "-W", "-f", form, package).split("\n")
        has = output_of("dpkg-query", "--listfiles", package).split()
        files = sorted({Path(file).name for file in linked} & {Path(file).name for file in has})
        print(f"\n{package}: {', '.join(files) or 'compiled in'}", file=list_of)
        licences = ", ".join(licences_of(package)) or "see its file"
        print(f"  licences: {licences} ({source}.txt)", file=list_of)
        print(f"  source: {source} {version}", file=list_of)
        text = Path("/usr/share/doc", package.partition(":")[0], "copyright").read_bytes()
        (folder / f"{source}.txt").write_bytes(text)
        named |= set(re.findall(rf"{COMMON}/([\w.-]*\w)", text.decode(errors="replace")))
    list_of.close()
    for name in named:
        if (COMMON / name).is_file():
            shutil.copyfile(COMMON / name, folder / f"{name}.txt")


if __name__ == "__main__":
    main()
