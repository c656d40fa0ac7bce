"""Golden cases of significance and agreement: 001 tables 2 and 4, 002 sec. 4, 003 sec. 5, 004 tables 1, 2, 5 and sec. 7."""

from __future__ import annotations

import math
from typing import Any

from golden_cases import Case, covers
from rubricate import agreement, significance
from rubricate.measures.metrics.contingency import Contingency, f_beta, mean_of_defined


def check_chi_square(case: Case, table: Any) -> None:
    """With and without Yates' correction; a whole entry is null where nothing is defined."""
    for key, yates in (("yates", True), ("plain", False)):
        found = significance.chi_square(table, yates=yates)
        undefined = math.isnan(found.p) and case.expected.get(key, 0) is None
        case.check(key, None if undefined else {"chi_square": found.statistic, "p": found.p})


@covers("chi_square_kappa")
def chi_square_kappa(case: Case) -> None:
    if "kappa" in case.expected:
        given = case.input
        found = (
            agreement.kappa_of_table(given["table"])
            if "table" in given
            else agreement.cohen_kappa(given["a"], given["b"])
        )
        case.check("kappa", found)
    else:
        check_chi_square(case, case.input["table"])


@covers("lewis_signtest")
def lewis_signtest(case: Case) -> None:
    given = case.input
    if "f1" in given:
        counted = significance.wins_losses_ties(given["f1"], given["f1_rocchio"])
        case.check("wins_losses_ties", [counted.wins, counted.losses, counted.ties])
        case.check("mean_f1", mean_of_defined(given["f1"]))
        case.check("mean_f1_rocchio", mean_of_defined(given["f1_rocchio"]))
        found = significance.sign_test(given["f1"], given["f1_rocchio"], alternative="greater")
    else:
        found = significance.sign_test(given["wins"], given["losses"], given.get("ties", 0), alternative="greater")
    case.check("p", found.p)
    case.check("significant", found.significant(0.05))
    if "mark_agrees" in case.expected:
        mark = significance.marked(found.wins, found.losses, significant=found.significant(0.05))
        case.check("mark_agrees", ("?" in mark) == given["printed_question_mark"])


@covers("wilbur_signtest")
def wilbur_signtest(case: Case) -> None:
    counts = [case.input[key] for key in ("wins", "losses", "ties")]
    case.check("two_sided", significance.sign_test(*counts).p)
    case.check("one_sided", significance.sign_test(*counts, alternative="greater").p)


@covers("ttest")
def ttest(case: Case) -> None:
    given = case.input
    if "a" in given:
        found = significance.paired_t_test(given["a"], given["b"], alternative="greater")
        case.check("t", found.statistic)
        case.check("df", found.df)
        case.check("p", found.p)
    else:
        case.check("p", significance.student_tail(float(given["t"]), given["df"], "greater"))


@covers("sable_tables")
def sable_tables(case: Case) -> None:
    given = case.input
    if "system_indoor" in given:
        (right_in, wrong_in), (wrong_out, right_out) = given["system_indoor"], given["system_outdoor"]
        indoor = Contingency(right_in, wrong_in, wrong_out, right_out)
        outdoor = Contingency(right_out, wrong_out, wrong_in, right_in)
        for key, table in (("indoor", indoor), ("outdoor", outdoor)):
            case.check(
                key, {"precision": table.precision, "recall": table.recall, "f1": f_beta(table.a, table.b, table.c)}
            )
        case.check("accuracy", 1 - indoor.error)
    elif "right_wrong_1" in given:
        check_chi_square(case, [given["right_wrong_1"], given["right_wrong_2"]])
    else:
        precision, recall = given["precision"], given["recall"]
        wrong = (1 / precision - 1, 1 / recall - 1) if precision * recall > 0 else (1.0, 1.0)
        case.check("f1", f_beta(1.0 if precision * recall > 0 else 0.0, *wrong))
