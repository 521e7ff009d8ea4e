"""A session of the C interface: steps as dictionaries in, answers out."""

from __future__ import annotations

import ctypes
import json
import os
import sys
import threading
import warnings
import weakref
from typing import Any, Callable, Dict, List, Optional, Tuple

from .errors import CancelledError, MapStateError, MapStateWarning, UsageError, error_of

_INTERFACE_VERSION = 1
#: Receives the number of images or tiles that are made, and that of all.
Progress = Callable[[int, int], None]
#: The steps that may take long: Ctrl-C ends them.
_LONG_STEPS = frozenset(["open", "add", "render", "legend", "series", "tiles", "lint", "snapshot"])
#: The steps with notes on what an answer did not find.
_QUESTIONS = frozenset(["count", "query", "statistics"])
#: Seconds between two looks at the progress.
_INTERVAL = 0.1


class _Answer(ctypes.Structure):
    _fields_ = [
        ("json", ctypes.c_void_p),
        ("json_length", ctypes.c_size_t),
        ("data", ctypes.c_void_p),
        ("data_length", ctypes.c_size_t),
    ]


def _load() -> ctypes.CDLL:
    path = os.environ.get("MAPSTATE_LIBRARY") or os.path.join(os.path.dirname(__file__), "libMapStateC.so")
    library = ctypes.CDLL(path)
    answer = ctypes.POINTER(_Answer)
    number = ctypes.POINTER(ctypes.c_uint64)
    library.mapstate_interface_version.restype = ctypes.c_int32
    library.mapstate_release.restype = ctypes.c_char_p
    library.mapstate_create.argtypes = [ctypes.c_char_p, ctypes.c_size_t, number, answer]
    library.mapstate_request.argtypes = [ctypes.c_uint64, ctypes.c_char_p, ctypes.c_size_t, answer]
    library.mapstate_answer_free.argtypes = [answer]
    library.mapstate_answer_free.restype = None
    library.mapstate_destroy.argtypes = [ctypes.c_uint64]
    library.mapstate_destroy.restype = None
    library.mapstate_cancel.argtypes = [ctypes.c_uint64]
    library.mapstate_cancel.restype = None
    library.mapstate_progress.argtypes = [ctypes.c_uint64, number, number]
    library.mapstate_progress.restype = None
    library.mapstate_run_tool.argtypes = [ctypes.POINTER(ctypes.c_char_p), ctypes.c_size_t]
    found = library.mapstate_interface_version()
    if found != _INTERFACE_VERSION:
        raise ImportError(f"{path} has version {found} of the interface; this package needs {_INTERFACE_VERSION}")
    return library


_library = _load()
#: The process whose threads the library uses; a forked one has none of them.
_process = os.getpid()

#: The version of MapState.
__version__: str = _library.mapstate_release().decode()


def run_tool(words: List[str]) -> int:
    """Runs the tool with the words of its command line, and ends the process."""
    texts = (ctypes.c_char_p * len(words))(*[os.fsencode(word) for word in words])
    code: int = _library.mapstate_run_tool(texts, len(words))
    return code


class LocalSession:
    """A session in this process."""

    def __init__(self, options: bytes):
        number = ctypes.c_uint64(0)
        self.created = _taken(
            lambda answer: _library.mapstate_create(options, len(options), ctypes.byref(number), ctypes.byref(answer))
        )
        self.number = number.value
        self._end = weakref.finalize(self, _library.mapstate_destroy, self.number)

    def request(self, text: bytes) -> Tuple[bytes, Optional[bytes]]:
        return _taken(
            lambda answer: _library.mapstate_request(self.number, text, len(text), ctypes.byref(answer))
        )

    def cancel(self) -> None:
        _library.mapstate_cancel(self.number)

    def progress(self) -> Tuple[int, int]:
        done, count = ctypes.c_uint64(0), ctypes.c_uint64(0)
        _library.mapstate_progress(self.number, ctypes.byref(done), ctypes.byref(count))
        return done.value, count.value

    def close(self) -> None:
        self._end()


def _taken(call: Callable[[_Answer], Any]) -> Tuple[bytes, Optional[bytes]]:
    """Returns the JSON and the data of an answer, and frees it."""
    answer = _Answer()
    try:
        call(answer)
        data = ctypes.string_at(answer.data, answer.data_length) if answer.data else None
        return ctypes.string_at(answer.json, answer.json_length), data
    finally:
        _library.mapstate_answer_free(ctypes.byref(answer))


class Session:
    """A session that holds one map.

    Several threads may use a session; it answers one request at a time. Python runs other threads meanwhile. A process
    that was forked after the first use of MapState has its sessions in a process of their own.

    Example:
        >>> from mapstate.session import Session
        >>> with Session() as session:
        ...     answer = session.ask("open", source="Styles/world-cities.json")
        ...     answer["layers"][0]["layer"]
        'Cities'
    """

    def __init__(self, **options: Any):
        text = _json(options)
        self._process = os.getpid()
        self._session: Any
        if self._process == _process:
            self._session = LocalSession(text)
        else:
            from .worker import RemoteSession

            self._session = RemoteSession(text)
        #: The names that replace the paths of files in messages.
        self.names: Dict[str, str] = {}
        self._answer(*self._session.created)
        self._closed = False

    def ask(self, step: str, **fields: Any) -> Dict[str, Any]:
        """Performs a step of ``mapstate run`` and returns its answer; raises a MapStateError if it fails."""
        return self.ask_data(step, **fields)[0]

    def ask_data(
        self, step: str, *, progress: Optional[Progress] = None, **fields: Any
    ) -> Tuple[Dict[str, Any], Optional[bytes]]:
        """Performs a step and returns its answer and its bytes: an image or an Arrow stream."""
        text = _json({"step": step, **fields})
        is_main = threading.current_thread() is threading.main_thread()
        if progress is None and not (is_main and step in _LONG_STEPS):
            found, data = self.ask_bytes(text)
        else:
            found, data = self._watched(text, progress)
        # A note on an answer, such as texts that CAST did not read, is lost if nobody looks for it.
        if step in _QUESTIONS:
            self._warn(found.get("notes") or [])
        return found, data

    def ask_bytes(self, text: bytes) -> Tuple[Dict[str, Any], Optional[bytes]]:
        """Performs the step in a JSON text."""
        self._check()
        return self._answer(*self._session.request(text))

    def _watched(self, text: bytes, progress: Optional[Progress]) -> Tuple[Dict[str, Any], Optional[bytes]]:
        """Performs a step on another thread, so that this one can report progress and be interrupted."""
        self._check()
        found: List[Tuple[bytes, Optional[bytes]]] = []
        thread = threading.Thread(target=lambda: found.append(self._session.request(text)), daemon=True)
        thread.start()
        last = (0, 0)
        try:
            while thread.is_alive():
                thread.join(_INTERVAL)
                if progress is not None:
                    now = self._session.progress()
                    if now != last and now[1] > 0:
                        progress(*now)
                        last = now
        except BaseException:
            self._session.cancel()
            thread.join()
            raise
        if not found:
            raise MapStateError("the process of the map has ended")
        return self._answer(*found[0])

    def cancel(self) -> None:
        """Ends the request in progress, from another thread; it raises a CancelledError."""
        if not self._closed:
            self._session.cancel()

    def close(self) -> None:
        """Closes the session and frees its memory."""
        self._closed = True
        if self._process == os.getpid():
            self._session.close()

    def _check(self) -> None:
        if self._closed:
            raise UsageError("the map is closed")
        if self._process != os.getpid():
            raise UsageError("the map was opened before this process was forked; open it in this process")

    def _answer(self, text: bytes, data: Optional[bytes]) -> Tuple[Dict[str, Any], Optional[bytes]]:
        """Returns an answer; raises its error, and warns of its warnings."""
        found: Dict[str, Any] = json.loads(text)
        if not found["ok"]:
            if found.get("error") == "cancelled" or found.get("error", "").endswith(": cancelled"):
                raise CancelledError("the request was cancelled")
            raise error_of(found, self.names)
        self._warn(found.get("warnings") or found.get("report", {}).get("warnings") or [])
        return found, data

    def _warn(self, texts: List[str]) -> None:
        """Warns of the warnings or notes of an answer."""
        if texts:
            from .requests import spelled

            for text in texts:
                warnings.warn(spelled(text, self.names), MapStateWarning, stacklevel=frames_of_package())

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()


def frames_of_package() -> int:
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
