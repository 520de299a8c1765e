"""Reads a scalar in LaTeX or plain notation into an exact value; what it cannot read exactly it refuses."""

import re
from collections.abc import Callable
from dataclasses import dataclass

from pytest_context_bench.scoring.latex.algebra import Quotient, constant, opaque, square_root, symbol
from pytest_context_bench.scoring.latex.functions import CONSTANTS, FUNCTIONS, SYMBOLS
from pytest_context_bench.scoring.latex.numerals import binomial, decimal, factorial_of, repeating
from pytest_context_bench.scoring.latex.polynomials import UnclearError

MAX_DEPTH = 30
LONGEST_PRODUCT = 3  # letters in a row that are read as a product; more are a word
_TOKEN = re.compile(
    r"\s*(?P<token>(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+(?![\d.]))?|\\[A-Za-z]+|\\.|[A-Za-z]+|\S)"
)
_NUMBER = re.compile(r"\.?\d")
_MIXED = re.compile(r"(?<![\d./^_])(\d+)\s+(\d+)\s*/\s*(\d+)(?![\d.])")
_POWER_OF_TEN = re.compile(r"(?<=\d)\s*[xX]\s*(?=10\s*\^)")
_CLOSERS = {"(": ")", "[": "]", "{": "}"}
_ENDS = {"+", "-", "*", "/", "^", "!", *_CLOSERS.values(), ""}


def evaluate(text: str) -> Quotient:
    """Return the value of *text*, in plain notation. Raises UnclearError or OutOfBoundsError."""
    text = _POWER_OF_TEN.sub("*", _MIXED.sub(r"\1\\frac{\2}{\3}", text))
    parser = _Parser([found["token"] for found in _TOKEN.finditer(text)])
    value = parser.sum()
    if parser.next:
        raise UnclearError
    return value


@dataclass
class _Parser:
    """Recursive descent over tokens, one method a rule of the grammar."""

    tokens: list[str]
    position: int = 0
    depth: int = 0

    @property
    def next(self) -> str:
        return self.tokens[self.position] if self.position < len(self.tokens) else ""

    def take(self) -> str:
        token = self.next
        self.position += 1
        return token

    def takes(self, token: str) -> bool:
        found = self.next == token
        self.position += found
        return found

    def expect(self, token: str) -> None:
        if not self.takes(token):
            raise UnclearError

    def sum(self) -> Quotient:
        value = self.product()
        while self.next in ("+", "-"):
            value = value + self.product()  # the sign is the product's own
        return value

    def product(self) -> Quotient:
        value, doubtful = self.factor(), False
        while self.next in ("*", "/") or self.next not in _ENDS:
            operator = self.take() if self.next in ("*", "/") else ""
            if not operator and (doubtful or _NUMBER.match(self.next)):
                raise UnclearError  # `1/ab` has two readings, and `2 3` has none
            factor = self.factor()
            value = value / factor if operator == "/" else value * factor
            doubtful = operator == "/" and factor.rational is None
        return value

    def factor(self) -> Quotient:
        negative = False
        while self.next in ("+", "-"):
            negative ^= self.take() == "-"
        value = self.power()
        return -value if negative else value

    def power(self) -> Quotient:
        value = self.primary()
        while self.takes("!"):
            value = factorial_of(value)
        return value.power(self.exponent()) if self.takes("^") else value

    def exponent(self) -> Quotient:
        """Read `b^c^d` after a base: a tower is worked out from its top."""
        tower = [self.signed_primary()]
        while self.takes("^"):
            tower.append(self.signed_primary())
        value = tower.pop()
        while tower:
            value = tower.pop().power(value)
        return value

    def signed_primary(self) -> Quotient:
        return -self.primary() if self.takes("-") else self.primary()

    def primary(self) -> Quotient:
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise UnclearError
        value = self.read(self.take())
        self.depth -= 1
        return value

    def read(self, token: str) -> Quotient:
        name = token.removeprefix("\\")
        if _NUMBER.match(token):
            return self.number(token)
        if token in _CLOSERS:
            return self.group(token)
        if name in FUNCTIONS:
            return self.function(name)
        if name in CONSTANTS:
            return symbol(CONSTANTS[name])
        construct = _CONSTRUCTS.get(name)
        return construct(self) if construct else self.symbols(token)

    def group(self, opener: str) -> Quotient:
        value = self.sum()
        self.expect(_CLOSERS[opener])
        return value

    def number(self, token: str) -> Quotient:
        value = constant(decimal(token))
        if self.takes(r"\overline"):
            return value + constant(repeating(token, self.label()))
        if token.isdigit() and self.next == r"\frac":
            part = self.primary()
            is_mixed = part.rational is not None and 0 < part.rational < 1
            return value + part if is_mixed else value * part
        return value

    def fraction(self) -> Quotient:
        numerator = self.argument()
        return numerator / self.argument()

    def binomial(self) -> Quotient:
        upper = self.argument()
        return binomial(upper, self.argument())

    def root(self) -> Quotient:
        if not self.takes("["):
            return square_root(self.primary())
        index = self.group("[")
        return opaque(f"root({index},{self.primary()})")

    def argument(self) -> Quotient:
        """Read an argument as TeX does: without braces it is one digit or one name."""
        if self.next.isdigit():
            digit, rest = self.next[0], self.next[1:]
            self.tokens[self.position : self.position + 1] = [digit, rest] if rest else [digit]
            return constant(int(self.take()))
        return self.primary()

    def function(self, name: str) -> Quotient:
        base, exponent = "", constant(1)
        while self.next in ("_", "^"):
            if self.take() == "_":
                base = self.label()
            else:
                exponent = self.primary()
        if exponent.rational is None or exponent.rational < 1:
            raise UnclearError  # the inverse function or one over it
        argument = self.primary() if self.next in _CLOSERS else self.bare_argument()
        return opaque(f"{name}_{base}({argument})").power(exponent)

    def bare_argument(self) -> Quotient:
        value = self.power()
        while self.next not in _ENDS and self.next.removeprefix("\\") not in FUNCTIONS:
            value = value * self.power()
        return value

    def symbols(self, token: str) -> Quotient:
        """Read one symbol, or a few letters as their product."""
        if token.removeprefix("\\") in SYMBOLS:
            return self.symbol(token)
        if not token.isalpha() or not token.isascii() or len(token) > LONGEST_PRODUCT:
            raise UnclearError
        value = constant(1)
        for letter in token[:-1]:
            value = value * _letter(letter)
        return value * self.symbol(token[-1])

    def symbol(self, name: str) -> Quotient:
        decorations = ""
        while self.next in ("_", "'"):
            decorations += "'" if self.take() == "'" else f"_{self.label()}"
        return symbol(name + decorations) if decorations else _letter(name)

    def label(self) -> str:
        if not self.takes("{"):
            return self.take()
        inside = []
        while self.next not in ("}", ""):
            inside.append(self.take())
        self.expect("}")
        return " ".join(inside)


def _letter(name: str) -> Quotient:
    return square_root(constant(-1)) if name == "i" else symbol(name)


_CONSTRUCTS: dict[str, Callable[[_Parser], Quotient]] = {
    "sqrt": _Parser.root,
    "frac": _Parser.fraction,
    "binom": _Parser.binomial,
}
