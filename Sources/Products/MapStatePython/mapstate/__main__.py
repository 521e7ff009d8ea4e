"""The command-line tool: ``python -m mapstate render map.json -o map.png``."""

from __future__ import annotations

import sys

from .session import run_tool


def main() -> int:
    """Runs ``mapstate`` with the arguments of this process.

    Example:
        >>> import subprocess, sys
        >>> command = [sys.executable, "-m", "mapstate", "count", "Styles/world-cities.json"]
        >>> subprocess.run(command, capture_output=True, text=True).stdout.strip()
        '10020'
    """
    return run_tool(["mapstate", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
