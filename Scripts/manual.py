#!/usr/bin/env python3
"""The manual pages of opviz, opviz.1 and one for each command: manual.py OPVIZ GENERATE-MANUAL DATE FOLDER

They are generated from the same texts as --help, by the generator of swift-argument-parser. It fills every line of a
discussion; here examples become literal again, lists of names get a line for each, pages are called opviz-lint, as
those of git are, and the exit codes are said.
"""

import json
import os
import re
import subprocess
import sys
import tempfile


def discussion(lines):
    """Paragraphs of a command's discussion, as mdoc."""
    text = "\n".join(lines).strip("\n")
    for paragraph in text.split("\n\n") if text else []:
        paragraph = paragraph.split("\n")
        if any(line.startswith("opviz ") for line in paragraph):
            yield from [".Bd -literal -offset indent", *paragraph, ".Ed"]
        elif all(re.match(r"[a-z-]+: ", line) for line in paragraph):
            yield ".Bl -tag -width indent"
            for line in paragraph:
                name, meaning = line.split(": ", 1)
                yield from [f".It Sy {name}", meaning]
            yield ".El"
        else:
            yield from [".Pp", *paragraph]


def page(text):
    text = re.sub(r"opviz((?:\.[a-z-]+)+) 1", lambda name: "opviz" + name[1].replace(".", "-") + " 1", text)
    text = re.sub(r"OPVIZ((?:\.[A-Z-]+)+) 1", lambda name: "OPVIZ" + name[1].replace(".", "-") + " 1", text)
    head, rest = text.split(".Sh DESCRIPTION\n", 1)
    lines = rest.split("\n")
    end = next(index for index, line in enumerate(lines) if re.match(r"\.(Bl|Sh|It)\b", line))
    body = [".Sh DESCRIPTION", *discussion(lines[:end]), *lines[end:]]
    text = head + "\n".join(body)
    codes = "Those of\n.Xr opviz 1 .\n" if ".Nm opviz\n" not in head else "As listed above.\n"
    return text.replace(".Ex -std\n", codes).replace(".Ex -std", codes)


def describe(opviz, program):
    """Makes a program that describes opviz as it does itself, but for the help that is built in and stands beside ours."""
    said = subprocess.run([opviz, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    description = json.loads(said)
    commands = description["command"]["subcommands"]
    last = max(index for index, command in enumerate(commands) if command["commandName"] == "help")
    del commands[last]
    with open(program, "w", encoding="utf-8") as file:
        file.write("#!/bin/sh\ncat <<'DESCRIPTION'\n" + json.dumps(description, indent=1) + "\nDESCRIPTION\n")
    os.chmod(program, 0o755)


def main(opviz, generator, date, folder):
    with tempfile.TemporaryDirectory() as scratch:
        described = os.path.join(scratch, "opviz")
        describe(opviz, described)
        pages = os.path.join(scratch, "pages")
        os.mkdir(pages)
        command = [generator, described, "--multi-page", "--date", date, "--output-directory", pages]
        subprocess.run(command, check=True)
        for name in sorted(os.listdir(pages)):
            with open(os.path.join(pages, name), encoding="utf-8") as file:
                text = page(file.read())
            stem = name.removesuffix(".1").replace(".", "-")
            with open(os.path.join(folder, stem + ".1"), "w", encoding="utf-8") as file:
                file.write(text.rstrip("\n") + "\n")


if len(sys.argv) != 5:
    sys.exit(__doc__)
main(*sys.argv[1:])
