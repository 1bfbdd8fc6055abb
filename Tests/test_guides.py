"""Tests what Tests/guides.py takes for the same output."""
import tempfile
import unittest
from pathlib import Path

import guides


class Matching(unittest.TestCase):
    actual = ["one 1.50 ms", "", "two 20 ms", "three", "four"]

    def test_exact(self):
        self.assertTrue(guides.matches(self.actual, self.actual, False))
        self.assertFalse(guides.matches(self.actual[:-1], self.actual, False))
        self.assertFalse(guides.matches(["one 1.51 ms", *self.actual[1:]], self.actual, False))
        self.assertTrue(guides.matches([], [], False))
        self.assertFalse(guides.matches([], ["one"], False))

    def test_lines_left_out(self):
        for kept in (["one 1.50 ms", "…"], ["…", "four"], ["…", "two 20 ms", "…", "four"], ["…", "three", "…"]):
            self.assertTrue(guides.matches(kept, self.actual, False), kept)
        for kept in (["two 20 ms", "…"], ["…", "three"], ["…", "three", "…", "two 20 ms", "…"], ["…", "thre", "…"]):
            self.assertFalse(guides.matches(kept, self.actual, False), kept)

    def test_masked(self):
        self.assertTrue(guides.matches(["one 312 µs two", "-3.1 s three four"], self.actual, True))
        self.assertTrue(guides.matches(["one 7 ms", "…", "four"], self.actual, True))
        self.assertFalse(guides.matches(["one 7 ms", "…", "five"], self.actual, True))
        self.assertFalse(guides.matches([], ["one"], True))

    def test_what_is_written_anew(self):
        self.assertEqual(guides.abridged(["x"], self.actual, False), self.actual)
        self.assertEqual(guides.abridged(["one 2.00 ms", "…", "four"], self.actual, False), ["one 1.50 ms", "…", "four"])
        self.assertEqual(
            guides.abridged(["one 2.00 ms", "", "two 21 ms", "…"], self.actual, False),
            ["one 1.50 ms", "", "two 20 ms", "…"])

    def test_commands(self):
        self.assertEqual(
            guides.commands(["$ a \\", "  b", "out", "$ c"]), [(["a \\", "  b"], ["out"]), (["c"], [])])
        self.assertIsNone(guides.commands(["out", "$ a"]))

    def test_anchors(self):
        with tempfile.TemporaryDirectory() as folder:
            page = Path(folder, "page.md")
            page.write_text("# Why `x` is slow, and [what](y.md) helps\n## Twice\n## Twice\n```text\n# no heading\n```\n")
            self.assertEqual(guides.anchors(page), {"why-x-is-slow-and-what-helps", "twice", "twice-1"})


if __name__ == "__main__":
    unittest.main()
