"""Says what a document is, from what was indexed, the rules that match and its front matter."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Sequence

from groundkit_core.access.profiles import Profile
from groundkit_core.access.rules import Classified, Rule
from groundkit_core.contracts.base import SOURCE_CLASSES, SourceClass


class Composer:
    """Joins what is known of a document; equal inputs give one and the same value.

    Args:
        rules: all rules of the policy, in order.
        profiles: all profiles, which say whether a class is narrower than another.
    """

    def __init__(self, rules: Sequence[Rule], profiles: Iterable[Profile]) -> None:
        self._rules = [(rule, rule.described(n)) for n, rule in enumerate(rules, 1)]
        self._narrower = _narrower(profiles)
        self.compose = functools.lru_cache(maxsize=8192)(self._compose)

    def _compose(
        self,
        matching: tuple[int, ...],
        source_class: SourceClass,
        project: str,
        labels: frozenset[str],
        declared_class: SourceClass | None,
    ) -> Classified:
        rules = [self._rules[number] for number in matching]
        class_of, class_why = source_class, f"class {source_class!r} as indexed"
        project_of, project_why = project, f"project {project!r} as indexed"
        for rule, described in reversed(rules):
            if rule.source_class is not None:
                class_of = rule.source_class
                class_why = f"class {class_of!r} by {described}"
            if rule.project is not None:
                project_of = rule.project
                project_why = f"project {project_of!r} by {described}"
        ignored: tuple[str, ...] = ()
        if declared_class not in (None, class_of):
            if (class_of, declared_class) in self._narrower:
                class_of = declared_class
                class_why = f"class {class_of!r} by front matter"
            else:
                ignored = (
                    f"class {declared_class!r} of the front matter is ignored: it may widen",
                )
        reasons = dict.fromkeys(labels, "front matter")
        for rule, described in reversed(rules):
            reasons.update(dict.fromkeys(rule.labels, described))
        label_whys = (f"label {label!r} by {reasons[label]}" for label in sorted(reasons))
        why = (class_why, project_why, *label_whys, *ignored)
        return Classified(class_of, project_of, frozenset(reasons), why)


def _narrower(profiles: Iterable[Profile]) -> frozenset[tuple[SourceClass, SourceClass]]:
    """Return pairs of a class and another that no more profiles read.

    Nothing is narrower than `config`, for `all` would come to include the document.
    """
    readers = {name: frozenset[str]() for name in SOURCE_CLASSES}
    for profile in profiles:
        for name in profile.classes:
            readers[name] |= {profile.name}
    return frozenset(
        (wide, narrow)
        for wide in SOURCE_CLASSES
        for narrow in SOURCE_CLASSES
        if wide != "config" and readers[narrow] <= readers[wide]
    )
