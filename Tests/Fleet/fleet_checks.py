"""What must be true of the tables and of the answers, beside what stands in the document."""
import glob
import json

import duckdb

TABLES = ["operations", "hazards", "edges", "events", "runs"]
RUNS, INCOMPLETE = 1000, 20


def count(engine, table, final=True):
    """Rows; of ClickHouse as they are when all that is there twice has been merged, which it does at some moment."""
    merged = " FINAL" if final and engine.name == "ClickHouse" else ""
    return engine.run(f"SELECT count(*) AS n FROM {table}{merged}")[1][0][0]


def counts(engine, final=True):
    return {table: count(engine, table, final) for table in TABLES + ["run_kinds"]}


def rows_of_files(table, folders="tables/*"):
    rows = 0
    for name in glob.glob(f"{folders}/{table}.jsonl"):
        with open(name, "rb") as file:
            rows += sum(1 for _ in file)
    return rows


def is_load(block, engine):
    return block.heading == "Load" and any(statement.startswith("INSERT") for statement in block.statements)


def before(block, engine):
    """Before the first load there is one that was interrupted: its operations are there, and its runs are not."""
    if is_load(block, engine) and engine.name == "ClickHouse":
        engine.run(block.statements[0])
        assert count(engine, "operations") > 0 and count(engine, "runs") == 0
    if is_load(block, engine) and engine.name == "DuckDB":
        for statement in block.statements[:3]:
            engine.run(statement)
        engine.run("ROLLBACK")
        assert count(engine, "operations") == 0


def after(block, engine):
    if is_load(block, engine):
        load_once_more(block, engine)
    if engine.name == "DuckDB" and is_load(block, engine) or block.statements[0].startswith("OPTIMIZE"):
        found = counts(engine, final=False)
        expected = {table: rows_of_files(table) for table in TABLES}
        assert {table: found[table] for table in TABLES} == expected, f"{engine.name} has {found}, the files {expected}"
        assert expected["runs"] == RUNS
        columns, rows = engine.run("SELECT count(*) AS n, count(DISTINCT run) AS runs FROM run_kinds")
        # Every run has its eight kinds; runs with starved threads have one more.
        assert rows[0][1] == RUNS - INCOMPLETE and rows[0][0] >= 8 * rows[0][1], rows


def load_once_more(block, engine):
    """A load that is repeated does nothing, and tables without rows are loaded too."""
    loaded = counts(engine)
    for statement in block.statements:
        engine.run(statement)
    assert counts(engine) == loaded, f"{engine.name}: a second load changed {loaded} to {counts(engine)}"
    for statement in block.statements:
        engine.run(statement.replace("tables/*/", "idle/"))
    assert counts(engine) == {**loaded, "runs": loaded["runs"] + 1}, f"{engine.name}: {counts(engine)}"
    engine.run("DELETE FROM runs WHERE process = 'idle'")
    if engine.name == "DuckDB":
        expect_refusal(block, engine, loaded)
    else:
        expect_merge(block, engine, loaded)
        expect_own_runs(block, engine, loaded)


def expect_merge(block, engine, loaded):
    """ClickHouse merges the rows of a run that is twice in one load."""
    for statement in block.statements:
        engine.run(statement.replace("tables/*/", "twice/*/"))
    once = {table: loaded[table] + rows_of_files(table, "twice/one") for table in TABLES}
    found = counts(engine)
    assert {table: found[table] for table in TABLES} == once, f"{found}, not {once}"
    assert found["run_kinds"] == loaded["run_kinds"] + 8, found
    assert engine.run("SELECT sum(operations) AS n FROM run_kinds FINAL WHERE process = 'twice'")[1] == [[40]]
    run = engine.run("SELECT run FROM runs FINAL WHERE process = 'twice'")[1][0][0]
    for table in found:
        engine.run(f"DELETE FROM {table} WHERE run = '{run}'")
    assert counts(engine) == loaded, counts(engine)


def expect_own_runs(block, engine, loaded):
    """A load in ClickHouse makes no rows of another load that is in the middle of its operations."""
    engine.run(block.statements[0].replace("tables/*/", "late/").rstrip().rstrip(";") + " LIMIT 3")
    for statement in block.statements:
        engine.run(statement.replace("tables/*/", "twice/one/"))
    assert engine.run("SELECT count(*) AS n FROM run_kinds WHERE process = 'late'")[1] == [[0]], "half a run was summed up"
    for statement in block.statements:
        engine.run(statement.replace("tables/*/", "late/"))
    sums = engine.run("SELECT process, sum(operations) AS n FROM run_kinds FINAL WHERE process IN ('late', 'twice') GROUP BY process ORDER BY process")
    assert sums[1] == [["late", 40], ["twice", 40]], sums
    runs = engine.run("SELECT run FROM runs FINAL WHERE process IN ('late', 'twice')")[1]
    for table in loaded:
        for run, in runs:
            engine.run(f"DELETE FROM {table} WHERE run = '{run}'")
    assert counts(engine) == loaded, counts(engine)


def expect_refusal(block, engine, loaded):
    """DuckDB refuses a run that is twice in one load, whole."""
    try:
        for statement in block.statements:
            engine.run(statement.replace("tables/*/", "twice/*/"))
    except duckdb.ConstraintException as error:
        assert "duplicate key" in str(error), error
        engine.run("ROLLBACK")
    else:
        raise AssertionError("a run that is there twice was loaded")
    assert counts(engine) == loaded, counts(engine)


def verdicts(answers, heading):
    """By engine, the rows of that section that have a verdict, and how many rows there were to have one."""
    for (_, name), (block, columns, rows) in answers.items():
        if block.heading == heading and "verdict" in columns:
            place = columns.index("verdict")
            yield name, [dict(zip(columns, row)) for row in rows if row[place]], len(rows)


def findings(answers, engines):
    """One sentence for each thing that was hidden in the fleet and not found, or found and not hidden."""
    wrong = []
    regressions = list(verdicts(answers, "Regressions between two builds"))
    for name, flagged, kinds in regressions:
        if [row["kind"] for row in flagged] != ["Thumbnail"] or kinds != 9:
            wrong.append(f"{name}: regressed are {flagged} of {kinds} kinds, not Thumbnail alone of nine")
    ill = {}
    for name, flagged, _ in verdicts(answers, "Hazards by host"):
        ill.setdefault(name, set()).update((row["host"], row.get("rule") or row["kind"]) for row in flagged)
    for name in engines:
        if ill.get(name) != {("web-07", "thread-starvation"), ("web-13", "Store")}:
            wrong.append(f"{name}: ill are {ill.get(name)}")
    if {name for name, _, _ in regressions} != set(engines):
        wrong.append("an engine was not asked for regressions")
    return wrong + false_alarms(answers, engines)


def false_alarms(answers, engines):
    """Builds that are the same: the runs of each machine are dealt to two versions anew, without the regression."""
    question = next(block.statements[-1] for (_, _), (block, columns, _) in answers.items()
                    if block.heading == "Regressions between two builds" and "verdict" in columns)
    engine, wrong = engines["DuckDB"], []
    engine.run("CREATE SCHEMA dealt")
    engine.run("CREATE VIEW dealt.runs AS FROM main.runs")
    for deal in range(20):
        engine.run(f"""
            CREATE OR REPLACE TABLE dealt.run_kinds AS
            SELECT k.* REPLACE (
                CASE WHEN md5(k.run::VARCHAR || '{deal}') < '8' THEN '1.4.1' ELSE '1.4.2' END AS version,
                CASE WHEN k.kind = 'Thumbnail' AND k.version = '1.4.2' THEN k.median_ns / 1.12 ELSE k.median_ns END AS median_ns)
            FROM main.run_kinds AS k""")
        engine.run("USE dealt")
        columns, rows = engine.run(question)
        engine.run("USE main")
        wrong += [f"deal {deal} of equal builds: {row}" for row in rows if row[columns.index("verdict")]]
    return wrong


def expect_sound_files():
    """The export's losses and states of incomplete runs."""
    incomplete = []
    for name in glob.glob("tables/*/runs.jsonl"):
        with open(name) as file:
            incomplete += [row for row in map(json.loads, file) if not row["is_complete"]]
    assert len(incomplete) == INCOMPLETE, len(incomplete)
    for row in incomplete:
        assert row["losses"] and row["dropped_events"] > 0 or not row["is_closed"], row
