"""Runs `groundkit-mcp` as `python -m groundkit_mcp`."""

from groundkit_mcp.cli import main

if __name__ == "__main__":
    main()
