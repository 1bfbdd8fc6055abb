#!/usr/bin/env python3
"""Checks the public names of the libraries: each has a doc comment, no type that is not public has public members, and
the DocC catalog of a product lists every public type at the top level of its modules. Run in the root of the package.

It reads the sources as text, indented as swift format does it, so that it needs no build and takes a second.
"""

import pathlib
import re
import sys

OPS = "Sources/Ops/Ops.docc/Ops.md"
INSPECTOR = "Sources/Inspector/Inspector/Inspector.docc/Inspector.md"
TESTING = "Sources/OpsTesting/OpsTesting.docc/OpsTesting.md"
# The libraries and their catalogs. Ops and Inspector both export EventLog.
LIBRARIES = {
    "Sources/EventLog": [OPS, INSPECTOR],
    "Sources/GraphvizRendering": [],
    "Sources/Inspector": [INSPECTOR],
    "Sources/Ops": [OPS],
    "Sources/OpsLogging": [],
    "Sources/OpsMetrics": [],
    "Sources/OpsNetwork": [],
    "Sources/OpsTesting": [TESTING],
    "Sources/OpsTracing": [],
    "Sources/WaitDiagnosis": [],
}

# Public for the compiler alone: no product has this module.
INTERNAL = pathlib.Path("Sources/Inspector/Columns")

ATTRIBUTES = r"(?:@\w+(?:\([^)]*\))? )*"
PUBLIC = re.compile(ATTRIBUTES + r"(?:public|open) (?=[a-z])(?!import |extension )")
TYPE = re.compile(
    ATTRIBUTES + r"(?:(public|open|package|private|fileprivate) )?(?:(?:final|indirect) )*"
    r"(struct|class|enum|protocol|actor|extension) (?!func |var )([\w.]+)")
# In a public enum or protocol, members that are public without the keyword.
MEMBER = {
    "enum": re.compile(r"(?:indirect )?case "),
    "protocol": re.compile(r"(?:static |mutating )*(?:func|var|init|subscript|associatedtype)\b"),
}
# Documented where they are required or inherited: by the standard library, by Foundation, by a superclass.
INHERITED = re.compile(
    r"\boverride\b|\bfunc (<|==|hash\()|\bsubscript\(\w+: Int\)|\binit\(stringLiteral "
    r"|\bvar (description|debugDescription|errorDescription|startIndex|endIndex)\b")


FUNCTION = re.compile(r"\bfunc (\w+)\(")


def faults(path, hidden, required, catalogs):
    """What is wrong in a file, each with its line.

    `hidden`: the names of types that are not public. `required`: by protocol, the functions that it requires and
    documents, which a type that adopts it need not document again.
    """
    enclosing = []
    is_documented = False
    for number, line in enumerate(path.read_text().split("\n"), 1):
        code = line.strip()
        if code.startswith("///"):
            is_documented = True
            continue
        # A brace or a clause of a declaration of several lines, and lines between a comment and its
        # declaration.
        if not code or code.startswith(("{", ")", "where ", "//", "#")) or re.fullmatch(ATTRIBUTES, code + " "):
            continue
        indent = len(line) - len(line.lstrip())
        while enclosing and enclosing[-1][0] >= indent:
            enclosing.pop()
        outer = enclosing[-1][1:] if enclosing and enclosing[-1][0] == indent - 4 else (None, True, set())
        type = TYPE.match(code)
        is_public = PUBLIC.match(code) is not None
        is_member = outer[1] and outer[0] in MEMBER and MEMBER[outer[0]].match(code)
        if is_public and not outer[1]:
            yield number, f"is public in a type that is not: {code}"
        elif (is_public or is_member) and not is_documented and not INHERITED.search(code):
            function = FUNCTION.search(code)
            if not function or function[1] not in outer[2]:
                yield number, f"has no doc comment: {code}"
        if type:
            access, kind, name = type.groups()
            if kind == "extension":
                is_visible = name.split(".")[-1] not in hidden
            else:
                is_visible = outer[1] and access in ("public", "open")
                if is_visible and not indent:
                    for catalog, text in catalogs.items():
                        if f"- ``{name}``\n" not in text:
                            yield number, f"{name} is not listed in {catalog}"
            adopted = re.findall(r"\w+", code[type.end():])
            enclosing.append((indent, kind, is_visible, set().union(*(required.get(name, ()) for name in adopted))))
        is_documented = False


def required_functions(paths):
    """By public protocol, the names of the functions that it requires."""
    required = {}
    for path in paths:
        protocol = None
        for line in path.read_text().split("\n"):
            type = TYPE.match(line)
            if type:
                protocol = type[3] if type[2] == "protocol" and type[1] == "public" else None
            elif protocol and (function := re.match(r"    " + FUNCTION.pattern, line)):
                required.setdefault(protocol, set()).add(function[1])
    return required


def hidden_types(paths):
    """The names of types that are not public, and are not the name of a public one elsewhere."""
    found = {True: set(), False: set()}
    for path in paths:
        for line in path.read_text().split("\n"):
            type = TYPE.match(line.strip())
            if type and type[2] != "extension":
                found[type[1] in ("public", "open")].add(type[3])
    return found[False] - found[True]


def main():
    count = 0
    sources = {
        library: sorted(
            path for path in pathlib.Path(library).rglob("*.swift")
            if ".docc" not in str(path) and INTERNAL not in path.parents)
        for library in LIBRARIES
    }
    required = required_functions(path for paths in sources.values() for path in paths)
    for library, catalogs in LIBRARIES.items():
        paths = sources[library]
        hidden = hidden_types(paths)
        texts = {catalog: pathlib.Path(catalog).read_text() for catalog in catalogs}
        for path in paths:
            for number, fault in faults(path, hidden, required, texts):
                print(f"{path}:{number}: {fault}", file=sys.stderr)
                count += 1
    sys.exit(1 if count else 0)


main()
