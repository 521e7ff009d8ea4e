"""The errors and warnings of MapState."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class MapStateError(Exception):
    """An error of MapState.

    Attributes:
        kind: ``"input"``, ``"service"``, ``"usage"`` or ``"expectation"``.
        message: What is wrong, in one line.
        path: The path in a document, such as ``operationalLayers[0].title``; None if the fault is not in one.
        suggestion: The nearest valid name; None if there is none.
        detail: Further lines, such as a filter with a caret below the fault; None if there are none.
    """

    kind = "input"

    def __init__(
        self,
        message: str,
        *,
        path: Optional[str] = None,
        suggestion: Optional[str] = None,
        detail: Optional[str] = None,
    ):
        super().__init__(message if detail is None else f"{message}\n{detail}")
        self.message, self.path, self.suggestion, self.detail = message, path, suggestion, detail


class InputError(MapStateError):
    """A wrong input: a file, a document, a filter or a field."""


class ServiceError(MapStateError):
    """A failed service."""

    kind = "service"


class UsageError(MapStateError):
    """A wrong request: a size, a scale, or a layer that must be named."""

    kind = "usage"


class ExpectationError(MapStateError, AssertionError):
    """A failed expectation: a count or an image."""

    kind = "expectation"


class MapStateWarning(UserWarning):
    """A warning about a document or its data."""


_KINDS = {error.kind: error for error in (InputError, ServiceError, UsageError, ExpectationError)}


def error_of(answer: Mapping[str, Any]) -> MapStateError:
    """Returns the error of a failed answer."""
    kind = _KINDS.get(answer.get("kind", "input"), InputError)
    return kind(
        answer.get("error", "unknown error"),
        path=answer.get("path"),
        suggestion=answer.get("suggestion"),
        detail=answer.get("detail"),
    )
