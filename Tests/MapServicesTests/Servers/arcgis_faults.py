"""How the server misbehaves, by name: what it does before a query, to its parameters, and to its answer."""

import json
import os
import threading
import time
from collections import Counter


class Answer:
    """An answer with a status and fields of the header."""

    def __init__(self, content, status=200, **header):
        self.content, self.status = content, status
        self.header = {name.replace("_", "-"): text for name, text in header.items()}


# How often something was asked, for faults that begin later.
asked = Counter()
lock = threading.Lock()


def times(key):
    with lock:
        asked[key] += 1
        return asked[key]


def wants_features(parameters):
    return not any(name in parameters for name in ("returncountonly", "returnidsonly", "returnextentonly", "outstatistics"))


def offset(parameters):
    return int(parameters.get("resultoffset", 0))


def before_query(fault, handler, parameters):
    if fault == "slow":
        time.sleep(300)
    if fault == "dies" and wants_features(parameters) and offset(parameters) > 0:
        raise ConnectionAbortedError
    if fault == "ends" and wants_features(parameters) and offset(parameters) > 100:
        os._exit(0)


def parameters(fault, parameters, page_size):
    """The parameters as a server with the fault takes them."""
    changed = dict(parameters)
    if fault == "lax":
        # A database of other rules lets more through.
        changed["where"] = "1=1"
    if fault == "ignores-offset":
        changed.pop("resultoffset", None)
    if fault == "overlapping-pages" and offset(parameters) > 0:
        changed["resultoffset"] = str(offset(parameters) - 1)
    if fault == "page-twice" and offset(parameters) > 0:
        changed["resultoffset"] = str(max(offset(parameters), 2 * page_size) - page_size)
    if fault == "other-reference" and wants_features(parameters):
        changed["outsr"] = "3857" if parameters.get("outsr") == "4326" else "4326"
    if fault == "other-ids" and "objectids" in parameters:
        first, *rest = parameters["objectids"].split(",")
        changed["objectids"] = ",".join([str(int(first) - 1), *rest])
    return changed


def described(fault, content):
    if fault == "no-fields":
        del content["fields"]
    if fault == "not-queryable":
        content["capabilities"] = "Create,Update"
    if fault == "raster":
        content["type"] = "Raster Layer"
    if fault == "unknown-field-type":
        content["fields"][1]["type"] = "esriFieldTypeTensor"
    if fault == "zero-records":
        content["maxRecordCount"] = 0
    if fault == "no-ids":
        content["fields"] = [field for field in content["fields"] if field["name"] != "OBJECTID"]
    if fault == "local-dates":
        content["dateFieldsTimeReference"] = {"timeZone": "Pacific Standard Time", "respectsDaylightSaving": True}
    if fault == "hidden-layer":
        return {"error": {"code": 404, "message": "Requested operation is not supported", "details": []}}
    return content


def spoilt_buffer(fault, content):
    if fault == "garbage-pbf":
        return bytes((7 * index + 13) % 256 for index in range(1000))
    if fault == "cut-pbf":
        return content[: len(content) // 2]
    if fault == "empty-pbf":
        return b""
    if fault == "json-for-pbf":
        return {"error": {"code": 400, "message": "PBF is switched off", "details": []}}
    return content


def answered(fault, content, parameters):
    if fault is None:
        return content
    if isinstance(content, bytes):
        return spoilt_buffer(fault, content)
    features = wants_features(parameters)
    at_second_page = features and offset(parameters) > 0
    if fault == "wrong-count" and "count" in content:
        return {"count": content["count"] + 1}
    if fault == "less-counted" and "count" in content:
        return {"count": content["count"] - 1}
    if fault == "text-count" and "count" in content:
        return {"count": "many"}
    if fault == "negative-count" and "count" in content:
        return {"count": -1}
    if fault == "cut-page" and at_second_page:
        return {**content, "features": content["features"][:-1], "exceededTransferLimit": False}
    if fault == "empty-pages" and at_second_page:
        return {**content, "features": [], "exceededTransferLimit": True}
    if fault == "small-pages" and features:
        half = (len(content["features"]) + 1) // 2
        return {**content, "features": content["features"][:half], "exceededTransferLimit": True}
    if fault == "error-200" and features:
        return {"error": {"code": 400, "message": "Cannot perform query.", "details": ["'Invalid field: X' parameter is invalid"]}}
    if fault == "loud-error":
        return {"error": {"code": 500, "message": "a\nb\u001b[31m\u0007" + "x" * 10_000, "details": ["y" * 10_000] * 50}}
    if fault == "bare-error":
        return {"error": {}}
    if fault == "token-required":
        return {"error": {"code": 499, "message": "Token Required", "details": []}}
    if fault == "token-invalid":
        return {"error": {"code": 498, "message": "Invalid token.", "details": ["Token is expired"]}}
    if fault == "login-page":
        return Answer("<!DOCTYPE html>\n<html><head><title>Sign\n In</title></head></html>", Content_Type="text/html")
    if fault == "no-features" and features:
        return {name: member for name, member in content.items() if name != "features"}
    if fault == "no-attribute" and features:
        for feature in content["features"]:
            del feature["attributes"]["RANK"]
    if fault == "no-count" and "count" in content:
        return {}
    if fault == "no-object-ids" and "objectIds" in content:
        return {"objectIdFieldName": "OBJECTID"}
    if fault == "array" and features:
        return [content]
    if fault == "garbage" and features:
        return "\u0000\u0001{{{["
    if fault == "cut-json" and features:
        text = json.dumps(content)
        return text[: len(text) // 2]
    if fault == "cut-connection" and at_second_page:
        return Answer(content, Cut=True)
    if fault == "curves" and features:
        content["features"][0]["geometry"] = {"curvePaths": [[[0, 0], {"d": [[3, 3], [1, 4]]}]]}
    if fault == "text-number" and features:
        content["features"][0]["attributes"]["RANK"] = "many"
    if fault == "null-id" and features:
        content["features"][0]["attributes"]["OBJECTID"] = None
    if fault == "busy" and times("busy") % 3 != 0:
        return Answer({"error": {"code": 429, "message": "Too many requests"}}, 429, Retry_After="0")
    if fault == "always-busy":
        return Answer({"error": {"code": 429, "message": "Too many requests"}}, 429, Retry_After="0")
    if fault == "unavailable":
        return Answer("<html><head><title>Service Unavailable</title></head></html>", 503, Content_Type="text/html")
    if fault == "failing":
        return Answer("", 500)
    if fault == "no-such-page":
        return Answer("<html></html>", 404, Content_Type="text/html")
    return content
