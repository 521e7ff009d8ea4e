"""The errors and warnings of MapState."""

from __future__ import annotations

from typing import Any, Mapping, Optional


class MapStateError(Exception):
    """An error of MapState.

    Attributes:
        kind: ``"input"``, ``"service"``, ``"usage"``, ``"expectation"`` or ``"cancelled"``.
        message: What is wrong, in one line.
        path: The path in a document, such as ``operationalLayers[0].title``; None if the fault is not in one.
        suggestion: The nearest valid name; None if there is none.
        detail: Further lines, such as a filter with a caret below the fault; None if there are none.

    Example:
        >>> try:
        ...     ms.open("Styles/world-cities.json", definition="POP_RNK = 1")
        ... except ms.MapStateError as error:
        ...     print(error.kind, error.suggestion)
        input POP_RANK
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
    """A wrong input: a file, a document, a filter or a field.

    Example:
        >>> try:
        ...     ms.open("missing.json")
        ... except ms.InputError as error:
        ...     print(error)
        missing.json: no such file or directory
    """


class ServiceError(MapStateError):
    """A failed service.

    Example:
        >>> try:
        ...     ms.open("https://localhost:1/FeatureServer/0")
        ... except ms.ServiceError as error:
        ...     print(error.kind)
        service
    """

    kind = "service"


class UsageError(MapStateError):
    """A wrong request: an unknown option, a size, a scale, or a layer that must be named.

    Example:
        >>> try:
        ...     ms.open("Styles/world-cities.json", pixelratio=2)
        ... except ms.UsageError as error:
        ...     print(error)
        open has no option "pixelratio"; did you mean "pixel_ratio"?
    """

    kind = "usage"


class ExpectationError(MapStateError, AssertionError):
    """A failed expectation: a count or an image.

    Example:
        >>> with ms.open("Styles/world-cities.json") as m:
        ...     try:
        ...         m.ask("count", expect=1)
        ...     except AssertionError as error:
        ...         print(error)
        expected a count of 1, found 10020
    """

    kind = "expectation"


class CancelledError(MapStateError):
    """A request that :meth:`mapstate.Map.cancel` has ended.

    Example:
        >>> ms.CancelledError("cancelled").kind
        'cancelled'
    """

    kind = "cancelled"


class MapStateWarning(UserWarning):
    """A warning about a document, its data, or a filter that leaves nothing.

    Example:
        >>> import warnings
        >>> with warnings.catch_warnings():
        ...     warnings.simplefilter("error", ms.MapStateWarning)
        ...     m = ms.open("Styles/world-cities.json")
    """


_KINDS = {error.kind: error for error in (InputError, ServiceError, UsageError, ExpectationError, CancelledError)}


def error_of(answer: Mapping[str, Any], names: Mapping[str, str]) -> MapStateError:
    """Returns the error of a failed answer.

    Args:
        names: The names of files that a message has instead of their paths.
    """
    from .requests import spelled

    kind = _KINDS.get(answer.get("kind", "input"), InputError)
    return kind(
        spelled(answer.get("error", "unknown error"), names),
        path=answer.get("path"),
        suggestion=answer.get("suggestion"),
        detail=answer.get("detail"),
    )
