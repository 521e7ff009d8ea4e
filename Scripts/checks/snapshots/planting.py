"""Runs of the snapshot tester with planted changes and with reruns that change nothing, for the scripts beside it."""
import os
import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


def run(tool, *arguments, environment=None, cwd=None):
    return subprocess.run([tool, "snapshot", *map(str, arguments)], capture_output=True, text=True, cwd=cwd,
                          env={**os.environ, **(environment or {})})


def environments():
    """Yields (what, arguments, environment) of 16 runs that change nothing."""
    for jobs in (1, 2, 3, 4, 8):
        yield f"--jobs {jobs}", ["--jobs", str(jobs)], {}
    for name in ("C", "de_DE.UTF-8", "tr_TR.UTF-8", "ar_EG.UTF-8"):
        yield f"LC_ALL={name}", [], {"LC_ALL": name}
    for name in ("UTC", "Asia/Kathmandu", "Pacific/Apia"):
        yield f"TZ={name}", [], {"TZ": name}
    for name, value in (("PIXMAN_DISABLE", "sse2 ssse3"), ("MALLOC_PERTURB_", "165"), ("HOME", "/nonexistent"), ("COLUMNS", "20")):
        yield f"{name}={value}", [], {name: value}


class Tally:
    """Counts planted changes and reruns, and keeps what is wrong."""

    def __init__(self, is_listed):
        self.is_listed, self.wrong, self.kinds = is_listed, [], {}
        self.planted = self.detected = self.named = self.count = self.alarms = 0

    def change(self, title, what, wanted, code, lines, is_named):
        """Counts a planted change by the exit code of a run and the first change of each failed case."""
        self.planted += 1
        self.kinds[what] = self.kinds.get(what, 0) + 1
        is_seen = code == 1 and len(lines) > 0
        is_named = is_seen and is_named(lines[0])
        self.detected += is_seen
        self.named += is_named
        if not is_named:
            self.wrong.append(f"{title}: {what}, {wanted}: exit code {code}, {lines[:2]}")
        if self.is_listed:
            first = lines[0] if lines else None
            text = " › ".join(filter(None, [first["layer"], first["class"], first["summary"]])) if first else "nothing"
            print(f"{'ok   ' if is_named else 'WRONG'} {title}: {what}: {text}")

    def rerun(self, title, what, verified):
        """Counts a rerun, which must pass."""
        self.count += 1
        is_alarm = verified.returncode != 0 or not re.search(r"^[1-9]\d* passed, 0 failed$", verified.stderr, re.M)
        self.alarms += is_alarm
        if is_alarm:
            self.wrong.append(f"alarm, {title}, {what}: {verified.stdout[:300]} {verified.stderr[-200:]}")
        if self.is_listed:
            print(f"{'ALARM' if is_alarm else 'ok   '} {title}: {what}")

    def finish(self, names, goal):
        """Prints the counts, and returns the exit code: 0 if all were detected, and as many as the goal named."""
        print(f"{self.planted} planted changes: {self.detected} detected, {self.named} with {names} in the first line")
        print("kinds: " + ", ".join(f"{name} {number}" for name, number in sorted(self.kinds.items())))
        print(f"{self.count} reruns that change nothing: {self.alarms} alarms")
        for text in self.wrong:
            print(text)
        return 0 if self.planted == self.detected and self.named >= goal and self.alarms == 0 else 1
