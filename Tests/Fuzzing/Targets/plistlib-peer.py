"""The part of the differential tests that Python's plistlib and json play.

    plistlib-peer.py read FOLDER
        describes every NAME.xml, NAME.binary and NAME.json in the file NAME.xml.typed and so on
    plistlib-peer.py write FOLDER
        writes every NAME.typed, which describes a value, as NAME.xml, NAME.binary and NAME.json
    plistlib-peer.py serve
        describes the documents of standard input, each behind a line with its format and length, on
        standard output, each description behind its length in four bytes

A description has one line for each node, containers before what they hold; TypedText in the tests
speaks of it. A document that cannot be read is described by the line "error" with the name of the
exception. One that cannot be written becomes a file with that line.
"""

import datetime
import json
import pathlib
import plistlib
import re
import struct
import sys

FORMATS = ["xml", "binary", "json"]
REFERENCE_DATE = datetime.datetime(2001, 1, 1)


def escaped(text):
    return re.sub(r"[^ -\[\]-~]", lambda match: "\\%x;" % ord(match[0]), text)


def unescaped(text):
    return re.sub(r"\\([0-9a-f]+);", lambda match: chr(int(match[1], 16)), text)


def bits(number):
    if number != number:
        number = float("nan")
    return struct.pack(">d", number).hex()


def describe(value, lines):
    # The exact type, because True is an int too.
    kind = type(value)
    if kind is dict:
        lines.append("dictionary %d" % len(value))
        for key in sorted(value):
            lines.append("key " + escaped(key))
            describe(value[key], lines)
    elif kind is list:
        lines.append("array %d" % len(value))
        for element in value:
            describe(element, lines)
    elif kind is str:
        lines.append("string " + escaped(value))
    elif kind is bool:
        lines.append("boolean " + ("true" if value else "false"))
    elif kind is int:
        lines.append("integer %d" % value)
    elif kind is float:
        lines.append("real " + bits(value))
    elif kind is datetime.datetime:
        lines.append("date " + bits((value - REFERENCE_DATE).total_seconds()))
    elif kind is bytes:
        lines.append("data " + value.hex())
    elif kind is plistlib.UID:
        lines.append("UID %d" % value.data)
    elif value is None:
        lines.append("null")
    else:
        raise TypeError(kind.__name__)


def build(lines):
    kind, _, text = next(lines).partition(" ")
    if kind == "dictionary":
        value = {}
        for _ in range(int(text)):
            key = unescaped(next(lines).partition(" ")[2])
            value[key] = build(lines)
        return value
    if kind == "array":
        return [build(lines) for _ in range(int(text))]
    if kind == "string":
        return unescaped(text)
    if kind == "boolean":
        return text == "true"
    if kind == "integer":
        return int(text)
    if kind == "real":
        return struct.unpack(">d", bytes.fromhex(text))[0]
    if kind == "date":
        seconds = struct.unpack(">d", bytes.fromhex(text))[0]
        return REFERENCE_DATE + datetime.timedelta(seconds=seconds)
    if kind == "data":
        return bytes.fromhex(text)
    if kind == "UID":
        return plistlib.UID(int(text))
    if kind == "null":
        return None
    raise ValueError(kind)


def load(data, name):
    if name == "json":
        return json.loads(data)
    return plistlib.loads(data, fmt=plistlib.PlistFormat["FMT_" + name.upper()])


def dump(value, name, variety):
    if name != "json":
        return plistlib.dumps(value, fmt=plistlib.PlistFormat["FMT_" + name.upper()])
    text = json.dumps(
        value, ensure_ascii=variety % 2 == 0, indent=[None, 1, "\t"][variety % 3], allow_nan=False)
    return text.encode()


def description(data, name):
    lines = []
    try:
        describe(load(data, name), lines)
    except Exception as error:
        lines = ["error " + type(error).__name__]
    return "\n".join(lines) + "\n"


def read(folder):
    for name in FORMATS:
        for path in folder.glob("*." + name):
            path.with_name(path.name + ".typed").write_text(description(path.read_bytes(), name))


def write(folder):
    for path in folder.glob("*.typed"):
        text = path.read_text()
        for name in FORMATS:
            try:
                data = dump(build(iter(text.splitlines())), name, len(text))
            except Exception as error:
                data = b"error " + type(error).__name__.encode() + b"\n"
            path.with_suffix("." + name).write_bytes(data)


def serve():
    # A document may have 512 levels.
    sys.setrecursionlimit(10_000)
    while line := sys.stdin.buffer.readline():
        name, length = line.split()
        text = description(sys.stdin.buffer.read(int(length)), name.decode()).encode()
        sys.stdout.buffer.write(struct.pack(">I", len(text)) + text)
        sys.stdout.buffer.flush()


if sys.argv[1] == "serve":
    serve()
else:
    {"read": read, "write": write}[sys.argv[1]](pathlib.Path(sys.argv[2]))
