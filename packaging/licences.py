#!/usr/bin/env python3
"""Writes the licences of what the programs are made of, for a package that carries its libraries with it:
licences.py BUILD_FOLDER FOLDER. FOLDER gets Pitboss's own licence, Debian's `copyright` of each source package
that is linked or compiled in, and the common licences that these refer to."""

from __future__ import annotations

import re
import shutil
import sys
from pathlib import Path

from sbom import compiled_files, linked_files, output_of, packages_of

COMMON = Path("/usr/share/common-licenses")


def main() -> None:
    build, folder = Path(sys.argv[1]), Path(sys.argv[2])
    folder.mkdir(parents=True)
    shutil.copyfile(Path(__file__).parents[1] / "LICENSE", folder / "LICENSE")
    named: set[str] = set()
    for package in sorted(packages_of(linked_files(build) | compiled_files(build))):
        source = output_of("dpkg-query", "-W", "-f", "${source:Package}", package)
        text = Path("/usr/share/doc", package.partition(":")[0], "copyright").read_bytes()
        (folder / f"{source}.txt").write_bytes(text)
        named |= set(re.findall(rf"{COMMON}/([\w.-]*\w)", text.decode(errors="replace")))
    for name in named:
        if (COMMON / name).is_file():
            shutil.copyfile(COMMON / name, folder / f"{name}.txt")


if __name__ == "__main__":
    main()
