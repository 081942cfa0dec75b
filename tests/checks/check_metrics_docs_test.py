"""Metrics of the code, of their page and of deploy/monitoring: each that one of them lacks is told."""
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "tools"))

import check_metrics_docs as check

ROW = "| `ingot_agent_hosts` | gauge | `state`, `why` | Hosts that it serves | Look |\n"
CODE = 'page.gauge("ingot_agent_hosts", "Hosts that "\n    "it serves").set(1);'


def problems(row=ROW, code=CODE, monitored=()):
    return list(check.problems(check.rows(row), [("a.cpp", code)], monitored))


class Metrics(unittest.TestCase):
    def test_a_row_has_type_labels_and_the_words_of_the_code(self):
        self.assertEqual({"ingot_agent_hosts": ("gauge", frozenset({"state", "why"}), "Hosts that it serves")}, check.rows(ROW))
        self.assertEqual([], problems(monitored=[("rules.yaml", "ingot_agent_hosts")]))

    def test_what_the_page_lacks_is_told(self):
        for code, problem in ((CODE + 'x.counter("ingot_more_total", "More")', "ingot_more_total has no row"),
                              (CODE + 'x.counter("other_name_total", "More")', "other_name_total has no row"),
                              (CODE.replace("gauge", "counter"), "is a counter, its row says gauge"),
                              (CODE.replace("serves", "had"), "is not explained by the words of its row"),
                              ('"nothing"', "ingot_agent_hosts is no metric of the code")):
            with self.subTest(problem):
                self.assertEqual(1, sum(problem in each for each in problems(code=code)), problems(code=code))

    def test_what_prometheus_is_asked_for_has_a_row(self):
        self.assertEqual({"bmh_bmc_up", "metal3_operation_inspect_duration_seconds"},
                         check.asked('min(bmh_bmc_up) + rate(metal3_operation_inspect_duration_seconds_bucket{host="ingot_x"}[5m])') - {"ingot_x"})
        self.assertIn("asks for ingot_new, which has no row", "".join(problems(monitored=[("rules.yaml", "ingot_new")])))

    def test_a_name_has_one_row(self):
        with self.assertRaisesRegex(ValueError, "two rows"):
            check.rows(ROW + ROW)


if __name__ == "__main__":
    unittest.main()
