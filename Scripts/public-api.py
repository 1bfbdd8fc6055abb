#!/usr/bin/env python3
"""Compares the public API of the libraries with Documentation/api, where each product has a file with one line for
each declaration and each conformance, those of the modules that it exports included.

    public-api.py             says what was removed and what was added; fails if anything was
    public-api.py --record    writes the files

Reads the modules of the last debug build. On Linux only, because Foundation's types differ elsewhere.
"""

import concurrent.futures
import json
import pathlib
import platform
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDER = ROOT / "Documentation/api"

# Every type has these, or has them for being Sendable.
IMPLIED = {"Copyable", "Escapable", "SendableMetatype", "BitwiseCopyable"}


def declarations(graph):
    """The lines of a symbol graph, each with the names that it is sorted by."""
    types = {
        ".".join(symbol["pathComponents"]) for symbol in graph["symbols"]
        if symbol["kind"]["identifier"] in ("swift.struct", "swift.class", "swift.enum", "swift.actor")}
    names = {symbol["identifier"]["precise"]: symbol["pathComponents"] for symbol in graph["symbols"]}
    requirements = {edge["source"] for edge in graph["relationships"] if edge["kind"] == "requirementOf"}
    for symbol in graph["symbols"]:
        path = symbol["pathComponents"]
        text = re.sub(r"\s+", " ", "".join(part["spelling"] for part in symbol["declarationFragments"]))
        access = "open " if symbol["accessLevel"] == "open" else ""
        outer = ".".join(path[:-1])
        if symbol["identifier"]["precise"] in requirements:
            outer = f"protocol {outer}"
        elif "swiftExtension" in symbol:
            limits = constraints(symbol["swiftExtension"].get("constraints", ()))
            # A member may move between a type and an extension of it.
            if outer not in types or limits:
                outer = f"extension {outer}{limits}"
        yield path, f"{outer} {{ {access}{text} }}" if outer else access + text
    for edge in graph["relationships"]:
        target = ".".join(names.get(edge["target"], [edge.get("targetFallback", edge["target"])]))
        if edge["kind"] in ("conformsTo", "inheritsFrom") and edge["source"] in names:
            path = names[edge["source"]]
            if target.removeprefix("Swift.") not in IMPLIED:
                yield path, f"{'.'.join(path)}: {target}{constraints(edge.get('swiftConstraints', ()))}"


def constraints(rules):
    """Of an extension or a conformance, as Swift writes them."""
    signs = {"sameType": " == "}
    parts = [rule["lhs"] + signs.get(rule["kind"], ": ") + rule["rhs"] for rule in rules]
    return " where " + ", ".join(parts) if parts else ""


def extract(module, exported, flags):
    """The lines of a module and of the modules that it exports, sorted."""
    target = json.loads(subprocess.run(
        ["swift", "-print-target-info"], check=True, stdout=subprocess.PIPE).stdout)["target"]["unversionedTriple"]
    with tempfile.TemporaryDirectory() as folder:
        command = [
            "swift", "symbolgraph-extract", "-module-name", module, "-target", target, *flags,
            "-minimum-access-level", "public", "-skip-synthesized-members", "-skip-inherited-docs",
            f"-experimental-allowed-reexported-modules={','.join(exported)}", "-output-dir", folder,
        ]
        run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, cwd=ROOT)
        graphs = sorted(pathlib.Path(folder).glob("*.symbols.json"))
        if run.returncode or not graphs:
            sys.exit(f"public-api: {module} cannot be read; build it first, with swift build\n{run.stdout}")
        found = {line for graph in graphs for line in rows(json.loads(graph.read_text()))}
    return [line for _, line in sorted(found)]


def rows(graph):
    return ((tuple(path), line) for path, line in declarations(graph))


def difference(recorded, present):
    """The lines that were removed, and those that were added."""
    before, after = set(recorded), set(present)
    return [line for line in recorded if line not in after], [line for line in present if line not in before]


def report(product, removed, added):
    """What to do about a difference; nothing if there is none."""
    if removed:
        yield f"{product}: removed or changed, which breaks programs that use it (see Documentation/Stability.md):"
        yield from (f"  - {line}" for line in removed)
    if added:
        yield f"{product}: added:"
        yield from (f"  + {line}" for line in added)


def main():
    if platform.system() != "Linux":
        print("public-api: compared on Linux only")
        return
    manifest = (ROOT / "Package.swift").read_text()
    products = re.findall(r'^ +\.library\(name: "(\w+)"', manifest, re.MULTILINE)
    exported = sorted({
        module for file in ROOT.glob("Sources/**/Exports.swift")
        for module in re.findall(r"^@_exported public import (\w+)", file.read_text(), re.MULTILINE)})
    flags = subprocess.run(
        ["bash", "-c", 'source Scripts/module-flags.sh; printf "%s\\n" "${module_flags[@]}"'], cwd=ROOT, check=True,
        stdout=subprocess.PIPE, text=True).stdout.splitlines()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        present = dict(zip(products, pool.map(lambda product: extract(product, exported, flags), products)))
    if "--record" in sys.argv[1:]:
        for file in FOLDER.glob("*.txt"):
            file.unlink()
        for product, lines in present.items():
            (FOLDER / f"{product}.txt").write_text("".join(f"{line}\n" for line in lines))
        return
    complaints = []
    for product in sorted({*products, *(file.stem for file in FOLDER.glob("*.txt"))}):
        file = FOLDER / f"{product}.txt"
        recorded = file.read_text().splitlines() if file.exists() else []
        complaints += report(product, *difference(recorded, present.get(product, [])))
    if complaints:
        sys.exit("\n".join(complaints + ["If that is intended, record it: make api"]))
    print(f"public-api: {sum(map(len, present.values()))} declarations as recorded")


if __name__ == "__main__":
    main()
