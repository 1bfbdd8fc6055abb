"""Tests Scripts/release-notes.py."""
import importlib.util
import subprocess
import sys
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "Scripts" / "release-notes.py"
spec = importlib.util.spec_from_file_location("release_notes", SCRIPT)
release_notes = importlib.util.module_from_spec(spec)
spec.loader.exec_module(release_notes)

CHANGELOG = """# Changelog

## [Unreleased]

## [0.10.0] - 2026-12-01

### Added

- Ten, with [a guide](Documentation/README.md), [a page](https://example.org) and [a heading](#ten).

## [0.1.0] - 2026-11-22

### Fixed

- One.
"""


class ReleaseNotes(unittest.TestCase):
    def test_sections(self):
        self.assertEqual(release_notes.notes(CHANGELOG, "0.1.0"), "### Fixed\n\n- One.")
        self.assertTrue(release_notes.notes(CHANGELOG, "0.10.0").startswith("### Added\n\n- Ten"))
        self.assertNotIn("One", release_notes.notes(CHANGELOG, "0.10.0"))

    def test_links(self):
        self.assertIn("[a guide](Documentation/README.md)", release_notes.notes(CHANGELOG, "0.10.0"))
        for url in ("https://host/blob/v1", "https://host/blob/v1/"):
            text = release_notes.notes(CHANGELOG, "0.10.0", url)
            self.assertIn("[a guide](https://host/blob/v1/Documentation/README.md)", text)
            self.assertIn("[a page](https://example.org) and [a heading](#ten)", text)

    def test_missing_sections(self):
        with self.assertRaisesRegex(ValueError, r"^expected a section \[0\.1\]; it has Unreleased, 0\.10\.0, 0\.1\.0$"):
            release_notes.notes(CHANGELOG, "0.1")
        with self.assertRaisesRegex(ValueError, r"^the section \[Unreleased\] is empty$"):
            release_notes.notes(CHANGELOG, "Unreleased")
        with self.assertRaisesRegex(ValueError, "it has none$"):
            release_notes.notes("", "0.1.0")

    def test_command(self):
        version = subprocess.check_output(["sh", SCRIPT.parent / "version.sh"], text=True).strip()
        run = subprocess.run([sys.executable, SCRIPT, version], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        self.assertIn("### Added", run.stdout)
        run = subprocess.run([sys.executable, SCRIPT, "99.0.0"], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stdout), (1, ""))
        self.assertRegex(run.stderr, r"^CHANGELOG\.md: expected a section \[99\.0\.0\]; it has .*\n$")


if __name__ == "__main__":
    unittest.main()
