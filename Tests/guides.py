#!/usr/bin/env python3
"""Runs every console block of README.md and Documentation, compares each Swift block with the file it quotes, and checks every
link: guides.py OPVIZ PROGRAMS [PAGE...]. OPVIZ_RECORD_GOLDENS=1 writes the outputs, the quotations and the command reference anew.

Each page runs in a folder of its own, which holds the traces of Documentation/traces and the programs of PROGRAMS, in a terminal
of 80 columns. A line `…` stands for lines left out. A comment above a block says what is special about it:

    <!-- not run: REASON -->        the block is left out
    <!-- masked -->                 a command records something new: figures and line breaks may differ
    <!-- exits with 1 -->           the exit code of the last command, if it is not 0
    <!-- save: budgets.yml -->      the block becomes this file, for the commands below it
    <!-- file: PATH -->             each paragraph of the block stands in this file
    <!-- page not run: REASON -->   no block of the page is run
"""
import difflib
import fcntl
import os
import pty
import re
import select
import shutil
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path
from urllib.parse import unquote

ROOT = Path(__file__).resolve().parent.parent
DOCUMENTATION = ROOT / "Documentation"
RECORDS = bool(os.environ.get("OPVIZ_RECORD_GOLDENS"))
LINES_OF_README = 150
FENCE = re.compile(r"^( *)```(\w*)$")
failures, counts = [], {"run": 0, "quoted": 0, "not run": 0, "links": 0}


def fail(page, line, message):
    failures.append(f"{page.relative_to(ROOT)}:{line}: {message}")


class Block:
    """A fenced block: its language, what the comment above it says, and where its lines are."""

    def __init__(self, lines, start):
        indent, self.language = FENCE.match(lines[start]).groups()
        self.start = start + 1
        self.end = next(n for n in range(self.start, len(lines)) if lines[n] == indent + "```")
        self.indent = indent
        self.lines = [line[len(indent):] for line in lines[self.start:self.end]]
        above = lines[start - 1].strip() if start else ""
        if not above and start > 1:
            above = lines[start - 2].strip()
        comment = re.fullmatch(r"<!-- (.*) -->", above)
        self.notes = {}
        for note in re.split(r", (?=masked|exits|save|file)", comment[1]) if comment else []:
            name, _, value = note.partition(": ")
            code = re.fullmatch(r"exits with (\d+)", name)
            if code:
                name, value = "exits", code[1]
            self.notes[name] = value


def blocks(lines):
    number = 0
    while number < len(lines):
        if FENCE.match(lines[number]):
            block = Block(lines, number)
            number = block.end
            yield block
        number += 1


# MARK: Commands

class Folder:
    """Where the commands of a page run."""

    def __init__(self, opviz, programs):
        self.path = Path(tempfile.mkdtemp(prefix="opviz-guides-"))
        self.programs = programs
        tools = self.path / ".tools"
        tools.mkdir()
        (tools / "opviz").symlink_to(opviz)
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("OPVIZ_")}
        self.environment |= {"PATH": f"{tools}:{os.environ['PATH']}", "NO_COLOR": "1", "TERM": "xterm", "LC_ALL": "C.UTF-8", "TZ": "UTC"}
        self.groups = []

    def renew(self):
        """Puts the traces back that commands may have replaced."""
        shutil.copytree(DOCUMENTATION / "traces", self.path, dirs_exist_ok=True)
        for source in (ROOT / "Examples/Sources").iterdir():
            program = self.programs / source.name
            if os.access(program, os.X_OK) and not (self.path / source.name).exists():
                (self.path / source.name).symlink_to(program)

    def run(self, command, interrupts):
        """What the command writes, and its exit code. With `interrupts`, Control-C is pressed after two seconds."""
        child, terminal = pty.fork()
        if child == 0:
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 80, 0, 0))
            # Ignored in everything that a script starts in the background.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            os.chdir(self.path)
            os.dup2(os.open("/dev/null", os.O_RDONLY), 0)
            os.execvpe("bash", ["bash", "-c", command], self.environment)
        self.groups.append(child)
        written, status, begin = b"", None, time.monotonic()
        while True:
            readable = select.select([terminal], [], [], 0.02)[0]
            try:
                written += os.read(terminal, 65536) if readable else b""
            except OSError:
                readable = []
            if status is not None and not readable:
                break
            if interrupts and time.monotonic() - begin > 2:
                os.killpg(child, signal.SIGINT)
                interrupts = False
            if time.monotonic() - begin > 60:
                os.killpg(child, signal.SIGKILL)
            if status is None:
                ended, code = os.waitpid(child, os.WNOHANG)
                status = os.waitstatus_to_exitcode(code) if ended else None
                status = 128 - status if status is not None and status < 0 else status
        os.close(terminal)
        # Drops lines that a command overwrote to show its progress.
        text = re.sub(r"[^\n]*\r", "", written.decode().replace("\r\n", "\n"))
        return re.sub(r"\x1b\[[0-9;]*[A-Za-z]", "", text), status

    def remove(self):
        for group in self.groups:
            try:
                os.killpg(group, signal.SIGKILL)
            except ProcessLookupError:
                pass
        shutil.rmtree(self.path)


def commands(lines):
    """The commands of a console block, each with the lines of its output."""
    found = []
    continues = False
    for line in lines:
        if continues:
            found[-1][0].append(line)
        elif line.startswith("$ "):
            found.append(([line[2:]], []))
        elif found:
            found[-1][1].append(line)
        else:
            return None
        continues = line.endswith("\\") and not found[-1][1]
    return found


def masked(text):
    text = re.sub(r"[▁-█▌▐░▒_~]+", "~", text)
    text = re.sub(r"[+-]?\d[\d,.]*( (?:ns|µs|ms|s|%))?(?![a-zA-Z])", "N", text)
    return re.sub(r"\s+", " ", text).strip()


def matches(expected, actual, is_masked):
    parts, text = [[]], "\n".join(["", *actual, ""])
    for line in expected:
        if line.strip() == "…":
            parts.append([])
        else:
            parts[-1].append(line)
    parts = ["\n".join(["", *part, ""]) if part else "" for part in parts]
    if is_masked:
        text, parts = masked(text), [masked(part) for part in parts]
    if len(parts) == 1:
        return text == (parts[0] or ("" if is_masked else "\n"))
    if not text.startswith(parts[0]) or not text.endswith(parts[-1]):
        return False
    position = max(len(parts[0]) - 1, 0)
    for part in parts[1:]:
        found = text.find(part, position)
        if found < 0:
            return False
        position = max(found + len(part) - 1, position)
    return True


def abridged(expected, actual, is_masked):
    """The lines of `actual` that were kept before, with `…` for the others."""
    if is_masked and matches(expected, actual, True):
        return expected
    if "…" not in [line.strip() for line in expected]:
        return actual
    kept, position = [], 0
    for line in (line for line in expected if line.strip() != "…"):
        like = [difflib.SequenceMatcher(None, masked(line), masked(other)).ratio() for other in actual[position:]]
        if like and max(like) > 0.6:
            position += like.index(max(like)) + 1
            kept.append(position - 1)
    result, previous = [], -1
    for number in [*(number for number in kept if actual[number]), len(actual)]:
        if all(not line for line in actual[previous + 1:number]) and number < len(actual):
            result += actual[previous + 1:number]
        elif number > previous + 1:
            result.append("…")
        if number < len(actual):
            result.append(actual[number])
        previous = number
    return result


def run(page, block, folder):
    """Runs the block, and returns its lines as they ought to be."""
    folder.renew()
    found = commands(block.lines)
    if not found:
        fail(page, block.start, "a console block begins with $ and a command")
        return block.lines
    result = []
    is_masked = "masked" in block.notes
    for index, (command, expected) in enumerate(found):
        interrupts = expected[:1] == ["^C"]
        written, status = folder.run("\n".join(command), interrupts)
        actual = (["^C"] if interrupts else []) + [line.rstrip() for line in written.split("\n")]
        while actual and not actual[-1]:
            actual.pop()
        is_apart = index < len(found) - 1 and expected[-1:] == [""]
        while expected and not expected[-1]:
            expected.pop()
        code = int(block.notes.get("exits", 0)) if index == len(found) - 1 else 0
        if status != code:
            fail(page, block.start, f"`{command[0]}` exits with {status}, not {code}:\n" + "\n".join(actual))
        result += ["$ " + command[0], *command[1:]]
        if RECORDS:
            result += abridged(expected, actual, is_masked)
        elif not matches(expected, actual, is_masked):
            difference = difflib.unified_diff(expected, actual, "the page", "now", lineterm="")
            fail(page, block.start, f"`{command[0]}` writes something else:\n" + "\n".join(difference))
        if is_apart:
            result.append("")
    return result


# MARK: Quotations

def unindented(text):
    return "\n".join(line.strip() for line in text.strip("\n").split("\n"))


def quote(page, block, path):
    """Compares the block with the file, and returns its lines as they ought to be."""
    if not (ROOT / path).is_file():
        fail(page, block.start, f"no file {path}")
        return block.lines
    source = (ROOT / path).read_text()
    if not "".join(block.lines).strip() and RECORDS:
        return source.rstrip("\n").split("\n")
    position, whole = 0, "\n" + unindented(source) + "\n"
    for paragraph in re.split(r"\n\s*\n", "\n".join(block.lines).strip("\n")):
        position = whole.find("\n" + unindented(paragraph) + "\n", position)
        if position < 0:
            fail(page, block.start, f"not in {path}:\n{paragraph}")
            break
    return block.lines


# MARK: Pages

def check(page, opviz, programs):
    lines = page.read_text().split("\n")
    is_left_out = any(line.startswith("<!-- page not run: ") for line in lines)
    inside = {number for block in blocks(lines) for number in range(block.start - 1, block.end + 1)}
    for number, line in enumerate(lines):
        if not is_left_out and line.startswith("    ") and number not in inside and number and not lines[number - 1].strip():
            fail(page, number + 1, "an indented block: use a fence, with its language")
    folder, result, position = None, [], 0
    for block in blocks(lines):
        result += lines[position:block.start]
        position, new = block.end, block.lines
        if is_left_out or "not run" in block.notes:
            counts["not run"] += block.language in ("console", "swift", "sh", "bash")
        elif "file" in block.notes:
            new = quote(page, block, block.notes["file"])
            counts["quoted"] += 1
        elif block.language in ("swift", "sh", "bash", ""):
            fail(page, block.start, "neither run nor marked")
        else:
            folder = folder or Folder(opviz, programs)
            if "save" in block.notes:
                (folder.path / block.notes["save"]).write_text("\n".join(block.lines) + "\n")
            elif block.language == "console":
                new = run(page, block, folder)
                counts["run"] += 1
        result += [(block.indent + line).rstrip() for line in new]
    result += lines[position:]
    if folder:
        folder.remove()
    if RECORDS and result != lines:
        page.write_text("\n".join(result))


# MARK: Links

def anchors(page):
    """Those that GitHub gives the headings of the page."""
    text, found, seen = page.read_text().split("\n"), set(), {}
    inside = {number for block in blocks(text) for number in range(block.start - 1, block.end + 1)}
    for number, line in enumerate(text):
        heading = re.match(r"#+ (.*)", line)
        if heading and number not in inside:
            name = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1]).lower().replace(" ", "-")
            name = re.sub(r"[^\w-]", "", name)
            seen[name] = seen.get(name, -1) + 1
            found.add(name + (f"-{seen[name]}" if seen[name] else ""))
    return found


def check_links(page):
    """Checks the links of the page, and returns the files that they lead to."""
    lines, files = page.read_text().split("\n"), set()
    inside = {number for block in blocks(lines) for number in range(block.start - 1, block.end + 1)}
    for number, line in enumerate(lines):
        line = "" if number in inside else re.sub(r"`[^`]*`", "code", line)
        for target in re.findall(r"\]\(([^)\s]+)\)", line):
            if re.match(r"\w+:", target):
                continue
            counts["links"] += 1
            path, _, anchor = unquote(target).partition("#")
            file = (page.parent / path).resolve() if path else page
            files.add(file)
            if not file.exists():
                fail(page, number + 1, f"a link to {path}, which does not exist")
            elif anchor and anchor not in anchors(file):
                fail(page, number + 1, f"a link to #{anchor}, which {file.name} does not have")
    return files


def check_names():
    """Every page of Documentation that sources, scripts and tests name exists."""
    found = subprocess.run(
        ["git", "grep", "-noE", r"Documentation/[A-Za-z/.-]+\.(md|json|yml|svg|png)", "--", "*", ":!CHANGELOG.md", ":!*.svg", ":!*/CommandReference.md"],
        cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for line in found.splitlines():
        file, number, name = line.split(":", 2)
        counts["links"] += 1
        if not (ROOT / name).exists():
            fail(ROOT / file, number, f"{name} does not exist")


def main(opviz, programs, *names):
    opviz, programs = Path(opviz).resolve(), Path(programs).resolve()
    readme, index = ROOT / "README.md", DOCUMENTATION / "README.md"
    pages = [readme, ROOT / "CONTRIBUTING.md", *sorted(DOCUMENTATION.glob("*.md"))]
    for page in pages:
        if not names or page.name in names or str(page.relative_to(ROOT)) in names:
            check(page, opviz, programs)
    if not names:
        made = subprocess.run(
            [sys.executable, ROOT / "Scripts/command-reference.py", opviz], capture_output=True, text=True, check=True).stdout
        reference = DOCUMENTATION / "CommandReference.md"
        if RECORDS:
            reference.write_text(made)
        elif not reference.exists() or reference.read_text() != made:
            fail(reference, 1, "not what Scripts/command-reference.py makes of --help; OPVIZ_RECORD_GOLDENS=1 writes it anew")
        mapped = check_links(index)
        for page in [*pages, ROOT / "CHANGELOG.md"]:
            check_links(page)
            if page.parent == DOCUMENTATION and page != index and page not in mapped:
                fail(page, 1, "Documentation/README.md does not link to it")
        check_names()
        count = len(readme.read_text().splitlines())
        if count > LINES_OF_README:
            fail(readme, count, f"{count} lines; at most {LINES_OF_README}")
    for failure in failures:
        print(f"guides: {failure}", file=sys.stderr)
    print(f"guides: {counts['run']} blocks run, {counts['quoted']} compared with files, {counts['not run']} marked as not run, "
          f"{counts['links']} links, {len(failures)} failures")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main(*sys.argv[1:])
