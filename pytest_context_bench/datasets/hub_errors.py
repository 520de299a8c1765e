"""What can be wrong with a source on the hub, and what to do about it."""

from http import HTTPStatus

from pytest_context_bench.errors import ContextBenchError, brief


class SourceError(ContextBenchError):
    """A data set that cannot be loaded; *what* names it, its source, config and split."""

    def __init__(self, what: str, problem: str, remedy: str) -> None:
        super().__init__(f"{what}: {problem}: {remedy}")


def worded(error: Exception, endpoint: str, repo: str) -> tuple[str, str]:
    """Return what *error* of the hub's libraries means, and the remedy."""
    from huggingface_hub import errors

    page = f"{endpoint}/datasets/{repo}"
    known = (  # the first that fits: the earlier are kinds of the later
        (
            errors.GatedRepoError,
            "access is gated",
            f"ask for it at {page}, then set HF_TOKEN to a token of that account (or `hf auth login`)",
        ),
        (
            errors.RepositoryNotFoundError,
            "the hub knows no such data set, or it is private",
            f"see whether {page} was renamed or withdrawn; a private one needs HF_TOKEN",
        ),
        (errors.RevisionNotFoundError, "the hub has no such revision", f"see {page}"),
        (errors.LocalEntryNotFoundError, *_unreachable(error, endpoint)),
        (errors.EntryNotFoundError, "a file of it is not there", f"see {page}"),
        (errors.HfHubHTTPError, *_refused(error)),
    )
    meant = ((problem, remedy) for kind, problem, remedy in known if isinstance(error, kind))
    return next(meant, _unreachable(error, endpoint))


def _refused(error: Exception) -> tuple[str, str]:
    status = getattr(getattr(error, "response", None), "status_code", None)
    denied = status in {HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN}
    return f"the hub answers HTTP {status}", "set HF_TOKEN to a valid token" if denied else "try again later"


def _unreachable(error: Exception, endpoint: str) -> tuple[str, str]:
    cause = brief(str(error).strip().partition("\n")[0], 120)
    return (
        f"{endpoint} cannot be reached ({type(error).__name__}: {cause})",
        "check the network and HF_ENDPOINT",
    )
