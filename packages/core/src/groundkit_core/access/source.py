"""Keeps a policy in step with its file."""

from __future__ import annotations

import hashlib
import threading
import time
from dataclasses import dataclass, replace
from pathlib import Path

from groundkit_core.access.loading import parse_policy, read_policy
from groundkit_core.access.policy import Policy
from groundkit_core.errors import PolicyError

_RACY_NS = 2_000_000_000  # a later change may leave the same times when they are coarse

_Signature = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _State:
    """What was read.

    Attributes:
        signature: what `stat` said before; empty when there was no file.
        digest: of the bytes; empty when they could not be read.
        policy: what is in force.
        problems: why the policy is closed; empty when it is not.
        read_again: whether an equal signature does not yet mean equal bytes.
    """

    signature: _Signature
    digest: bytes
    policy: Policy
    problems: tuple[str, ...] = ()
    read_again: bool = False


class PolicySource:
    """The policy in force: of a file, read again when it changes, or the built-in one.

    `current` costs one `stat` when nothing has changed, and may be called by any thread. When
    the file breaks or goes away while it is served, nobody reads anything until it is mended.

    Args:
        path: the file, from a flag or the environment and never from a repository; None for
            the built-in policy.

    Raises:
        PolicyError: the file cannot be read or is not valid.
    """

    def __init__(self, path: Path | None = None) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._state = _State((), b"", Policy())
        if path is not None:
            signature = _signature(path)
            data = read_policy(path)
            policy = parse_policy(data, path.name)
            self._state = _State(signature, _digest(data), policy, read_again=_racy(signature))

    @property
    def problems(self) -> tuple[str, ...]:
        """Why nobody reads anything now; empty when the policy is good."""
        return self._state.problems

    def current(self) -> Policy:
        """Return the policy that the file describes now; never raises."""
        if self._path is None:
            return self._state.policy
        signature = _signature(self._path)
        state = self._state
        if signature == state.signature and not state.read_again:
            return state.policy
        with self._lock:
            if self._state is state or self._state.signature != signature:
                self._state = _refreshed(self._path, signature, self._state)
            return self._state.policy


def _refreshed(path: Path, signature: _Signature, state: _State) -> _State:
    again = _racy(signature)
    try:
        data = read_policy(path)
        digest = _digest(data)
        if digest == state.digest:
            return replace(state, signature=signature, read_again=again)
    except PolicyError as error:
        # What cannot be read may become readable without a change that `stat` shows.
        return _closed(signature, b"", error, read_again=bool(signature))
    try:
        return _State(signature, digest, parse_policy(data, path.name), read_again=again)
    except PolicyError as error:
        return _closed(signature, digest, error, read_again=again)


def _closed(
    signature: _Signature, digest: bytes, error: PolicyError, *, read_again: bool
) -> _State:
    policy = Policy.deny_all(f"the policy cannot be used: {error.problems[0]}")
    return _State(signature, digest, policy, error.problems, read_again)


def _signature(path: Path) -> _Signature:
    try:
        status = path.stat()
    except (OSError, ValueError):
        return ()
    times = (status.st_mtime_ns, status.st_ctime_ns)
    return (*times, status.st_size, status.st_ino, status.st_dev)


def _racy(signature: _Signature) -> bool:
    """Return whether a file has changed so lately that it could change again unseen."""
    return bool(signature) and time.time_ns() - max(signature[:2]) < _RACY_NS


def _digest(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()
