"""Compares JSON that opviz wrote with the schemas in Documentation/schemas: json_schemas.py SCHEMAS DOCUMENT...

A document with another ending than .json has one on each line. Prints a line for each document that is not as its
schema says, for each member that no schema names, and for each member of a schema that no document has or that has
no description. Needs Python's jsonschema.
"""

import json
import os
import re
import sys

import jsonschema

# Members, with those in them, that this cannot see, and why.
UNSEEN = {
    "check": {
        "policy.orderSeed": "needs check --interleave, which runs programs",
        "executions": "needs many runs with CPU times, one side slower",
        "budget.executor": "is the same object in budgets",
    },
    "doctor": dict.fromkeys(
        ["checks.isPossible", "checks.note", "checks.reason", "checks.remedy"], "depends on the machine"),
}


class Schema:
    def __init__(self, path):
        self.name = os.path.basename(path).removesuffix(".schema.json")
        with open(path, encoding="utf-8") as file:
            self.root = json.load(file)
        jsonschema.Draft202012Validator.check_schema(self.root)
        self.validator = jsonschema.Draft202012Validator(self.root)
        self.format = self.root["properties"]["format"]["const"]
        self.branches = {}
        # Each object in the schema with what was seen of it, by its place in memory.
        self.seen = {}

    def resolved(self, schema):
        while "$ref" in schema:
            target = self.root
            for step in schema["$ref"].removeprefix("#/").split("/"):
                target = target[step]
            schema = target
        return schema

    def applicable(self, schema, value):
        """The schema and those in it that say something of the value."""
        schema = self.resolved(schema)
        yield schema
        for part in schema.get("allOf", []):
            if "if" in part:
                branch = self.branches.get(id(part))
                if branch is None:
                    branch = jsonschema.Draft202012Validator(part["if"])
                    self.branches[id(part)] = branch
                if branch.is_valid(value):
                    yield from self.applicable(part["then"], value)

    def walk(self, schemas, value, path, unnamed):
        """Notes which members of the schemas the value has, and which of its members they do not name."""
        found = [part for schema in schemas for part in self.applicable(schema, value)]
        if isinstance(value, list):
            items = [part["items"] for part in found if "items" in part]
            for element in value:
                self.walk(items, element, path + "[]", unnamed)
        elif isinstance(value, dict):
            for name, member in value.items():
                named = []
                for part in found:
                    if name in part.get("properties", {}):
                        self.seen.setdefault(id(part["properties"]), set()).add(name)
                        named.append(part["properties"][name])
                    else:
                        named += matching(part, name)
                if not named:
                    unnamed.add(f"{path}.{name}".removeprefix("."))
                self.walk(named, member, f"{path}.{name}", unnamed)

    def undescribed(self):
        """The members without a description, of their own or of what they refer to."""
        for path, schema in objects(self.root, ""):
            for name, member in schema["properties"].items():
                if name in ("format", "version") or "description" in member or "description" in self.resolved(member):
                    continue
                if schema.get("type") == "object":
                    yield f"{path}.{name}".removeprefix(".")

    def unseen(self):
        """The members that no document had, with their objects."""
        for path, schema in objects(self.root, ""):
            for name in schema["properties"]:
                place = f"{path}.{name}".removeprefix(".")
                if name not in self.seen.get(id(schema["properties"]), set()):
                    if not any(f"{place}.".startswith(f"{known}.") for known in UNSEEN.get(self.name, {})):
                        yield place


def matching(schema, name):
    patterns = schema.get("patternProperties", {})
    return [part for pattern, part in patterns.items() if re.search(pattern, name)]


def objects(schema, path):
    """Every object of the schema with members."""
    if isinstance(schema, list):
        for element in schema:
            yield from objects(element, path)
    if not isinstance(schema, dict):
        return
    if "properties" in schema:
        yield path, schema
    for key, part in schema.items():
        if key in ("properties", "$defs"):
            for name, member in part.items():
                yield from objects(member, f"{path}.{name}")
        elif key in ("items", "then"):
            yield from objects(part, path)
        elif key == "allOf":
            yield from objects([branch["then"] for branch in part if "then" in branch], path)


def documents(paths):
    for path in paths:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        for part in [text] if path.endswith(".json") else text.strip().split("\n"):
            try:
                yield os.path.basename(path), json.loads(part)
            except ValueError as error:
                yield os.path.basename(path), {"damaged": str(error)}


def main():
    folder = sys.argv[1]
    schemas = [Schema(os.path.join(folder, name)) for name in sorted(os.listdir(folder))]
    by_format = {schema.format: schema for schema in schemas}
    problems = []
    for path, document in documents(sys.argv[2:]):
        schema = by_format.get(document.get("format"))
        if list(document)[:2] != ["format", "version"] or schema is None:
            problems.append(f"{path}: does not begin with the format and the version of a schema: {str(document)[:100]}")
            continue
        for error in list(schema.validator.iter_errors(document))[:3]:
            place = "/".join(str(step) for step in error.absolute_path)
            problems.append(f"{path}: {schema.name}: {place}: {error.message[:300]}")
        unnamed = set()
        schema.walk([schema.root], document, "", unnamed)
        problems += [f"{path}: the schema {schema.name} does not name {name}" for name in sorted(unnamed)]
    for schema in schemas:
        problems += [f"the schema {schema.name} does not describe {name}" for name in schema.undescribed()]
        problems += [f"no document has {name}, which the schema {schema.name} names" for name in schema.unseen()]
    print("\n".join(dict.fromkeys(problems)))


main()
