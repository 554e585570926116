"""What the tests share."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
"""The repository."""

BALL = """
schema = 1
title = "A ball"
time = { end = 1.0, step = 1e-3 }
[[subsystem]]
name = "ball"
kind = "node"
mass = 2.0
radius = 0.1
gravity = [0, 0, -10]
position = [0, 0, 1.0]
[[subsystem.plane]]
name = "floor"
point = [0, 0, 0]
normal = [0, 0, 1]
restitution = 0.5
"""
"""A ball that falls on a floor."""


@pytest.fixture
def command() -> str:
    """The command `cosimo`: that of COSIMO_COMMAND, or of the search path."""
    found = os.environ.get("COSIMO_COMMAND") or shutil.which("cosimo")
    if found is None:
        pytest.skip("no command `cosimo`: set COSIMO_COMMAND")
    return found


@pytest.fixture
def example() -> Path:
    """The folder of the examples."""
    return ROOT / "examples"
