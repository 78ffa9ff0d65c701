"""Rule cases: from this position these moves give this result (docs/rule-cases.md).

`python -m tests.rule_cases PATH...` runs files or folders of them against the rules engine.
"""
