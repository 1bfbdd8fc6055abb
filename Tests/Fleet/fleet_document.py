"""Documentation/Fleet.md as a program: its statements in their order, and the results that stand below them."""
import re
from dataclasses import dataclass

ENGINES = {"ClickHouse": ["ClickHouse"], "DuckDB": ["DuckDB"], "ClickHouse and DuckDB": ["ClickHouse", "DuckDB"]}


@dataclass
class Block:
    """A fenced block of SQL. Its first line says which engines it is for."""
    heading: str
    line: int
    engines: list
    statements: list


@dataclass
class Result:
    """A fenced block of text: what the last statement of each block since the last one gives."""
    line: int
    text: str
    blocks: list


def statements(sql):
    """Those that a semicolon at the end of a line ends, without comments."""
    text = "\n".join(line for line in sql.split("\n") if not line.startswith("--"))
    return [part.strip() for part in re.split(r";[ ]*(?:\n|$)", text) if part.strip()]


def is_question(statement):
    return re.match(r"(SELECT|WITH)\b", statement) is not None


def parse(text):
    """The blocks and the results of the document, in their order. What it cannot understand ends the program."""
    parts, heading, waiting = [], "", []
    lines = text.split("\n")
    number = 0
    while number < len(lines):
        line = lines[number]
        if line.startswith("## "):
            heading = line[3:]
        if line.startswith("```"):
            language, begin = line[3:], number + 1
            number = lines.index("```", begin)
            body = "\n".join(lines[begin:number])
            if language == "sql":
                named = re.match(r"-- ([A-Za-z ]+)", body)
                engines = ENGINES.get(named.group(1).strip()) if named else None
                assert engines, f"line {begin}: the first line of a block of SQL is -- and {', '.join(ENGINES)}"
                block = Block(heading, begin, engines, statements(body))
                assert block.statements, f"line {begin}: there is no statement in the block"
                parts.append(block)
                if is_question(block.statements[-1]):
                    waiting.append(block)
            elif language == "text":
                assert waiting, f"line {begin}: a result without a question before it"
                parts.append(Result(begin, body, waiting))
                waiting = []
            else:
                raise AssertionError(f"line {begin}: a block of neither sql nor text would not be run")
        number += 1
    assert not waiting, f"line {waiting[-1].line}: a question without its result"
    return parts


def replaced(text, results):
    """The document with other results. `results`: by line of a result, its text."""
    lines = text.split("\n")
    for line in sorted(results, reverse=True):
        lines[line:lines.index("```", line)] = results[line].split("\n")
    return "\n".join(lines)


def table(columns, rows):
    """Numbers to the right, the decimals of a column all the same."""
    cells = [[str(column) for column in columns]] + [[""] * len(columns) for _ in rows]
    widths, numeric = [], []
    for place in range(len(columns)):
        values = [row[place] for row in rows]
        floats = [value for value in values if isinstance(value, float)]
        decimals = max((len(repr(value).partition(".")[2]) if value % 1 else 0 for value in floats), default=0)
        for row, value in enumerate(values):
            shown = f"{value:.{decimals}f}" if isinstance(value, float) else "" if value is None else str(value)
            cells[row + 1][place] = shown
        widths.append(max(len(row[place]) for row in cells))
        numeric.append(any(isinstance(value, (int, float)) for value in values))
    return "\n".join(
        "  ".join(cell.rjust(width) if right else cell.ljust(width) for cell, width, right in zip(row, widths, numeric)).rstrip()
        for row in cells)
