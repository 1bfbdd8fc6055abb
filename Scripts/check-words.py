"""Fails on wordings that a reader has to read twice, in texts that users see: strings of the sources, help, and documents.

Strings are those of Swift, C, JavaScript and HTML in Sources, without their comments. A text that needs a banned
wording goes into ALLOWED: the end of the file's name, and what the line contains.
"""
import re
import subprocess
import sys

BANNED = re.compile(
    r"\b(?:(?:is|are|was|were) (?:no|none)\b(?! longer| more)|(?:has|have|had) none|of those that|whoever|"
    r"(?:is|are|be) to be had|all of it|as of|so many|at the least|the least|"
    r"may be given again|can be said again|what \w+(?: \w+){0,3} said)\b",
    re.IGNORECASE,
)
ALLOWED: dict[str, str] = {}
STRING = re.compile(r'"(?:[^"\\]|\\.)*"|`[^`]*`')


def texts(name, lines):
    """The lines of a file that users can see, with their numbers."""
    fenced = False
    literal = False
    for number, line in enumerate(lines, 1):
        stripped = line.strip()
        if name.endswith(".md"):
            fenced ^= stripped.startswith("```")
            # The outputs of commands are checked in the sources.
            if not fenced:
                yield number, line
        elif name.endswith(".html"):
            yield number, line
        elif literal or '"""' in line:
            literal ^= line.count('"""') % 2 == 1
            yield number, line
        elif not stripped.startswith(("//", "*", "/*")):
            for text in STRING.findall(line):
                yield number, text


def main():
    names = subprocess.check_output(
        ["git", "ls-files", "*.md", "Sources/*.swift", "Sources/*.c", "Sources/*.js", "Sources/*.html"], text=True
    ).splitlines()
    faults = []
    for name in names:
        if name == "CHANGELOG.md" or ".docc/Resources/" in name:
            continue
        with open(name, encoding="utf-8") as file:
            for number, text in texts(name, file.read().split("\n")):
                for match in BANNED.finditer(text):
                    if not any(name.endswith(file) and part in text for file, part in ALLOWED.items()):
                        faults.append(f"{name}:{number}: '{match.group()}' has to be read twice: {text.strip()[:120]}")
    print("\n".join(faults), file=sys.stderr, end="\n" if faults else "")
    sys.exit(1 if faults else 0)


main()
