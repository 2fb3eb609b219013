"""What werkzeug and Jinja compile for a viewer, once for all viewers of a process: most of the work of making one."""

from types import CodeType
from typing import Any

from jinja2.bccache import Bucket, BytecodeCache
from werkzeug.routing import Rule


class CompiledTemplates(BytecodeCache):
    """Templates as code: a text that was compiled once is neither compiled nor read from a file again."""

    def __init__(self) -> None:
        self._code: dict[tuple[str, str], CodeType | None] = {}

    def load_bytecode(self, bucket: Bucket) -> None:
        bucket.code = self._code.get((bucket.key, bucket.checksum))

    def dump_bytecode(self, bucket: Bucket) -> None:
        self._code[bucket.key, bucket.checksum] = bucket.code


def share() -> None:
    """Lets all viewers that this process makes from now on, and those that are forked from it, share addresses."""
    compiled: dict[tuple[str, ...], Rule] = {}
    compile_rule = Rule.compile

    def once(rule: Rule) -> None:
        # What is compiled is a function of these; our addresses have only converters that ask nothing of their map.
        key: Any = (rule.rule, rule.host, rule.subdomain, rule.merge_slashes, rule.strict_slashes, repr(rule.defaults))
        if (first := compiled.get(key)) is None:
            compile_rule(rule)
            compiled[key] = rule
            return
        rule._parts, rule._trace, rule._converters = first._parts, first._trace, first._converters
        rule.arguments |= first.arguments
        rule._build = first._build.__func__.__get__(rule)  # type: ignore[attr-defined]  # a method of the rule
        rule._build_unknown = first._build_unknown.__func__.__get__(rule)  # type: ignore[attr-defined]

    Rule.compile = once  # type: ignore[method-assign]
