"""Work is bounded and fair between callers."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import pytest

from groundkit_core.contracts import CollectionList, Contract
from groundkit_mcp import OPERATIONS, Operation
from groundkit_mcp.auth.settings import AuthSettings
from groundkit_mcp.auth.static import new_token
from groundkit_mcp.calls import Call
from groundkit_mcp.errors import DeadlineError, OverloadedError
from groundkit_mcp.limits import Deadline, Limits
from groundkit_mcp.operations.inputs import CollectionsInput
from groundkit_mcp.operations.outputs import CollectionPage
from groundkit_mcp.workers import WorkerPool

if TYPE_CHECKING:
    from pathlib import Path

    from tests.mcp.http.conftest import Served

NEVER = Deadline(None)


class Gate:
    """An operation that runs until it is let go, or until its deadline."""

    def __init__(self) -> None:
        self.opened = threading.Event()
        self.running = 0
        self.stopped = 0
        self.calls: list[Call] = []

    def handler(self, call: Call, _given: CollectionsInput) -> Contract:
        self.calls.append(call)
        self.running += 1
        try:
            while not self.opened.wait(0.01):
                call.deadline.check()
        except DeadlineError:
            self.stopped += 1
            raise
        finally:
            self.running -= 1
        return CollectionPage(collections=(), default="default", total=0)

    @property
    def operation(self) -> Operation:
        return Operation(
            name="hold",
            title="Hold",
            summary="Hold.",
            guidance="Never.",
            input_model=CollectionsInput,
            output_model=CollectionList,
            handler=self.handler,
            method="GET",
            path="/v1/hold",
        )


def until(condition: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 10
    while not condition():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_one_more_than_may_wait_is_refused_on_both_surfaces(
    start_service: Callable[..., Served],
) -> None:
    gate = Gate()
    limits = Limits(threads=2, share=1, waiting=1)
    served = start_service(operations=[gate.operation], limits=limits)
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(served.get, "/v1/hold")
        until(lambda: gate.running == 1)
        second = threads.submit(served.get, "/v1/hold")
        time.sleep(0.2)
        answer = served.get("/v1/hold")
        assert (answer.status_code, answer.json()["kind"]) == (429, "overloaded")
        assert int(answer.headers["retry-after"]) >= 1
        error = served.rpc("tools/call", {"name": "hold"}).json()["error"]
        assert (error["code"], error["data"]["kind"]) == (-32000, "overloaded")
        assert error["data"]["retry_after"] >= 1
        assert served.get("/healthz").status_code == 200
        gate.opened.set()
        assert (first.result().status_code, second.result().status_code) == (200, 200)
    assert served.get("/v1/hold").status_code == 200


def test_one_client_cannot_starve_another(
    start_service: Callable[..., Served], tmp_path: Path
) -> None:
    gate = Gate()
    greedy, modest = new_token("greedy", ["read", "search"]), new_token("modest", ["search"])
    (tmp_path / "tokens.toml").write_text(greedy[1] + modest[1])
    served = start_service(
        operations=[gate.operation, *OPERATIONS],
        limits=Limits(threads=4, share=3, waiting=4),
        auth=AuthSettings(tokens=tmp_path / "tokens.toml"),
    )
    bearer = {"authorization": f"Bearer {greedy[0]}"}
    with ThreadPoolExecutor(10) as threads:
        held = [threads.submit(served.get, "/v1/hold", headers=bearer) for _ in range(10)]
        until(lambda: gate.running == 3 and sum(h.done() for h in held) == 3)
        assert {h.result().status_code for h in held if h.done()} == {429}
        started = time.monotonic()
        answer = served.search(headers={"authorization": f"Bearer {modest[0]}"})
        assert answer.status_code == 200
        assert time.monotonic() - started < 3
        gate.opened.set()
        assert sorted(h.result().status_code for h in held) == [200] * 7 + [429] * 3


def test_a_call_ends_at_its_deadline_and_so_does_its_work(
    start_service: Callable[..., Served],
) -> None:
    gate = Gate()
    served = start_service(operations=[gate.operation], limits=Limits(deadline=0.3))
    started = time.monotonic()
    answer = served.get("/v1/hold")
    assert 0.3 <= time.monotonic() - started < 2
    assert (answer.status_code, answer.json()["kind"]) == (504, "deadline_exceeded")
    result = served.rpc("tools/call", {"name": "hold"}).json()["result"]
    assert result["_meta"]["groundkit/kind"] == "deadline_exceeded"
    until(lambda: gate.running == 0)
    assert gate.stopped == 2


def test_work_that_ignores_its_deadline_keeps_its_thread_but_not_its_caller(
    start_service: Callable[..., Served],
) -> None:
    release = threading.Event()

    def stubborn(_call: Call, _given: CollectionsInput) -> Contract:
        release.wait(10)
        return CollectionPage(collections=(), default="default", total=0)

    operation = Operation(
        name="hold",
        title="Hold",
        summary="Hold.",
        guidance="Never.",
        input_model=CollectionsInput,
        output_model=CollectionList,
        handler=stubborn,
        method="GET",
        path="/v1/hold",
    )
    limits = Limits(threads=1, share=1, deadline=0.2)
    served = start_service(operations=[operation], limits=limits)
    assert [served.get("/v1/hold").status_code for _ in range(2)] == [504, 504]
    release.set()
    time.sleep(0.1)
    assert served.get("/v1/hold").status_code == 200


def test_handlers_see_who_asks_and_until_when(
    start_service: Callable[..., Served], tmp_path: Path
) -> None:
    gate = Gate()
    gate.opened.set()
    token, lines = new_token("ci", ["read"])
    (tmp_path / "tokens.toml").write_text(lines + 'claims = {groups = ["docs"]}\n')
    served = start_service(
        operations=[gate.operation], auth=AuthSettings(tokens=tmp_path / "tokens.toml")
    )
    bearer = {"authorization": f"Bearer {token}"}
    ids = [
        served.get("/v1/hold", headers=bearer).headers["x-request-id"],
        served.rpc("tools/call", {"name": "hold"}, **bearer).headers["x-request-id"],
    ]
    assert [call.request_id for call in gate.calls] == ids
    for call in gate.calls:
        assert call.caller.principal.subject == "ci"
        assert call.caller.principal.holds("groups", "docs")
        assert 0 < call.deadline.remaining <= 10


def test_parallel_requests_are_all_answered(
    open_service: Served,
) -> None:
    def ask(number: int) -> int:
        if number % 2:
            return open_service.search().status_code
        call = {"name": "search", "arguments": {"query": "zebra"}}
        answer = open_service.rpc("tools/call", call)
        return 200 if answer.json()["result"]["structuredContent"]["status"] == "OK" else 500

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(ask, range(32))) == [200] * 32


def test_the_pool_gives_principals_their_turn() -> None:
    order: list[str] = []

    async def run() -> None:
        pool = WorkerPool(Limits(threads=1, share=1, waiting=10))
        release = threading.Event()
        first = asyncio.create_task(pool.run("a", NEVER, lambda: release.wait(10)))
        await asyncio.sleep(0.05)
        calls = [
            asyncio.create_task(pool.run(share, NEVER, lambda name=name: order.append(name)))  # type: ignore[misc]
            for share, name in [("a", "a1"), ("a", "a2"), ("a", "a3"), ("b", "b1"), ("c", "c1")]
        ]
        await asyncio.sleep(0.05)
        release.set()
        await asyncio.gather(first, *calls)
        assert pool.busy == 0
        pool.close()

    asyncio.run(run())
    assert order == ["a1", "b1", "c1", "a2", "a3"]


def test_a_call_that_is_given_up_while_it_waits_leaves_no_trace() -> None:
    async def run() -> None:
        pool = WorkerPool(Limits(threads=1, share=1, waiting=1))
        release = threading.Event()
        first = asyncio.create_task(pool.run("a", NEVER, lambda: release.wait(10)))
        await asyncio.sleep(0.05)
        waiting = asyncio.create_task(pool.run("a", NEVER, lambda: None))
        await asyncio.sleep(0)
        with pytest.raises(OverloadedError):
            await pool.run("a", NEVER, lambda: None)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        with pytest.raises(DeadlineError):
            await pool.run("a", Deadline(0.05), lambda: None)
        release.set()
        await first
        assert await pool.run("a", NEVER, lambda: "done") == "done"
        assert pool.busy == 0
        pool.close()

    asyncio.run(run())


@pytest.mark.parametrize("error", [ValueError("x"), TimeoutError("own")])
def test_what_a_function_raises_is_raised(error: Exception) -> None:
    def fail() -> Any:
        raise error

    async def run() -> None:
        pool = WorkerPool(Limits())
        with pytest.raises(type(error)):
            await pool.run("a", Deadline(5), fail)
        pool.close()

    asyncio.run(run())
