"""Tests Scripts/public-api.py with a small module, before and after changes to it."""
import importlib.util
import platform
import subprocess
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parent.parent / "Scripts" / "public-api.py"
spec = importlib.util.spec_from_file_location("public_api", SCRIPT)
public_api = importlib.util.module_from_spec(spec)
spec.loader.exec_module(public_api)

SOURCE = """
public struct Run: Sendable, CustomStringConvertible {
    public var name: String
    public var description: String { name }
    public func wait(for seconds: Double = 1) async throws -> Int { hidden }
    package var hidden: Int { 1 }
}
open class Task {
    public init() {}
    open func main() {}
}
public protocol Observer {
    func finished(_ run: Run)
    func began(_ run: Run)
}
extension Observer {
    public func began(_ run: Run) {}
}
"""


def api(source):
    """The lines of a module with this source."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "Small.swift")
        file.write_text(source)
        subprocess.run(
            ["swiftc", "-emit-module", "-parse-as-library", "-package-name", "small", "-module-name", "Small",
             "-o", f"{folder}/Small.swiftmodule", str(file)], check=True)
        return public_api.extract("Small", [], ["-I", folder])


@unittest.skipUnless(platform.system() == "Linux", "compared on Linux only")
class PublicAPITests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.before = api(SOURCE)

    def change(self, old, new):
        self.assertIn(old, SOURCE)
        return public_api.difference(self.before, api(SOURCE.replace(old, new)))

    def test_each_public_declaration_and_conformance_has_a_line(self):
        self.assertEqual(self.before, [
            "protocol Observer",
            "extension Observer { func began(_ run: Run) }",
            "protocol Observer { func began(_ run: Run) }",
            "protocol Observer { func finished(_ run: Run) }",
            "Run: Swift.CustomStringConvertible",
            "Run: Swift.Sendable",
            "struct Run",
            "Run { var description: String { get } }",
            "Run { var name: String }",
            "Run { func wait(for seconds: Double = 1) async throws -> Int }",
            "open class Task",
            "Task { init() }",
            "Task { open func main() }",
        ])

    def test_two_readings_are_the_same(self):
        self.assertEqual(api(SOURCE), self.before)

    def test_a_removed_member_is_named_as_a_break(self):
        removed, added = self.change("    open func main() {}\n", "")
        self.assertEqual((removed, added), (["Task { open func main() }"], []))
        self.assertIn("breaks programs", "\n".join(public_api.report("Small", removed, added)))

    def test_a_member_that_is_public_no_longer_is_removed(self):
        self.assertEqual(self.change("public func wait", "package func wait")[0],
                         ["Run { func wait(for seconds: Double = 1) async throws -> Int }"])

    def test_a_removed_conformance_is_a_break(self):
        self.assertEqual(self.change("Run: Sendable, ", "Run: ")[0], ["Run: Swift.Sendable"])

    def test_a_class_that_is_open_no_longer_is_a_break(self):
        removed, _ = self.change("open class Task {\n    public init() {}\n    open func",
                                 "public class Task {\n    public init() {}\n    public func")
        self.assertEqual(removed, ["open class Task", "Task { open func main() }"])

    def test_an_added_member_is_not_a_break(self):
        removed, added = self.change("    public init() {}\n", "    public init() {}\n    public func stop() {}\n")
        self.assertEqual((removed, added), ([], ["Task { func stop() }"]))
        self.assertNotIn("breaks", "\n".join(public_api.report("Small", removed, added)))


if __name__ == "__main__":
    unittest.main()
