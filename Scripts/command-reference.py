#!/usr/bin/env python3
"""Documentation/CommandReference.md, on standard output: command-reference.py OPVIZ

It is made from the same texts as --help.
"""
import json
import re
import subprocess
import sys


def text(value):
    """Plain text as Markdown, in one line."""
    parts = re.split(r"(`[^`]*`)", " ".join(value.split()))
    return "".join(part if part.startswith("`") else re.sub(r"([<>*_|\\])", r"\\\1", part) for part in parts)


def discussion(value):
    for paragraph in value.split("\n\n"):
        lines = paragraph.split("\n")
        if any(re.match(r"(\w+=\S+ )?opviz ", line) or line.startswith("Recorder.") for line in lines):
            yield from ["```text", *lines, "```", ""]
        elif all(re.match(r"[a-z-]+: ", line) for line in lines):
            for line in lines:
                name, meaning = line.split(": ", 1)
                yield f"- **{name}**: {text(meaning)}"
            yield ""
        else:
            yield from [text(paragraph), ""]


def name(argument):
    value = f" <{argument['valueName']}>" if argument["kind"] == "option" else ""
    if argument["kind"] == "positional":
        names = [f"<{argument['valueName']}>"]
    else:
        short = {"short": "-", "long": "--", "longWithSingleDash": "-"}
        names = [short[each["kind"]] + each["name"] + value for each in argument["names"]]
    return ", ".join(f"`{each}`" for each in names)


def meaning(argument):
    said = text(argument.get("abstract", ""))
    values = argument.get("allValues") or []
    default = argument.get("defaultValue")
    added = []
    if values and "values:" not in said:
        added.append("values: " + ", ".join(f"`{value}`" for value in values))
    if default and "default:" not in said:
        added.append(f"default: `{default}`")
    return said + (f" ({'; '.join(added)})" if added else "")


def command(described, names, opviz):
    full = " ".join([*names, described["commandName"]])
    yield from [f"{'##' if len(names) == 1 else '###'} {full}", "", text(described["abstract"]), ""]
    yield from discussion(described["discussion"]) if described.get("discussion") else []
    arguments = [
        argument for argument in described.get("arguments", [])
        if argument["shouldDisplay"] and argument.get("valueName") not in ("help", "version")
    ]
    if arguments:
        yield from ["| argument or option | |", "|---|---|"]
        yield from (f"| {name(argument)} | {meaning(argument)} |" for argument in arguments)
        yield ""
    for below in described.get("subcommands", []):
        if below["commandName"] != "help":
            yield from command(below, [*names, described["commandName"]], opviz)


def main(opviz):
    dump = subprocess.run([opviz, "--experimental-dump-help"], check=True, capture_output=True, text=True).stdout
    top = json.loads(dump)["command"]
    commands = {each["commandName"]: each for each in reversed(top["subcommands"])}
    ordered = dict.fromkeys(each["commandName"] for each in top["subcommands"])
    lines = [
        "<!-- Made by Scripts/command-reference.py from the texts of --help. Do not edit. -->", "",
        "# Command reference", "", text(top["abstract"]), "",
        "`opviz help COMMAND` prints the same on the terminal, and `opviz help` lists topics as well. "
        "[Exit codes](ExitCodes.md) and [environment variables](Environment.md) have pages of their own. "
        "Every command takes `--help`.", "",
        "| command | |", "|---|---|",
    ]
    for each in ordered:
        anchor = f"opviz-{each}"
        lines.append(f"| [`{each}`](#{anchor}) | {text(commands[each]['abstract'])} |")
    lines.append("")
    for each in ordered:
        lines += command(commands[each], ["opviz"], opviz)
    print("\n".join(lines).strip("\n"))


main(*sys.argv[1:])
