"""Prints what CHANGELOG.md says about a version, for the notes of its release: release-notes.py VERSION [URL]

VERSION is a number, or Unreleased. With a URL, links to files of the repository begin with it.
"""
import re
import sys
from pathlib import Path

CHANGELOG = Path(__file__).resolve().parent.parent / "CHANGELOG.md"
HEADING = re.compile(r"^## \[([^\]]+)\].*\n", re.MULTILINE)
# The parentheses of a link to a file: not to a page of the web, and not to a heading of the same page.
FILE_LINK = re.compile(r"\]\((?![a-z]+:|#)")


def notes(changelog, version, url=None):
    """The section of a version, without its heading. Raises ValueError if it is missing or empty."""
    headings = list(HEADING.finditer(changelog))
    for heading, following in zip(headings, [*headings[1:], None]):
        if heading[1] == version:
            text = changelog[heading.end():following.start() if following else None].strip()
            if not text:
                raise ValueError(f"the section [{version}] is empty")
            return FILE_LINK.sub(lambda _: f"]({url.rstrip('/')}/", text) if url else text
    raise ValueError(f"expected a section [{version}]; it has {', '.join(heading[1] for heading in headings) or 'none'}")


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit("usage: release-notes.py VERSION [URL]")
    try:
        print(notes(CHANGELOG.read_text(encoding="utf-8"), *sys.argv[1:]))
    except ValueError as error:
        sys.exit(f"CHANGELOG.md: {error}")


if __name__ == "__main__":
    main()
