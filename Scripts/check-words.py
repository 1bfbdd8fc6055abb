"""Fails on wordings that a reader has to read twice: in documents, in comments of every kind of file, and in texts that
users see, which are the strings of Sources.

A text that needs a banned wording goes into ALLOWED: the end of the file's name, and what the line contains.
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
# "if there is none" is plain, but users are told what to do instead.
ALLOWED_IN_COMMENTS = re.compile(r"\bthere (?:is|are|was|were) no(?:ne)?$", re.IGNORECASE)
ALLOWED = {
    "RegressionDecision.swift": "as many runs of one side as of the other",
    "SwitchCosts.swift": "the least squares",
}
STRING = re.compile(r'"(?:[^"\\]|\\.)*"|`[^`]*`')
SLASHES = (".swift", ".c", ".h", ".cpp", ".hpp", ".js", ".css")
HASHES = (".py", ".sh", ".yml", "Makefile")
COMMENT = {
    "//": re.compile(r"^\s*(?:\*|/\*).*|(?:^|\s)//.*|/\*.*\*/"),
    "#": re.compile(r"(?:^|\s)#.*"),
}


def texts(name, lines):
    """The lines of a file that people read, with their numbers, and whether each is a comment."""
    fenced = False
    literal = False
    has_strings = name.startswith("Sources/")
    mark = "//" if name.endswith(SLASHES) else "#"
    for number, line in enumerate(lines, 1):
        if name.endswith(".md"):
            fenced ^= line.strip().startswith("```")
            # The outputs of commands are checked in the sources.
            if not fenced:
                yield number, line, False
        elif name.endswith(".html"):
            yield number, line, False
        elif literal or '"""' in line:
            literal ^= line.count('"""') % 2 == 1
            if has_strings or name.endswith(".py"):
                yield number, line, not has_strings
        elif comment := COMMENT[mark].search(STRING.sub("", line)):
            yield number, comment.group(), True
        elif has_strings:
            for text in STRING.findall(line):
                yield number, text, False


def main():
    kinds = (".md", ".html") + SLASHES + HASHES
    names = subprocess.check_output(["git", "ls-files"], text=True).splitlines()
    faults = []
    for name in names:
        if not name.endswith(kinds) or ".docc/Resources/" in name or name in ("CHANGELOG.md", "Scripts/check-words.py"):
            continue
        with open(name, encoding="utf-8") as file:
            for number, text, is_comment in texts(name, file.read().split("\n")):
                for match in BANNED.finditer(text):
                    if is_comment and ALLOWED_IN_COMMENTS.search(text[: match.end()]):
                        continue
                    if not any(name.endswith(file) and part in text for file, part in ALLOWED.items()):
                        faults.append(f"{name}:{number}: '{match.group()}' has to be read twice: {text.strip()[:120]}")
    print("\n".join(faults), file=sys.stderr, end="\n" if faults else "")
    sys.exit(1 if faults else 0)


main()
