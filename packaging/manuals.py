#!/usr/bin/env python3
"""Writes what a shell's user looks for, manual pages and the completion for bash, from what the
programs say of themselves: manuals.py FOLDER_OF_PROGRAMS SHARE"""

from __future__ import annotations

import gzip
import re
import subprocess
import sys
from pathlib import Path


def said(*command: str | Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def page(name: str, section: int, what: str, text: str) -> str:
    """A manual page that has the program's text as it stands."""
    title = f'.TH {name.upper()} {section} "" pitboss'
    lines = [title, ".SH NAME", f"{name} - {what}", ".SH DESCRIPTION", ".nf", *text.splitlines()]
    lines += [".fi", ".SH SEE ALSO", "/usr/share/doc/pitboss/docs"]
    for at, line in enumerate(lines[5:-3], 5):
        shielded = line.replace("\\", "\\e").replace("-", "\\-")
        lines[at] = "\\&" + shielded if shielded.startswith((".", "'")) else shielded
    return "\n".join(lines) + "\n"


def write_page(share: Path, name: str, section: int, what: str, text: str) -> None:
    file = share / f"man/man{section}/{name}.{section}.gz"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(gzip.compress(page(name, section, what, text).encode(), mtime=0))


def flags_in(text: str) -> list[str]:
    return re.findall(r"^  (--[a-z][a-z-]*)", text, re.MULTILINE)


COMPLETION = """\
# Words and flags of pitboss and pitbossd; files otherwise.
_pitboss() {
  local cur=${COMP_WORDS[COMP_CWORD]} words=
  case ${COMP_WORDS[0]##*/}/${COMP_WORDS[1]} in
%s
  esac
  if [[ $COMP_CWORD == 1 && ${COMP_WORDS[0]##*/} == pitboss ]]; then words='%s'; fi
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$cur")
}
complete -o default -F _pitboss pitboss pitbossd
"""


def main() -> None:
    programs, share = map(Path, sys.argv[1:])
    pitboss, pitbossd = programs / "pitboss", programs / "pitbossd"
    daemon = "\n".join(said(pitbossd, f"--help{more}") for more in ("", "-limits", "-search"))
    write_page(share, "pitbossd", 8, "server that plays board games over TCP", daemon)
    about = said(pitboss, "--help")
    write_page(share, "pitboss", 1, "referee, trainer and other clients of pitbossd", about)
    commands = dict(re.findall(r"^  (?!pitboss)([a-z]+) +(\S.*)$", about, re.MULTILINE))
    cases = []
    for command, what in commands.items():
        text = said(pitboss, command, "--help")
        write_page(share, f"pitboss-{command}", 1, what, text)
        verbs = re.findall(rf"^  pitboss {command} ([a-z]+) ", text, re.MULTILINE)
        goes_without = re.search(rf"^  pitboss {command}  ", text, re.MULTILINE)
        if goes_without or len(set(verbs)) == 1:  # they are examples' words
            verbs = []
        words = " ".join(dict.fromkeys(verbs + flags_in(text)))
        cases.append(f"    pitboss/{command}) words='{words}' ;;")
    cases.append(f"    pitbossd/*) words='{' '.join(dict.fromkeys(flags_in(daemon)))}' ;;")
    folder = share / "bash-completion/completions"
    folder.mkdir(parents=True, exist_ok=True)
    text = COMPLETION % ("\n".join(cases), " ".join([*commands, "--help", "--version"]))
    for name in ("pitboss", "pitbossd"):
        (folder / name).write_text(text)


if __name__ == "__main__":
    main()
