"""Decides by exact rules whether two answers are the same; what they leave open may be asked elsewhere."""

from collections.abc import Callable, Sequence
from typing import TypeAlias

from pytest_context_bench.scoring.latex.answer import Answer
from pytest_context_bench.scoring.latex.polynomials import OutOfBoundsError, UnclearError
from pytest_context_bench.scoring.latex.scalars import Ask, is_no_number, refuse, same_scalars
from pytest_context_bench.scoring.latex.structure import Equation, Group, Matrix, Node, Scalar

MAX_MEMBERS = 40  # longer lists are compared in the order given

_Comparison: TypeAlias = Callable[[Node, Node], bool]


def equal(given: Answer, gold: Answer, ask: Ask = refuse) -> bool:
    """Whether the two answers are the same; *ask* decides on scalars and equations the rules leave open."""
    if given.dense == gold.dense:
        return bool(gold.dense) and not is_no_number(gold.plain)
    return _same(given.structure, gold.structure, ask)


def _same(given: Node, gold: Node, ask: Ask = refuse) -> bool:
    given, gold = _opened(given, gold), _opened(gold, given)
    match given, gold:
        case Scalar(), Scalar():
            return same_scalars(given, gold, ask)
        case Equation(), Equation():
            return _same_equations(given, gold, ask)
        case Group(), Group():
            return _same_groups(given, gold, ask)
        case Matrix(), Matrix():
            return _same_matrices(given, gold, ask)
        case _:
            return given == gold


def _opened(node: Node, other: Node) -> Node:
    """Return what a name stands for, or the one member of a set, where *other* has neither."""
    if isinstance(node, Equation) and node.value is not None and not isinstance(other, Equation):
        return _opened(node.value, other)
    if isinstance(node, Group) and len(node.members) == 1 and not isinstance(other, Group):
        return _opened(node.members[0], other)
    return node


def _same_equations(given: Equation, gold: Equation, ask: Ask) -> bool:
    if given.name == gold.name and given.value is not None and gold.value is not None:
        return _same(given.value, gold.value, ask)
    if given.difference is None or gold.difference is None:
        return given.text == gold.text or (not given.name and not gold.name and ask(given.text, gold.text))
    try:
        return given.difference.is_proportional(gold.difference)
    except (UnclearError, OutOfBoundsError):
        return False


def _same_groups(given: Group, gold: Group, ask: Ask) -> bool:
    if given.ordered or gold.ordered:
        alike = (given.opener, given.closer) == (gold.opener, gold.closer)
        return alike and _same_in_order(given.members, gold.members, ask)
    if given.opener == gold.opener == r"\{":
        return _same_in_any_order(_distinct(given.members), _distinct(gold.members), ask)
    return _same_in_any_order(given.members, gold.members, ask)


def _same_matrices(given: Matrix, gold: Matrix, ask: Ask) -> bool:
    if [len(row) for row in given.rows] != [len(row) for row in gold.rows]:
        return False
    return all(_same_in_order(*rows, ask) for rows in zip(given.rows, gold.rows, strict=True))


def _same_in_order(given: Sequence[Node], gold: Sequence[Node], ask: Ask) -> bool:
    open_pairs = [pair for pair in zip(given, gold, strict=False) if not _same(*pair)]
    return len(given) == len(gold) and all(_same(*pair, ask) for pair in open_pairs)


def _same_in_any_order(given: Sequence[Node], gold: Sequence[Node], ask: Ask) -> bool:
    if len(given) != len(gold):
        return False
    if len(given) > MAX_MEMBERS:
        return _same_in_order(given, gold, ask)
    left_given, left_gold = _unmatched(given, gold, _same)
    left_given, left_gold = _unmatched(left_given, left_gold, lambda one, other: _same(one, other, ask))
    return not left_given and not left_gold


def _unmatched(
    given: Sequence[Node], gold: Sequence[Node], same: _Comparison
) -> tuple[list[Node], list[Node]]:
    """Return what is left of both sides once equal members are paired off."""
    left_given, left_gold = [], list(gold)
    for one in given:
        for position, other in enumerate(left_gold):
            if same(one, other):
                del left_gold[position]
                break
        else:
            left_given.append(one)
    return left_given, left_gold


def _distinct(members: Sequence[Node]) -> Sequence[Node]:
    if len(members) > MAX_MEMBERS:
        return members
    kept: list[Node] = []
    for member in members:
        if not any(_same(member, other) for other in kept):
            kept.append(member)
    return kept
