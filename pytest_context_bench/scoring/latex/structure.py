"""What an answer can be: a scalar, a list, set, tuple or interval, a matrix, an equation."""

from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from pytest_context_bench.scoring.latex.algebra import Quotient
from pytest_context_bench.scoring.latex.expression import evaluate
from pytest_context_bench.scoring.latex.polynomials import OutOfBoundsError, UnclearError
from pytest_context_bench.scoring.latex.units import Quantity, quantity

MAX_LENGTH = 2_000  # characters; a longer answer is compared as it stands


@dataclass(frozen=True)
class Scalar:
    """One figure, expression or word, in plain notation."""

    text: str

    @cached_property
    def quantity(self) -> Quantity:
        """The figure apart from its unit."""
        return quantity(self.text)

    @cached_property
    def value(self) -> Quotient | None:
        """The value of the figure, None where it cannot be worked out."""
        try:
            return evaluate(self.quantity.figure)
        except (UnclearError, OutOfBoundsError):
            return None

    @cached_property
    def product(self) -> Quotient | None:
        """The value with what looks like a unit taken as factors: in `2 h` it may be one."""
        try:
            return evaluate(self.text)
        except (UnclearError, OutOfBoundsError):
            return None

    @cached_property
    def out_of_bounds(self) -> bool:
        """Whether the figure is none to compare."""
        try:
            evaluate(self.quantity.figure)
        except UnclearError:
            return False
        except OutOfBoundsError:
            return True
        return False


@dataclass(frozen=True)
class Based:
    """A number in a stated base: the same value in another base is another answer."""

    digits: str
    base: int


@dataclass(frozen=True)
class Group:
    """Several answers; without brackets they are a bare list."""

    opener: str
    members: "tuple[Node, ...]"
    closer: str

    @property
    def ordered(self) -> bool:
        """Whether the order tells: in tuples and intervals, not in lists, sets and unions."""
        return self.opener in ("(", "[")


@dataclass(frozen=True)
class Matrix:
    """Rows of cells."""

    rows: "tuple[tuple[Node, ...], ...]"


@dataclass(frozen=True)
class Equation:
    r"""What is said to be equal: one side may be but the name of the other, as in `x = 5` or `x \in S`."""

    text: str
    left: str
    right: str
    name: str = ""
    value: "Node | None" = None

    @cached_property
    def difference(self) -> Quotient | None:
        """The left side less the right one."""
        try:
            return evaluate(self.left) - evaluate(self.right)
        except (UnclearError, OutOfBoundsError):
            return None


Node: TypeAlias = Scalar | Based | Group | Matrix | Equation
