"""Makes `python -m pytest_context_bench` the command line."""

import sys

from pytest_context_bench.cli import main

if __name__ == "__main__":
    sys.exit(main())
