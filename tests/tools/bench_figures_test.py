"""What tools/bench/figures.py makes of what was measured."""
import contextlib
import io
import pathlib
import sys
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools/bench"))

import agents  # noqa: E402  (the path comes first)
from figures import Figure, lines, most_within, number, percentile  # noqa: E402  (the path comes first)


class Arithmetic(unittest.TestCase):
    def test_a_percentile_is_one_of_the_values_by_nearest_rank(self):
        values = list(range(100, 0, -1))
        self.assertEqual([50, 99, 100, 1], [percentile(values, percent) for percent in (50, 99, 100, 0)])
        self.assertEqual([7, 7], [percentile([7], percent) for percent in (50, 99)])
        self.assertEqual(3, percentile([1, 3], 99))

    def test_the_busiest_span_is_found_wherever_it_begins(self):
        self.assertEqual(0, most_within([], 1))
        self.assertEqual(3, most_within([10.9, 0, 10.1, 10.5, 11.2, 12.5], 1))
        self.assertEqual(2, most_within([5, 5], 1))

    def test_the_end_of_a_span_is_not_counted(self):
        self.assertEqual(4, most_within([each / 4 for each in range(20)], 1))

    def test_numbers_are_as_exact_as_they_are_read(self):
        self.assertEqual(["3", "0.04", "9.50", "12.3", "14286"], [number(each) for each in (3, 0.04, 9.5, 12.34, 14286.4)])


class Goals(unittest.TestCase):
    def test_a_figure_on_its_goal_has_reached_it(self):
        self.assertEqual("yes", Figure("x", 5.0, most=5).verdict())
        self.assertEqual("NO", Figure("x", 5.01, most=5).verdict())
        self.assertEqual("yes", Figure("x", 90.0, least=90).verdict())
        self.assertEqual("NO", Figure("x", 89.9, least=90).verdict())
        self.assertEqual(("-", "-"), (Figure("x", 1.0).goal(), Figure("x", 1.0).verdict()))

    def test_a_table_has_its_columns_under_each_other(self):
        self.assertEqual(["       | measured |     | goal | reached",
                          "  CPU  | 12.0     | %   | ≤ 5  | NO",
                          "  sent | 3        |     | ≥ 3  | yes",
                          "  RSS  | 40.0     | MiB | -    | -"],
                         lines([Figure("CPU", 12.0, "%", most=5), Figure("sent", 3, least=3), Figure("RSS", 40.0, "MiB")]))

    def test_a_goal_that_is_missed_is_in_the_exit_code_of_the_agents_bench(self):
        def run(value):
            def polls(_):
                """Polls."""
                return [Figure("CPU", value, "%", most=5)]

            quiet = contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO())
            with unittest.mock.patch.dict(agents.MEASUREMENTS, polls=polls), quiet[0], quiet[1] as told, \
                 unittest.mock.patch.object(sys, "argv", ["agents.py", "--only", "polls"]):
                return agents.main(), told.getvalue()

        self.assertEqual((0, ""), run(5.0))
        self.assertEqual((1, "\ngoals missed: polls, CPU\n"), run(6.0))


if __name__ == "__main__":
    unittest.main()
