"""The output of ``plyhouse check``: a table, and below it what was said in the rows that are not right; or JSON."""

import json
from collections import Counter
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from programs.check.findings import Finding, Verdict
from programs.check.steps import is_sound

MOST_LETTERS = 400
"""Longer lines are printed without their middle; JSON has them whole."""

STYLES = {Verdict.RIGHT: "green", Verdict.WRONG: "bold red", Verdict.SLOW: "yellow"}
"""Colours repeat what the words say."""


def print_findings(console: Console, program: str, findings: Sequence[Finding]) -> None:
    """Prints the table, then each row that is wrong or slow with what was said, and the sum."""
    table = Table("check", "verdict", "what it did", title=Text(program), title_justify="left")
    for finding in findings:
        verdict = Text(finding.verdict.value, STYLES.get(finding.verdict, ""))
        table.add_row(Text(finding.name), verdict, Text(finding.detail))
    console.print(table)
    for finding in findings:
        if finding.verdict in (Verdict.WRONG, Verdict.SLOW):
            _print_details(console, finding)
    console.print(_sum(findings), markup=False, highlight=False)


def _print_details(console: Console, finding: Finding) -> None:
    lines = [f"{finding.verdict.value}: {finding.name}", f"  {finding.detail}"]
    lines += [f"    {one.by.value} {_shortened(one.text)}" for one in finding.said]
    lines += [f"  The protocol: {finding.rule.text} ({finding.rule.section})", ""]
    for line in lines:
        console.print(line, markup=False, highlight=False, soft_wrap=True)


def _shortened(text: str) -> str:
    half = MOST_LETTERS // 2
    return text if len(text) <= MOST_LETTERS else f"{text[:half]} … {text[-half:]}"


def _sum(findings: Sequence[Finding]) -> str:
    counts = Counter(finding.verdict for finding in findings)
    return ", ".join(f"{counts[verdict]} {verdict.value}" for verdict in Verdict if counts[verdict])


def as_json(kind: str, program: str, findings: Sequence[Finding]) -> str:
    """All findings as one JSON object."""
    content = {
        "kind": kind,
        "program": program,
        "sound": is_sound(findings),
        "checks": [_finding_json(finding) for finding in findings],
    }
    return json.dumps(content, indent=2, ensure_ascii=False)


def _finding_json(finding: Finding) -> dict[str, object]:
    return {
        "name": finding.name,
        "verdict": finding.verdict.value,
        "detail": finding.detail,
        "rule": finding.rule.text,
        "section": finding.rule.section,
        "said": [{"by": one.by.name.lower(), "text": one.text} for one in finding.said],
    }
