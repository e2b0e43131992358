"""`python -m groundkit_retrieval` is the `groundkit` command."""

from groundkit_retrieval.cli import main

main()
