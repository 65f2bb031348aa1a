"""The versions of this package and of the server's JSON that it reads (docs/protocol.md, "JSON for programs")."""

VERSION = "0.1.0"
SURFACE = 1
