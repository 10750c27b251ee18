"""``python -m aspas``: the command ``aspas-verify-py``."""

from __future__ import annotations

import sys

from .cli import main

sys.exit(main())
