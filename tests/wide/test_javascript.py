"""The pages' modules without a page, with node's test runner: `tests/viewer`."""

import subprocess
from pathlib import Path

from node import NODE, needs_node

ROOT = Path(__file__).parents[2]


@needs_node
def test_the_modules_of_the_pages_pass_their_tests() -> None:
    files = sorted(str(path.relative_to(ROOT)) for path in (ROOT / "tests/viewer").rglob("*.test.js"))
    assert len(files) > 4
    # Several at once: they wait for clocks more than they compute.
    command = [str(NODE), "--test", "--test-concurrency=3", "--test-reporter=tap", *files]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False, timeout=300)
    assert process.returncode == 0, process.stdout + process.stderr
