"""Data sets on the hub, through `datasets`: one config and split of plain files, no code of theirs run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pytest_context_bench.datasets.hub_files import Repository, go_offline, is_offline
from pytest_context_bench.datasets.hub_load import ARRAY, LINES, Loading
from pytest_context_bench.datasets.merged import merged
from pytest_context_bench.datasets.records import Place, Records, Rows, parse_line
from pytest_context_bench.datasets.spec import Spec


@dataclass(frozen=True)
class Hub:
    """The data set *repo*; *files* is a pattern with `{config}` and `{split}`, one for all or one a split.

    `*` stays within a folder; `zip://MEMBER::FILE.zip` is a file within another. *config* and *split* are
    the defaults, *configs* and *splits* all there are. *form* names a builder of `datasets` where the
    suffix does not, or is LINES or ARRAY for JSON whose objects differ. *revision* is a commit where one is
    known. Rows of one *key* are one record, which lists what they have in the columns *listed*.
    """

    repo: str
    files: str | Mapping[str, str]
    split: str
    splits: Sequence[str] = ()
    config: str = ""
    configs: Sequence[str] = ()
    revision: str = "main"
    form: str | None = None
    key: str = ""
    listed: Sequence[str] = ()

    def open(self, spec: Spec, n: int | None, *, sampled: bool = False, offline: bool = False) -> Records:
        """Open the first *n* records, or all to sample *n* from.

        Raises UnknownNameError before any network use, then SourceError.
        """
        config = spec.one_of("config", self.configs or filter(None, [self.config]), self.config)
        split = spec.one_of("split", self.all_splits(), self.split)
        place = Place(f"{spec.name}:{config}" if len(self.configs) > 1 else spec.name, config, split)
        off = offline or is_offline()
        if off:
            go_offline()
        # of a key there may be rows anywhere
        rows = self._loading(place).rows(None if sampled or self.key else n, offline=off)
        found = Rows(rows, place, parse_line if self.form in {LINES, ARRAY} else None)
        return merged(found, self.key, self.listed) if self.key else found

    def all_splits(self) -> Sequence[str]:
        """Return the splits that there are, the default one if no more are known."""
        return tuple(self.splits or ([self.split] if isinstance(self.files, str) else self.files))

    def _loading(self, place: Place) -> Loading:
        named = f" config {place.config}," if place.config else ""
        what = f"data set {place.name!r} ({self.repo},{named} split {place.split})"
        pattern = self.files if isinstance(self.files, str) else self.files[place.split]
        files = pattern.format(config=place.config, split=place.split)
        return Loading.of(Repository(self.repo, self.revision, what), files, place.split, self.form)
