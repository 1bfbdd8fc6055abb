#!/usr/bin/env python3
"""Checks what changed: the format of the changed files, and the tests of the changed modules and of modules
that depend on them. Suites that take long run only if their own module changed. `.ci/run` checks everything.

    check.py [COMMIT]    what changed since COMMIT; without it, what is not committed, or else the last commit
"""
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
os.chdir(ROOT)
os.environ["OPVIZ_DEVELOPMENT"] = "1"

# Run side by side in `make test`; the Makefile says why.
COMPUTING = next(line.split(" = ")[1] for line in Path("Makefile").read_text().splitlines() if line.startswith("COMPUTING"))
# Each takes longer than four seconds on two fast processors: statistics, browsers, and programs that are run.
LONG = [
    "RegressionErrorRateTests", "ReportBrowserTests", "FlameBrowserTests", "HelpCommandTests", "WatchCommandTests",
    "Check[a-zA-Z]*Tests", "Record[a-zA-Z]*Tests", "DecodingTests", "ManyRequestsTests", "OrderTests",
]


def output(*command):
    return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout


def run(*command):
    if subprocess.run(command).returncode:
        sys.exit(f"check: failed: {' '.join(command)}")


def changes(since):
    """The changed files, and the commit that they are compared with."""
    base = since or "HEAD"
    untracked = output("git", "ls-files", "--others", "--exclude-standard").split()
    files = output("git", "diff", "--name-only", base).split() + untracked
    return (files, base) if files or since else (output("git", "diff", "--name-only", "HEAD~1").split(), "HEAD~1")


def declarations_changed(files, base):
    """Whether stored properties or cases may have changed: only declarations are indented so little, but for the
    bodies of functions in types."""
    difference = output("git", "diff", "--unified=0", base, "--", *files)
    return re.search(r"^[+-] {0,8}(\S+ )*(let|var|case|struct|class|enum) ", difference, re.MULTILINE) is not None


def compile_again(targets):
    """Swift 6.3 does not compile files again whose types came from a module that another one re-exports, as Inspector
    does, and were laid out anew: such programs crash."""
    for target in targets:
        shutil.rmtree(Path(".build/debug", f"{target}.build"), ignore_errors=True)


class Package:
    def __init__(self):
        targets = json.loads(output("swift", "package", "describe", "--type", "json"))["targets"]
        self.targets = {target["name"]: target for target in targets}

    def target(self, file):
        """The target that a file belongs to."""
        holders = [name for name, target in self.targets.items() if Path(target["path"]) in Path(file).parents]
        return max(holders, key=lambda name: len(self.targets[name]["path"]), default=None)

    def dependents(self, names, includes_tests=False):
        """The targets themselves, and every one that depends on them, but for other tests."""
        found, new = set(), set(names)
        while new:
            found |= new
            new = {
                name for name, target in self.targets.items()
                if name not in found and (includes_tests or target["type"] != "test")
                and new & set(target.get("target_dependencies", []))
            }
        return found

    def tests(self, name):
        """The tests of a target: itself, those called like it, or else those that name it as a dependency."""
        tests = [test for test, target in self.targets.items() if target["type"] == "test"]
        if name in tests:
            return {name}
        own = {test for test in tests if test.lower() == f"{name}tests".lower()}
        return own or {test for test in tests if name in self.targets[test]["target_dependencies"]}


files, base = changes(sys.argv[1] if len(sys.argv) > 1 else None)
if swift := [file for file in files if file.endswith(".swift") and Path(file).exists()]:
    run("swift", "format", "lint", "--strict", *swift)
run("make", "--no-print-directory", "--silent", "text-check")

package = Package()
if {"Package.swift", "Makefile"} & set(files):
    changed = set(package.targets)
else:
    changed = {package.target(file) for file in files} - {None}
sources = [file for file in files if file.startswith("Sources/") and file.endswith(".swift")]
if sources and declarations_changed(sources, base):
    print("check: declarations changed, so everything that depends on them is compiled again", flush=True)
    compile_again(package.dependents(changed, includes_tests=True) - changed)
own = set().union(*(package.tests(name) for name in changed))
tests = set().union(*(package.tests(name) for name in package.dependents(changed)))
if not tests:
    print("check: the format is right; nothing that changed belongs to a module")
    sys.exit()

left_out = f"^({'|'.join(tests - own) or 'nothing'})\\.({'|'.join(LONG)})/"
chosen = f"({'|'.join(sorted(tests))})\\."
print(f"check: {', '.join(sorted(tests))}", flush=True)
run("make", "--no-print-directory", "--silent", "record-library")
test = ["bash", "Tests/run-tests.sh", "--disable-xctest", "--skip", left_out]
run(*test, "--filter", f"^(?={COMPUTING.removeprefix('^')}){chosen}")
run(*test, "--skip-build", "--no-parallel", "--filter", f"^{chosen}", "--skip", COMPUTING)
if tests - own:
    print(f"check: passed; left out in {', '.join(sorted(tests - own))}: {', '.join(LONG)}")
