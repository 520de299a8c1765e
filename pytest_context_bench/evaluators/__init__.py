"""The evaluators: each says which example fields it needs and gives the scores of one output."""

from pytest_context_bench.evaluators.answer_match import AnswerMatch
from pytest_context_bench.evaluators.answer_quality import AnswerQuality
from pytest_context_bench.evaluators.class_match import ClassMatch
from pytest_context_bench.evaluators.code_execution import CodeExecution
from pytest_context_bench.evaluators.code_similarity import CodeSimilarity
from pytest_context_bench.evaluators.first_line import FirstLine
from pytest_context_bench.evaluators.ifeval_checker import IFEvalChecker
from pytest_context_bench.evaluators.llm_judge import LLMJudge
from pytest_context_bench.evaluators.math_equivalence import MathEquivalence
from pytest_context_bench.evaluators.multiple_choice import MultipleChoiceAccuracy
from pytest_context_bench.evaluators.nli_label_match import NLILabelMatch
from pytest_context_bench.evaluators.number_match import NumberMatch
from pytest_context_bench.evaluators.selection import BUILT_IN, evaluators_for, permitted
from pytest_context_bench.evaluators.string_match import StringMatch
from pytest_context_bench.evaluators.summarization_quality import SummarizationQuality
from pytest_context_bench.evaluators.tool_call_match import ToolCallMatch

__all__ = [
    "BUILT_IN",
    "AnswerMatch",
    "AnswerQuality",
    "ClassMatch",
    "CodeExecution",
    "CodeSimilarity",
    "FirstLine",
    "IFEvalChecker",
    "LLMJudge",
    "MathEquivalence",
    "MultipleChoiceAccuracy",
    "NLILabelMatch",
    "NumberMatch",
    "StringMatch",
    "SummarizationQuality",
    "ToolCallMatch",
    "evaluators_for",
    "permitted",
]
