"""YAML that remembers its lines and refuses keys that stand twice."""

from typing import Any

import yaml

from quartermaster.errors import BrokenFile

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the C parser, where it is built in
_DEEPEST = 50
_LONGEST_NUMBER = 100  # characters


class _Plain(yaml.SafeLoader):
    """Makes plain data, but no numbers without end: hexadecimal ones, and those that YAML reads
    as hours and minutes (`1:30:00`), have no limit of their own."""

    def construct_object(self, node: Any, deep: bool = False) -> Any:
        try:
            return super().construct_object(node, deep=deep)
        except (ValueError, LookupError, TypeError, AttributeError, ArithmeticError):
            # What a value should be and is not: a date of month 13, `!!bool perhaps`, `!!int ''`.
            raise yaml.constructor.ConstructorError(
                None, None, f"{node.value!r} cannot be read", node.start_mark
            ) from None

    def construct_yaml_int(self, node: Any) -> int:
        if len(node.value) > _LONGEST_NUMBER:
            raise yaml.constructor.ConstructorError(
                None, None, f"a number of more than {_LONGEST_NUMBER} digits", node.start_mark
            )
        return int(super().construct_yaml_int(node))


_Plain.add_constructor("tag:yaml.org,2002:int", _Plain.construct_yaml_int)


def compose(text: str, source: str, first_line: int = 1) -> list[yaml.Node]:
    """The documents of a text as nodes; `BrokenFile` if it is no YAML."""
    try:
        try:
            _refuse_traps(text, source, first_line)
            nodes = list(yaml.compose_all(text, _LOADER))
        except yaml.YAMLError:
            # The parser in Python says better where it is broken, and the same everywhere.
            nodes = list(yaml.compose_all(text, yaml.SafeLoader))
    except yaml.YAMLError as error:
        line = _line(getattr(error, "problem_mark", None), first_line)
        reason = getattr(error, "problem", None) or str(error)
        raise BrokenFile(source, line, f"no YAML: {reason}") from None
    nodes = [node for node in nodes if node is not None]
    for node in nodes:
        _refuse_doubles(node, source, first_line)
    return nodes


def _line(mark: Any, first_line: int) -> int | None:
    """The line of the file at a mark of the parser; events that the parser made up have none."""
    return None if mark is None else mark.line + first_line


def _refuse_traps(text: str, source: str, first_line: int) -> None:
    """Refuse what would take a small text very long, or the whole process down: aliases can
    stand for lists of lists of lists, and nodes are built by recursion."""
    depth = 0
    for event in yaml.parse(text, _LOADER):
        line = _line(event.start_mark, first_line)
        if isinstance(event, yaml.AliasEvent):
            raise BrokenFile(source, line, f"an alias, *{event.anchor}; write it out")
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
            if depth > _DEEPEST:
                raise BrokenFile(source, line, f"more than {_DEEPEST} levels deep")
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1


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


def value_of(node: yaml.Node, source: str = "<yaml>", first_line: int = 1) -> Any:
    """The plain data of a node; `BrokenFile` if it is more than that."""
    try:
        return _Plain("").construct_object(node, deep=True)
    except yaml.YAMLError as error:  # a tag, a list as key
        mark = getattr(error, "problem_mark", None) or node.start_mark
        reason = getattr(error, "problem", None) or str(error)
        raise BrokenFile(source, mark.line + first_line, f"no plain data: {reason}") from None


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
