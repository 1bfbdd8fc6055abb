#!/usr/bin/env python3
"""Runs every statement of Documentation/Fleet.md in its engines over the tables of the simulated fleet, and compares.

    run_document.py FLEET.md        in a folder with tables/

With OPVIZ_RECORD_GOLDENS=1 the results in the document are written anew.
"""
import os
import sys
import time

import fleet_checks
from engines import ClickHouse, DuckDB
from fleet_document import Block, Result, is_question, parse, replaced, table


def main():
    path = sys.argv[1]
    with open(path) as file:
        text = file.read()
    fleet_checks.expect_sound_files()
    engines = {engine.name: engine() for engine in (ClickHouse, DuckDB)}
    answers, wrong, recorded, count = {}, [], {}, 0
    for part in parse(text):
        if isinstance(part, Block):
            for name in part.engines:
                fleet_checks.before(part, engines[name])
                for statement in part.statements:
                    count += 1
                    begin = time.monotonic(), time.process_time()
                    try:
                        columns, rows = engines[name].run(statement)
                    except Exception as error:
                        sys.exit(f"{path}:{part.line}: {name}: {error}\n\n{statement}")
                    if os.environ.get("OPVIZ_FLEET_TIMES"):
                        taken = time.monotonic() - begin[0], time.process_time() - begin[1]
                        print("%8.3f s, %8.3f s of processors  " % taken + f"{name:10}  {part.heading}: {statement[:60]!r}")
                    if is_question(statement):
                        answers[part.line, name] = (part, columns, rows)
                fleet_checks.after(part, engines[name])
        elif isinstance(part, Result):
            for block in part.blocks:
                for name in block.engines:
                    _, columns, rows = answers[block.line, name]
                    given = table(columns, rows)
                    if given != recorded.setdefault(part.line, given):
                        wrong.append(f"{path}:{part.line}: {name} gives another result than the other engine:\n{given}")
                    if given != part.text and not os.environ.get("OPVIZ_RECORD_GOLDENS"):
                        wrong.append(f"{path}:{part.line}: {name} gives another result than the document has:\n{given}")
    wrong += fleet_checks.findings(answers, engines)
    if os.environ.get("OPVIZ_RECORD_GOLDENS"):
        with open(path, "w") as file:
            file.write(replaced(text, recorded))
    if wrong:
        sys.exit("\n".join(wrong))
    print(f"fleet: {count} statements of {os.path.basename(path)}, {len(recorded)} results")


main()
