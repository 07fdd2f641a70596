"""YAML that remembers its lines and refuses keys that stand twice."""

from typing import Any

import yaml

from quartermaster.errors import BrokenFile

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C parser, where it is built in


def compose(text: str, source: str, first_line: int = 1) -> list[yaml.Node]:
    """The documents of a text as nodes; `BrokenFile` if it is no YAML."""
    try:
        try:
            nodes = list(yaml.compose_all(text, _LOADER))
        except yaml.YAMLError:
            # The parser in Python says better where it is broken, and the same everywhere.
            nodes = list(yaml.compose_all(text, yaml.SafeLoader))
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = None if mark is None else mark.line + first_line
        reason = getattr(error, "problem", None) or str(error)
        raise BrokenFile(source, line, f"no YAML: {reason}") from None
    nodes = [node for node in nodes if node is not None]
    for node in nodes:
        _refuse_doubles(node, source, first_line)
    return nodes


def _refuse_doubles(node: yaml.Node, source: str, first_line: int) -> None:
    seen: set[str] = set()
    for child in node.value if isinstance(node, yaml.CollectionNode) else ():
        if isinstance(node, yaml.MappingNode):
            key, value = child
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    line = line_of(key, first_line)
                    raise BrokenFile(source, line, f"{key.value!r} stands twice")
                seen.add(key.value)
            _refuse_doubles(value, source, first_line)
        else:
            _refuse_doubles(child, source, first_line)


def line_of(node: yaml.Node, first_line: int = 1) -> int:
    return int(node.start_mark.line) + first_line


def value_of(node: yaml.Node) -> Any:
    """The plain data of a node."""
    return yaml.SafeLoader("").construct_object(node, deep=True)


def lines_in(node: yaml.Node, first_line: int = 1) -> dict[str, int]:
    """Every word of a node with the line it first stands in, keys and values alike."""
    lines: dict[str, int] = {}
    todo = [node]
    while todo:
        at = todo.pop(0)
        if isinstance(at, yaml.ScalarNode):
            lines.setdefault(at.value, line_of(at, first_line))
        elif isinstance(at, yaml.MappingNode):
            for key, value in at.value:
                todo += [key, value]
        else:
            todo += at.value
    return lines
