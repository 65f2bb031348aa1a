"""The papers' tables beside what was played here: plans, records, verdicts, and the pages of docs/results.
`python3 -m pitboss.papers` is the command behind `./dev results`; it needs NumPy and Matplotlib."""
