"""What all tests share: the fixtures for the shared material and for larger samples."""

from __future__ import annotations

import pathlib

import pytest

from shared_material import find_shared


@pytest.fixture(scope="session")
def thorough(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--thorough"))


@pytest.fixture(scope="session")
def shared() -> pathlib.Path:
    found = find_shared()
    if found is None:
        pytest.skip("the shared material is not here: set TYPEDTOOL_SHARED")
    return found


@pytest.fixture(autouse=True)
def faults_of_the_comparison_fail_the_test(
    monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> None:
    """A user's bind goes on where typedtool's own comparison or prover fails; a test does not."""
    if "ours_fails" in request.fixturenames:
        return

    def raised(*said: object) -> object:
        raise next(each for each in said if isinstance(each, Exception))

    monkeypatch.setattr("typedtool.tools.binding.not_compared", raised)
    monkeypatch.setattr("typedtool.compatibility.proof.questions.Questions.failed", raised)


@pytest.fixture
def ours_fails() -> None:
    """For tests of what is done where typedtool's own comparison or prover fails."""
