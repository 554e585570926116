"""The first commands of the README."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from conftest import ROOT

FIRST = ROOT / "python" / "examples" / "first_plot.py"


def test_the_first_program_of_the_readme_is_the_example() -> None:
    readme = (ROOT / "python" / "README.md").read_text()
    assert f"```python\n{FIRST.read_text()}```" in readme
    assert "pip install ./python matplotlib\npython python/examples/first_plot.py" in readme


def test_the_first_plot(tmp_path: Path) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    done = subprocess.run([sys.executable, FIRST], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert "completed" in done.stdout and "100 %" in done.stderr
    picture = (tmp_path / "first.png").read_bytes()
    assert picture.startswith(b"\x89PNG") and len(picture) > 10_000
