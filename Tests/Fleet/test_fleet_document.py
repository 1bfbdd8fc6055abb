"""Of the document as a program: that nothing in it can stand there without being run."""
import unittest

from fleet_document import Result, parse, replaced, table

QUESTION = "## One\n\n```sql\n-- DuckDB: why\nCREATE TABLE t (a INT);\n\n-- A comment; with a semicolon.\nSELECT 1;\n```\n"
RESULT = "\n```text\n1\n```\n"


class FleetDocumentTests(unittest.TestCase):
    def test_statements_are_those_between_semicolons_at_ends_of_lines(self):
        block, result = parse(QUESTION + RESULT)
        self.assertEqual(block.statements, ["CREATE TABLE t (a INT)", "SELECT 1"])
        self.assertEqual((block.heading, block.engines, result.text, result.blocks), ("One", ["DuckDB"], "1", [block]))

    def test_a_block_that_would_not_be_run_is_refused(self):
        for text in [
            QUESTION.replace("-- DuckDB: why", "-- SQLite"), QUESTION.replace("-- DuckDB: why\n", ""),
            QUESTION.replace("```sql", "```SQL"), QUESTION.replace("```sql", "```"),
        ]:
            with self.assertRaises(AssertionError):
                parse(text + RESULT)

    def test_a_question_without_a_result_is_refused_and_a_result_without_a_question(self):
        for text in [QUESTION, RESULT, QUESTION + RESULT + RESULT]:
            with self.assertRaises(AssertionError):
                parse(text)

    def test_results_are_replaced_where_they_stand(self):
        text = QUESTION + RESULT + "after\n" + QUESTION + RESULT
        lines = [part.line for part in parse(text) if isinstance(part, Result)]
        self.assertEqual(
            replaced(text, {lines[0]: "2\n3", lines[1]: "4"}),
            QUESTION + "\n```text\n2\n3\n```\nafter\n" + QUESTION + "\n```text\n4\n```\n")

    def test_numbers_stand_to_the_right_with_the_decimals_of_their_column(self):
        self.assertEqual(
            table(["name", "ms"], [["a", 1.0], ["bc", 12.25], [None, None]]), "name     ms\na      1.00\nbc    12.25\n")


if __name__ == "__main__":
    unittest.main()
