"""The two engines, as Python packages: a statement in, columns and rows out."""
import json

import duckdb
from chdb import session


class ClickHouse:
    name = "ClickHouse"

    def __init__(self):
        self.session = session.Session()

    def run(self, statement):
        answer = str(self.session.query(statement, "JSONCompact"))
        if not answer.strip():
            return [], []
        document = json.loads(answer)
        kinds = [column["type"] for column in document["meta"]]

        def value(kind, cell):
            if isinstance(cell, list):
                return "[" + ", ".join(f"{entry:g}" for entry in cell) + "]"
            return float(cell) if "Float" in kind and cell is not None else cell

        rows = [[value(kind, cell) for kind, cell in zip(kinds, row)] for row in document["data"]]
        return [column["name"] for column in document["meta"]], rows

    def close(self):
        self.session.close()


class DuckDB:
    name = "DuckDB"

    def __init__(self):
        self.connection = duckdb.connect()

    def run(self, statement):
        cursor = self.connection.execute(statement)
        if not cursor.description:
            return [], []
        return [column[0] for column in cursor.description], [list(row) for row in cursor.fetchall()]

    def close(self):
        self.connection.close()
