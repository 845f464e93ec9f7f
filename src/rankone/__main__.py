"""Run the command line by ``python -m rankone``."""

import sys

from rankone.cli import main

if __name__ == "__main__":
    sys.exit(main())
