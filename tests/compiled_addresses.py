"""What werkzeug compiles for the addresses of a viewer, once for all viewers: most of the work of making one."""

from __future__ import annotations

from typing import Any

from werkzeug.routing import Rule


def share() -> None:
    """Lets all viewers that this process makes from now on, and those that are forked from it, share it."""
    builders: dict[tuple[str, str, str, bool], Any] = {}
    compile_builder = Rule._compile_builder

    def once(rule: Rule, append_unknown: bool = True) -> Any:
        # What is compiled is a function of these, and gets the rule when it is called.
        key = (rule.rule, repr(rule._trace), repr(rule.defaults), append_unknown)
        if key not in builders:
            builders[key] = compile_builder(rule, append_unknown)
        return builders[key]

    Rule._compile_builder = once  # type: ignore[method-assign]
