"""Compares the schema of web maps with what the tool reads: the work of Scripts/checks/schema.

A document that the tool opens must pass the schema. One that the schema refuses must be an error of the tool.
"""
import json
import pathlib
import subprocess
import sys

import jsonschema


def maps(folder):
    """The web maps in the files below a folder."""
    for path in sorted(pathlib.Path(folder).rglob("*.json")):
        try:
            value = json.loads(path.read_text(encoding="utf-8-sig"))
        except (ValueError, OSError):
            continue
        if isinstance(value, dict) and "operationalLayers" in value:
            yield path, value


def is_read(tool, path):
    """Whether the tool reads the document, with or without its data."""
    run = subprocess.run(
        [tool, "inspect", "--skip-unavailable", "--offline", "--format", "json", str(path)],
        capture_output=True, text=True, timeout=120)
    if run.returncode == 0:
        return True
    # Faults of the data and filters are no faults of members.
    return not any(fault in run.stderr for fault in ["expected", "unknown member", "unknown value"])


def main():
    tool, schema = sys.argv[1], json.loads(pathlib.Path(sys.argv[2]).read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    validator = jsonschema.Draft202012Validator(schema)
    count, refused, wrong = 0, 0, []
    for folder in sys.argv[3:]:
        for path, value in maps(folder):
            count += 1
            fault = next(validator.iter_errors(value), None)
            if fault is None:
                continue
            refused += 1
            if is_read(tool, path):
                wrong.append(f"{path}: {fault.json_path}: {fault.message[:200]}")
    # A schema that accepts everything would prove nothing.
    for member, bad in [("operationalLayers", {}), ("baseMap", []), ("minScale", "far")]:
        assert not validator.is_valid({"operationalLayers": [], member: bad}), member
    print("\n".join(wrong))
    print(f"{count} web maps, {refused} refused by the schema, {len(wrong)} of them read by the tool")
    sys.exit(1 if wrong or count < 60 else 0)


if __name__ == "__main__":
    main()
