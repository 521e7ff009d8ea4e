"""A session of the C interface: steps as dictionaries in, answers out."""

from __future__ import annotations

import ctypes
import json
import os
import sys
import warnings
import weakref
from pathlib import Path
from typing import Any, Dict, Optional, Tuple

from .errors import MapStateError, MapStateWarning, UsageError, error_of

_INTERFACE_VERSION = 1


class _Answer(ctypes.Structure):
    _fields_ = [
        ("json", ctypes.c_void_p),
        ("json_length", ctypes.c_size_t),
        ("data", ctypes.c_void_p),
        ("data_length", ctypes.c_size_t),
    ]


def _load() -> ctypes.CDLL:
    path = os.environ.get("MAPSTATE_LIBRARY") or str(Path(__file__).parent / "libMapStateC.so")
    library = ctypes.CDLL(path)
    answer = ctypes.POINTER(_Answer)
    library.mapstate_interface_version.restype = ctypes.c_int32
    library.mapstate_release.restype = ctypes.c_char_p
    library.mapstate_create.argtypes = [
        ctypes.c_char_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_uint64), answer,
    ]
    library.mapstate_request.argtypes = [ctypes.c_uint64, ctypes.c_char_p, ctypes.c_size_t, answer]
    library.mapstate_answer_free.argtypes = [answer]
    library.mapstate_answer_free.restype = None
    library.mapstate_destroy.argtypes = [ctypes.c_uint64]
    library.mapstate_destroy.restype = None
    found = library.mapstate_interface_version()
    if found != _INTERFACE_VERSION:
        raise ImportError(f"{path} has version {found} of the interface; this package needs {_INTERFACE_VERSION}")
    return library


_library = _load()

#: The version of MapState.
__version__: str = _library.mapstate_release().decode()


class Session:
    """A session that holds one map.

    Several threads may use a session; it answers one request at a time. Python runs other threads meanwhile.
    """

    def __init__(self, **options: Any):
        number = ctypes.c_uint64(0)
        text = _json(options)
        self._take(
            lambda answer: _library.mapstate_create(text, len(text), ctypes.byref(number), ctypes.byref(answer))
        )
        self._number = number.value
        self._end = weakref.finalize(self, _library.mapstate_destroy, self._number)

    def ask(self, step: str, **fields: Any) -> Dict[str, Any]:
        """Performs a step of ``mapstate run`` and returns its answer; raises a MapStateError if it fails."""
        return self.ask_data(step, **fields)[0]

    def ask_data(self, step: str, **fields: Any) -> Tuple[Dict[str, Any], Optional[bytes]]:
        """Performs a step and returns its answer and its bytes: an image or an Arrow stream."""
        return self.ask_bytes(_json({"step": step, **fields}))

    def ask_bytes(self, text: bytes) -> Tuple[Dict[str, Any], Optional[bytes]]:
        """Performs the step in a JSON text."""
        if not self._end.alive:
            raise UsageError("the map is closed")
        return self._take(lambda answer: _library.mapstate_request(self._number, text, len(text), ctypes.byref(answer)))

    def close(self) -> None:
        """Closes the session and frees its memory."""
        self._end()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    @staticmethod
    def _take(call: Any) -> Tuple[Dict[str, Any], Optional[bytes]]:
        answer = _Answer()
        try:
            call(answer)
            found = json.loads(ctypes.string_at(answer.json, answer.json_length))
            data = ctypes.string_at(answer.data, answer.data_length) if answer.data else None
        finally:
            _library.mapstate_answer_free(ctypes.byref(answer))
        if not found["ok"]:
            raise error_of(found)
        for warning in found.get("warnings") or found.get("report", {}).get("warnings") or []:
            warnings.warn(warning, MapStateWarning, stacklevel=_frames_of_package())
        return found, data


def _frames_of_package() -> int:
    """Returns the stack level of the caller of this package, for warnings."""
    folder, level, frame = os.path.dirname(__file__), 1, sys._getframe(1)
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == folder:
        level, frame = level + 1, frame.f_back
    return level


def _json(value: Dict[str, Any]) -> bytes:
    """Returns a request as JSON; numbers that are not finite are errors, because JSON has none."""
    try:
        return json.dumps(value, allow_nan=False).encode()
    except (TypeError, ValueError) as error:
        raise UsageError(f"a value cannot be written as JSON: {error}") from error


__all__ = ["MapStateError", "Session", "__version__"]
