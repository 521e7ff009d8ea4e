"""Sessions of a forked process, in a process of their own: requests and answers over pipes.

The threads of the library do not exist in a child of ``fork()``, so such a child starts a new process for each session.
"""

from __future__ import annotations

import os
import struct
import subprocess
import sys
import threading
import weakref
from typing import Any, Optional, Tuple

from .errors import MapStateError

#: The length of a request.
_REQUEST = struct.Struct("<Q")
#: The lengths of the JSON and the data of an answer, and whether it has data.
_ANSWER = struct.Struct("<QQ?")


class RemoteSession:
    """A session in another process."""

    def __init__(self, options: bytes):
        folder = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
        paths = [folder, *filter(None, [os.environ.get("PYTHONPATH")])]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "mapstate.worker"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        )
        self._end = weakref.finalize(self, _stop, self._process)
        self._turn = threading.Lock()
        self.created = self.request(options)

    def request(self, text: bytes) -> Tuple[bytes, Optional[bytes]]:
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        with self._turn:
            try:
                stdin.write(_REQUEST.pack(len(text)) + text)
                stdin.flush()
                length, size, has_data = _ANSWER.unpack(stdout.read(_ANSWER.size))
                json, data = stdout.read(length), stdout.read(size)
            except (OSError, struct.error) as error:
                raise MapStateError("the process of the map has ended") from error
        return json, data if has_data else None

    def cancel(self) -> None:
        self._process.terminate()

    def progress(self) -> Tuple[int, int]:
        return 0, 0

    def close(self) -> None:
        self._end()


def _stop(process: "subprocess.Popen[bytes]") -> None:
    if process.stdin is not None:
        try:
            process.stdin.close()
        except OSError:
            pass
    process.wait()
    if process.stdout is not None:
        process.stdout.close()


def main() -> None:
    """Answers requests until the pipe is closed: the first creates the session."""
    from .session import LocalSession

    # Nothing else may write to the pipe of the answers.
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    session: Any = None
    while header := sys.stdin.buffer.read(_REQUEST.size):
        text = sys.stdin.buffer.read(_REQUEST.unpack(header)[0])
        if session is None:
            session = LocalSession(text)
            json, data = session.created
        else:
            json, data = session.request(text)
        answers.write(_ANSWER.pack(len(json), len(data or b""), data is not None) + json + (data or b""))
        answers.flush()


if __name__ == "__main__":
    main()
