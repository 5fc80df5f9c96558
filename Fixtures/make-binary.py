#!/usr/bin/env python3
"""Writes the binary fixtures, and the texts among the others whose bytes no text editor keeps.

Run it without arguments, in any directory; it writes into the folders beside itself and gives the
same bytes every time. Nothing in it comes from the Swift readers and writers that the fixtures are
there to test: binary property lists are put together from bytes by the small assembler below,
values are Python's, and the counterparts of hand-written XML are read with Python's plistlib.

index.tsv says what each file is for and what a reader has to make of it.
"""

import datetime
import pathlib
import plistlib
import struct

FIXTURES = pathlib.Path(__file__).resolve().parent

# ---------------------------------------------------------------------------------------------
# The assembler: objects are bytes, a file is a list of them with a table and a trailer.


def number(value, size):
    """An unsigned number, the highest byte first; a negative one in two's complement."""
    return (value % (1 << (8 * size))).to_bytes(size, "big")


def integer(value, size=None):
    """An integer object; without a size the least that fits, in which 8 and 16 bytes are signed."""
    if size is None:
        limits = {1: 1 << 8, 2: 1 << 16, 4: 1 << 32, 8: 1 << 63, 16: 1 << 127}
        size = 8 if value < 0 else next(s for s, limit in limits.items() if value < limit)
    return bytes([0x10 | size.bit_length() - 1]) + number(value, size)


def real(value):
    return b"\x23" + struct.pack(">d", value)


def float32(value):
    return b"\x22" + struct.pack(">f", value)


def date(seconds):
    """A date, in seconds from 2001-01-01."""
    return b"\x33" + struct.pack(">d", seconds)


def uid(value, size):
    return bytes([0x80 | size - 1]) + number(value, size)


def counted(marker, count, size=None):
    """An object's marker with its length, which goes into an integer of that size or, if none is
    given, only where it has to."""
    if count < 15 and size is None:
        return bytes([marker | count])
    return bytes([marker | 15]) + integer(count, size)


def data(content, size=None):
    return counted(0x40, len(content), size) + content


def ascii(text, size=None):
    return counted(0x50, len(text), size) + text.encode("ascii")


def utf16(text, size=None):
    units = text.encode("utf-16-be", "surrogatepass")
    return counted(0x60, len(units) // 2, size) + units


def string(text):
    return ascii(text) if text.isascii() else utf16(text)


def array(*references, size=1):
    return counted(0xA0, len(references)) + b"".join(number(r, size) for r in references)


def set_of(*references, size=1):
    return counted(0xC0, len(references)) + b"".join(number(r, size) for r in references)


def dictionary(keys, values, size=1):
    return counted(0xD0, len(keys)) + b"".join(number(r, size) for r in [*keys, *values])


NULL, FALSE, TRUE = b"\x00", b"\x08", b"\x09"


def plist(
    *objects, header=b"bplist00", offset_size=1, reference_size=1, top=0, count=None,
    offsets=None, table=None, table_offset=None, unused=bytes(6), gap=b"",
):
    """A file. Every field follows from the objects unless it is given.

    `offsets` maps an object's number to the offset that the table gives it in place of the right
    one; `table` replaces the whole table; `gap` stands between table and trailer.
    """
    body = header
    places = []
    for content in objects:
        places.append(len(body))
        body += content
    for index, offset in (offsets or {}).items():
        places[index] = offset
    if table is None:
        table = b"".join(number(place, offset_size) for place in places)
    return (
        body + table + gap + unused + bytes([offset_size, reference_size])
        + number(len(objects) if count is None else count, 8)
        + number(top, 8)
        + number(len(body) if table_offset is None else table_offset, 8)
    )


# ---------------------------------------------------------------------------------------------
# Whole values: the objects in the order of a walk from the root, equal leaves shared.


class Date(float):
    """A date in seconds from 2001-01-01, beyond the years that Python's own can hold."""


class Pairs(list):
    """A dictionary as a list of keys and values, in which keys may repeat."""


EPOCH = datetime.datetime(2001, 1, 1)


def seconds(year, month=1, day=1, hour=0, minute=0, second=0):
    moment = datetime.datetime(year, month, day, hour, minute, second)
    return Date((moment - EPOCH).total_seconds())


def pack(value):
    """The file of a value."""
    objects = []
    references = {}
    leaves = {}

    def leaf(content):
        if content not in leaves:
            leaves[content] = len(objects)
            objects.append(content)
        return leaves[content]

    def add(value):
        if isinstance(value, dict):
            value = Pairs(value.items())
        if isinstance(value, Pairs):
            if len(value) == 1 and value[0][0] == "CF$UID" and type(value[0][1]) is int:
                if 0 <= value[0][1] < 1 << 32:
                    return add(plistlib.UID(value[0][1]))
            index = len(objects)
            objects.append(None)
            keys = [add(key) for key, _ in value]
            references[index] = (0xD0, keys + [add(element) for _, element in value])
            return index
        if isinstance(value, (list, tuple)):
            index = len(objects)
            objects.append(None)
            references[index] = (0xA0, [add(element) for element in value])
            return index
        if isinstance(value, bool):
            return leaf(TRUE if value else FALSE)
        if isinstance(value, int):
            return leaf(integer(value))
        if isinstance(value, Date):
            return leaf(date(value))
        if isinstance(value, float):
            return leaf(real(value))
        if isinstance(value, datetime.datetime):
            return leaf(date((value - EPOCH).total_seconds()))
        if isinstance(value, bytes):
            return leaf(data(value))
        if isinstance(value, str):
            return leaf(string(value))
        if isinstance(value, plistlib.UID):
            return leaf(uid(value.data, (max(value.data, 1).bit_length() + 7) // 8))
        raise TypeError(value)

    add(value)
    reference_size = 1 if len(objects) < 256 else 2
    for index, (marker, elements) in references.items():
        count = len(elements) // 2 if marker == 0xD0 else len(elements)
        objects[index] = counted(marker, count) + b"".join(
            number(element, reference_size) for element in elements
        )
    length = 8 + sum(map(len, objects))
    return plist(
        *objects, reference_size=reference_size, offset_size=(length.bit_length() + 7) // 8
    )


def converted(stem):
    """The binary file of a hand-written XML fixture."""
    return pack(plistlib.loads((FIXTURES / "xml" / f"{stem}.plist").read_bytes()))


# ---------------------------------------------------------------------------------------------
# XML with bytes that are not UTF-8, or that editors and version control do not leave alone.


def encoded(codec, declaration, text, mark=b""):
    """A document of one dictionary in another encoding."""
    document = f"""{declaration}
<plist version="1.0">
<dict>
\t<key>{text[0]}</key>
\t<string>{text[1]}</string>
\t<key>count</key>
\t<integer>17</integer>
</dict>
</plist>
"""
    return mark + document.encode(codec)


def declared(name):
    return f'<?xml version="1.0" encoding="{name}"?>'


WIDE = ("Größe", "naïve café, 日本語, 😀")
WESTERN = ("Größe", "naïve café, 2 × ½ ¥")
WINDOWS = ("Preis in €", "“naïve” café – š…")
PLAIN = ("size", "plain")

ENCODINGS = {
    "encoding-utf-8": (WIDE, encoded("utf-8", declared("utf-8"), WIDE)),
    "encoding-utf-8-mark": (WIDE, encoded("utf-8", declared("UTF-8"), WIDE, b"\xef\xbb\xbf")),
    "encoding-utf-16-le-mark": (
        WIDE, encoded("utf-16-le", declared("UTF-16"), WIDE, b"\xff\xfe")),
    "encoding-utf-16-be-mark": (
        WIDE, encoded("utf-16-be", declared("UTF-16"), WIDE, b"\xfe\xff")),
    "encoding-utf-16-le-mark-alone": (
        WIDE, encoded("utf-16-le", '<?xml version="1.0"?>', WIDE, b"\xff\xfe")),
    "encoding-utf-16-le-declared": (WIDE, encoded("utf-16-le", declared("UTF-16LE"), WIDE)),
    "encoding-utf-16-be-declared": (WIDE, encoded("utf-16-be", declared("UTF-16BE"), WIDE)),
    "encoding-utf-32-le-mark": (
        WIDE, encoded("utf-32-le", declared("UTF-32"), WIDE, b"\xff\xfe\0\0")),
    "encoding-utf-32-be-mark": (
        WIDE, encoded("utf-32-be", declared("UTF-8"), WIDE, b"\0\0\xfe\xff")),
    "encoding-iso-8859-1": (WESTERN, encoded("iso-8859-1", declared("ISO-8859-1"), WESTERN)),
    "encoding-windows-1252": (WINDOWS, encoded("cp1252", declared("windows-1252"), WINDOWS)),
    "encoding-us-ascii": (PLAIN, encoded("ascii", declared("US-ASCII"), PLAIN)),
}

# Foundation's writer lets control characters through as they are; others write references.
CONTROL_CHARACTERS = b"""<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
"http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
\t<key>bell \x07</key>
\t<string>\x1b[1mbold\x1b[0m</string>
\t<key>delete</key>
\t<string>\x7f and \xc2\x85, which XML allows</string>
\t<key>first and last</key>
\t<string>\x01...\x1f</string>
\t<key>references</key>
\t<string>&#1;&#x1B;&#31;</string>
</dict>
</plist>
"""

CONTROL_CHARACTERS_AND_ENTITIES = b"""<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0">
<dict>
\t<key>before &amp;</key>
\t<string>&lt;&gt;&apos;&quot;</string>
\t<key>beside</key>
\t<string>\x02&amp;\x03 &lt;\x04&#38;</string>
\t<key>behind &amp;</key>
\t<string>&lt;&gt;&apos;&quot;</string>
</dict>
</plist>
"""

# CR alone is written here as `|`.
CARRIAGE_RETURNS = b"""<?xml version="1.0" encoding="UTF-8"?>
<plist version="1.0">
<dict>
\t<key>CR LF</key>
\t<string>one
two</string>
\t<key>CR</key>
\t<string>one|two</string>
\t<key>CR CR LF</key>
\t<string>one|
two</string>
\t<key>a|key</key>
\t<true/>
\t<key>a
key</key>
\t<false/>
\t<key>reference</key>
\t<string>one&#13;two&#xD;&#10;three</string>
\t<key>a key&#13;</key>
\t<string>&#13;</string>
\t<key>CDATA</key>
\t<string><![CDATA[one
two]]></string>
\t<key>integer</key>
\t<integer>
1
</integer>
\t<key>data</key>
\t<data>
\tTGFy
\tZGVy
\t</data>
</dict>
</plist>
""".replace(b"\n", b"\r\n").replace(b"|", b"\r")

# More than the hundred that libxml2 has reported since version 2.11.
MANY_CONTROL_CHARACTERS = b"".join(
    b"\t<string>%c&#%d;</string>\n" % (number, number)
    for number in [*range(1, 9), 11, 12, *range(14, 32)] * 8)

XML = {stem: content for stem, (_, content) in ENCODINGS.items()} | {
    "carriage-returns": CARRIAGE_RETURNS,
    "control-characters": CONTROL_CHARACTERS,
    "control-characters-and-entities": CONTROL_CHARACTERS_AND_ENTITIES,
    "control-characters-of-hundreds":
        b"<plist>\n<array>\n" + MANY_CONTROL_CHARACTERS + b"</array>\n</plist>\n",
    "white-space-before-declaration":
        b"\xef\xbb\xbf \r\n\t" + declared("UTF-8").encode() + b"\n<plist><true/></plist>\n",
    "trailing-nul": b"<plist><string>NULs and a line feed</string></plist>\0\0\n\0",
}


def in_string(content):
    return b'<plist version="1.0">\n<string>' + content + b"</string>\n</plist>\n"


def with_declaration(name, content):
    return declared(name).encode() + b"\n" + in_string(content)


MALFORMED_XML = {
    "bytes-after-nul": b"<plist><true/></plist>\0<!-- more -->\n",
    "control-characters-of-hundreds-then-cut-off":
        b"<plist>\n<array>\n" + MANY_CONTROL_CHARACTERS,
    "control-characters-of-hundreds-then-wrong-end-tag":
        b"<plist>\n<array>\n" + MANY_CONTROL_CHARACTERS + b"</dict>\n</plist>\n",
    "control-character-between-elements": b"<plist>\n<array>\n\t\x01<true/>\n</array>\n</plist>\n",
    "control-character-in-attribute": b'<plist>\n<string note="\x01">a</string>\n</plist>\n',
    "control-character-in-cdata": in_string(b"<![CDATA[a\x01b]]>"),
    "control-character-in-comment": b"<plist>\n<!-- a\x01b -->\n<true/>\n</plist>\n",
    "control-character-in-data": b"<plist>\n<data>TGFy\x01</data>\n</plist>\n",
    "control-character-in-date": b"<plist>\n<date>2024-02-29T13:14:15Z\x01</date>\n</plist>\n",
    "control-character-in-integer": b"<plist>\n<integer>1\x01</integer>\n</plist>\n",
    "control-character-in-real": b"<plist>\n<real>1\x1f</real>\n</plist>\n",
    "encoding-ascii-with-high-byte": with_declaration("US-ASCII", b"a\xe9"),
    "encoding-contradicts-mark": b"\xef\xbb\xbf" + with_declaration("ISO-8859-1", b"a"),
    "encoding-ebcdic": encoded("cp037", declared("EBCDIC-CP-US"), PLAIN),
    "encoding-utf-16-declared-for-utf-8": with_declaration("UTF-16", b"a"),
    "encoding-utf-16-lone-surrogate":
        b"\xff\xfe" + in_string(b"a?b").decode().encode("utf-16-le").replace(b"?\0", b"\x00\xd8"),
    "encoding-utf-16-odd-length":
        b"\xff\xfe" + "<plist><true/></plist>".encode("utf-16-le") + b"x",
    "encoding-utf-16-cut-in-unit":
        b"\xff\xfe" + "<plist><string>abc".encode("utf-16-le") + b"\x61",
    "encoding-utf-32": "<plist><true/></plist>\n".encode("utf-32-le"),
    "encoding-utf-8-cut-in-character": in_string(b"a\xe2\x82"),
    "encoding-utf-8-latin-1-byte": in_string(b"caf\xe9"),
    "encoding-utf-8-overlong": in_string(b"a\xc0\xbc"),
    "encoding-utf-8-surrogate": in_string(b"a\xed\xa0\x80"),
    "encoding-utf-8-beyond-unicode": in_string(b"a\xf4\x90\x80\x80"),
    "encoding-windows-1252-undefined-byte": with_declaration("windows-1252", b"a\x81"),
    "noncharacter-ffff": in_string(b"a\xef\xbf\xbf"),
    "nul-between-elements": b"<plist>\n\0<true/>\n</plist>\n",
    "nul-in-string": in_string(b"a\0b"),
}

# ---------------------------------------------------------------------------------------------
# Well-formed binary property lists.

CONVERTED = [
    "app-info", "entitlements", "keyed-archive", "launchd-job", "music-library", "preferences",
    "strings-table",
]

inf, nan = float("inf"), float("nan")

# The values of XML fixtures, stated once more.
VALUES = {
    "bare-word": "acorn",
    "octal-escapes": {"a": "Ø and þ", "ǿ": "\x7f"},
    "underflow": {"denormal": 5e-324, "zero": [0.0, -0.0, 0.0]},
    "attributes": {"a": "  b  ", "c": 1, "d": True, "e": []},
    "carriage-returns": {
        "CR LF": "one\r\ntwo",
        "CR": "one\rtwo",
        "CR CR LF": "one\r\r\ntwo",
        "a\rkey": True,
        "a\r\nkey": False,
        "reference": "one\rtwo\r\nthree",
        "a key\r": "\r",
        "CDATA": "one\r\ntwo",
        "integer": 1,
        "data": b"Larder",
    },
    "cdata-and-references": {
        '<b> & "c"': "before <in> & ]] > after",
        "<>&'\"": "",
        "references": "ABC é😀\t\n\r|",
        "not twice": "&lt; &amp; &lt;",
        "two sections": "onetwo",
        "split end": "]]>",
        "number": 12,
        "date": seconds(2024, 2, 29, 13, 14, 15),
        "data": b"Larder",
    },
    "comments-between-elements": {"a": ["one", "two"], "b": True},
    "control-characters": {
        "bell \a": "\x1b[1mbold\x1b[0m",
        "delete": "\x7f and \x85, which XML allows",
        "first and last": "\x01...\x1f",
        "references": "\x01\x1b\x1f",
    },
    "control-characters-and-entities": {
        "before &": "<>'\"",
        "beside": "\x02&\x03 <\x04&",
        "behind &": "<>'\"",
    },
    "control-characters-of-hundreds":
        [chr(number) * 2 for number in [*range(1, 9), 11, 12, *range(14, 32)] * 8],
    "data-white-space": [b"Larder", b"Larder", b"La", b"Lard", b"\xfb\xff\xbf"],
    "date-extremes": [
        seconds(1),
        seconds(1582, 10, 15, 12, 30),
        seconds(1752, 9, 14, 6, 7, 8),
        seconds(1899, 12, 31, 23, 59, 59),
        seconds(1969, 12, 31, 23, 59, 59),
        seconds(1970),
        seconds(2000, 2, 29, 12),
        seconds(2000, 12, 31, 23, 59, 59),
        seconds(2001),
        seconds(2038, 1, 19, 3, 14, 8),
        seconds(2100, 3, 1),
        seconds(9999, 12, 31, 23, 59, 59),
    ],
    # Python knows the years 1 to 9999: go there in whole cycles of 400 years, 146,097 days.
    "date-unusual-years": [
        Date(seconds(400) - 146_097 * 86_400),
        Date(seconds(400, 2, 29) - 146_097 * 86_400),
        Date(seconds(399, 12, 31, 23, 59, 59) - 146_097 * 86_400),
        Date(seconds(88, 1, 1, 12) - 12 * 146_097 * 86_400),
        Date(seconds(2000) + 20 * 146_097 * 86_400),
        Date(seconds(2028, 9, 14, 2, 48, 5) + 72 * 146_097 * 86_400),
        seconds(2024, 5, 6, 7, 8, 9),
    ],
    "date-fractions-rounded": [Date(0), Date(730857599), Date(-1), Date(-2), Date(-0.0)],
    "doctype-other-name": "the DOCTYPE does not matter",
    "doctype-system-id": {"Name": "Acorn Notes"},
    "empty-dictionary": {},
    "empty-values": {
        "string": "",
        "string, one tag": "",
        "data": b"",
        "data, one tag": b"",
        "data, white space": b"",
        "array": [],
        "array, one tag": [],
        "dictionary": {},
        "dictionary, one tag": {},
        "true, two tags": True,
        "nested": [[{}, []], ""],
        "": "the empty key",
    },
    "integer-extremes": {
        "zero": 0,
        "minus zero": 0,
        "minus one": -1,
        "2^7": 1 << 7,
        "2^8-1": (1 << 8) - 1,
        "2^8": 1 << 8,
        "2^15": 1 << 15,
        "2^16-1": (1 << 16) - 1,
        "2^16": 1 << 16,
        "2^31": 1 << 31,
        "-2^31-1": -(1 << 31) - 1,
        "2^32-1": (1 << 32) - 1,
        "2^32": 1 << 32,
        "2^53+1": (1 << 53) + 1,
        "2^63-1": (1 << 63) - 1,
        "2^63": 1 << 63,
        "2^64-1": (1 << 64) - 1,
        "-2^63+1": -(1 << 63) + 1,
        "-2^63": -(1 << 63),
    },
    "integer-spellings": {
        "hexadecimal": 255,
        "hexadecimal, lower case": 0xDEADBEEF,
        "hexadecimal, upper case X": 31,
        "hexadecimal, negative": -16,
        "hexadecimal, positive": 16,
        "hexadecimal 2^64-1": (1 << 64) - 1,
        "hexadecimal -2^63": -(1 << 63),
        "plus": 5,
        "leading zeros, not octal": 17,
        "spaces": 42,
        "line breaks": -7,
    },
    "key-normal-forms": {
        "\u00e9": "one code point",
        "e\u0301": "e and a combining accent",
        "\uac00": 1,
        "\u1100\u1161": 2,
        "\u212b": "the angstrom sign",
        "\u00c5": "A with a ring",
        "A\u030a": "A and a combining ring",
        "\u00e9\u00e9": ["\u00e9", "e\u0301"],
    },
    "key-order": {
        "b": 1, "a": 2, "Z": 3, "z": 4, "10": 5, "9": 6, "\U00010000": 7, "\uffee": 8, "": 9,
        "é": 10, "e": 11, "aa": 12, "a b": 13, "key 14": 14, "key 15": 15, "key 16": 16,
        "key 17": 17, "key 18": 18,
    },
    "leap-second": [seconds(2016, 12, 31, 23, 59, 59), seconds(2024, 6, 30, 12, 0, 59)],
    "long-key": {" ".join(f"branch-{n:03}" for n in range(500)): "leaf " * 2000},
    "no-declaration": {"declaration": False, "line breaks": False},
    "no-plist-element": {"Name": "Acorn Notes", "Wrapped": False},
    "no-plist-element-scalar": "no wrapper and no declaration",
    "null-string": {"$null": "$null"},
    "real-extremes": [
        0.0, 0.0, -0.0, 1.0, -1.5, 0.1, 0.30000000000000004, 3.1415926535897931,
        1.2345678901234568e17, 9007199254740992.0, 1.7976931348623157e308,
        -1.7976931348623157e308, 2.0**-1022, 2.0**-1074, 1e-4, 1e-5, nan, inf, -inf,
    ],
    "real-spellings": [
        nan, nan, nan, inf, inf, -inf, inf, inf, -inf, 1.5, 1.0, 0.5, -25.0, 1000.0, 1000.0, 0.001,
        12.5, 0.0, 123456789012345678901234567890.0,
    ],
    "root-array": ["first", "second"],
    "root-data": b"\0\1\2\3\4\xff",
    "root-date": seconds(2024, 2, 29, 13, 14, 15),
    "root-false": False,
    "root-integer": -42,
    "root-real": 2.5,
    "root-string": "Only a string",
    "root-true": True,
    "root-uid": plistlib.UID(7),
    "string-white-space": {
        " spaces around ": "  two, three   ", "\ttab": "\t", "line\nbreak": "\n", " ": " "
    },
    "text-beyond-ascii": {
        "Ærø–Straße": "Ünïcödé ſtuff, “quoted” — and…",
        "Привет": "мир",
        "日本語": "プロパティリスト",
        "עברית": "من اليمين إلى اليسار",
        "😀": "👩\u200d👩\u200d👧\u200d👦 🇨🇭 👍🏽 1️⃣",
        "𝒜 beyond the first plane": "𐍈𝄞🂡",
        "private use and its sorting neighbours \uf8ff\uffee": "\ufffd is not an error",
        "no-break space": "\u00a0",
        "line separator": "a\u2028b\u2029c",
    },
    "white-space-before-declaration": True,
    "trailing-nul": "NULs and a line feed",
    "uid-extremes": [plistlib.UID(n) for n in (0, 255, 256, 65536, (1 << 32) - 1)],
    "uid-look-alikes": [
        {"CF$UID": -1},
        {"CF$UID": 1 << 32},
        {"CF$UID": (1 << 64) - 1},
        {"CF$UID": "1"},
        {"CF$UID": 1.0},
        {"CF$UID": 1, "other": 2},
        {"CF$uid": 1},
    ],
} | {
    stem: {text[0]: text[1], "count": 17} for stem, (text, _) in ENCODINGS.items()
}

DUPLICATE_KEYS = Pairs(
    [
        ("a", 1),
        ("b", Pairs([("c", "first"), ("c", "second"), ("c", [])])),
        ("a", 2),
        ("", True),
        ("", False),
    ]
)

# The contents of the objects below: {"a": [1, "two"], "b": true}.
SMALL = lambda size: (
    dictionary([1, 2], [3, 6], size), ascii("a"), ascii("b"), array(4, 5, size=size), integer(1),
    ascii("two"), TRUE,
)

BINARY = {
    "date-fractions": plist(
        array(1, 2, 3, 4, 5), date(0.5), date(730857599.25), date(-0.001), date(-1.5), date(-0.0)),
    "date-beyond-xml": plist(array(1), date(1e16)),
    "date-infinite": plist(array(1, 2), date(inf), date(-inf)),
    "depth-512": plist(
        *(array(n + 1, size=2) for n in range(511)), array(), offset_size=2, reference_size=2),
    "duplicate-keys": pack(DUPLICATE_KEYS),
    "empty-key-twice": pack(Pairs([("", "first"), ("a", "1"), ("", "second")])),
    "float32": plist(
        array(*range(1, 10)), float32(0.5), float32(-2.0), float32(0.1), float32(3.4028234e38),
        float32(2.0**-149), float32(-0.0), float32(nan), float32(inf), float32(-inf)),
    "integer-16-bytes": plist(
        array(*range(1, 7)), integer(1 << 63, 16), integer((1 << 64) - 1, 16), integer(5, 16),
        integer(0, 16), integer(-1, 16), integer(-(1 << 63), 16)),
    "integer-sizes": plist(
        array(*range(1, 11)), integer(255, 1), integer(65535, 2), integer((1 << 32) - 1, 4),
        integer(-1, 8), integer((1 << 63) - 1, 8), integer(-(1 << 63), 8), integer(1, 2),
        integer(1, 4), integer(1, 8), integer(128, 1)),
    "length-sizes": plist(
        array(*range(1, 7)), ascii("one", 1), ascii("two", 2), utf16("drei…", 4),
        data(b"four", 8), counted(0xA0, 1, 8) + number(1, 1),
        counted(0xD0, 1, 2) + number(1, 1) + number(2, 1)),
    "marked-ascii.iso-8859-1": plist(
        dictionary([1, 2], [3, 4]), b"\x54caf\xe9", ascii("plain"), b"\x54na\xefv", TRUE),
    "marked-ascii.utf-8": plist(
        dictionary([1, 2], [3, 4]), b"\x55caf\xc3\xa9", ascii("plain"), b"\x55na\xc3\xafv", TRUE),
    "noncharacters": plist(dictionary([1], [2]), ascii("key"), utf16("\ufffe\uffff")),
    "nul-characters": plist(dictionary([1], [2]), ascii("key"), ascii("a\0b")),
    "null-objects": plist(array(1, 2), NULL, dictionary([3], [1]), ascii("nothing")),
    "objects-256-references-1-byte": plist(
        array(*range(1, 256)), *(integer(n) for n in range(255)), offset_size=2),
    "offsets-16-bytes": plist(*SMALL(1), offset_size=16),
    "offsets-3-bytes": plist(*SMALL(1), offset_size=3),
    "offsets-8-bytes": plist(*SMALL(1), offset_size=8),
    "overlapping-objects": plist(array(1, 2), data(ascii("abc")), b"", offsets={2: 12}),
    "references-16-bytes": plist(*SMALL(16), reference_size=16, offset_size=1),
    "references-3-bytes": plist(*SMALL(3), reference_size=3),
    "references-8-bytes": plist(*SMALL(8), reference_size=8),
    "set-objects": plist(
        dictionary([1, 2], [3, 4]), ascii("empty"), ascii("full"), set_of(), set_of(5, 6, 7),
        integer(1), ascii("two"), array(5)),
    "shared-objects": plist(
        dictionary([1, 2, 3], [4, 5, 5]), ascii("a"), ascii("b"), ascii("c"), array(5, 5, 6, 1),
        dictionary([1, 2], [7, 1]), array(7, 7), real(1.5)),
    "top-object-last": plist(ascii("Name"), ascii("Acorn Notes"), dictionary([0], [1]), top=2),
    "trailer-unused-bytes": plist(*SMALL(1), unused=b"\xff\xfe\xfd\xfc\xfb\x01"),
    "uid-dictionary": plist(
        dictionary([1], [2]), ascii("object"), dictionary([3], [4]), ascii("CF$UID"), integer(1)),
    "uid-sizes": plist(
        array(*range(1, 7)), uid(1, 1), uid(2, 2), uid(3, 3), uid((1 << 32) - 1, 4), uid(5, 8),
        uid(6, 16)),
    # A cycle, a marker without a meaning and a string of bytes above 127, which nothing refers to.
    "unreachable-objects": plist(
        ascii("reachable"), array(1), b"\x70", b"\x51\xff", dictionary([4], [1])),
    "utf16-ascii": plist(dictionary([1], [2]), utf16("key"), utf16("plain")),
    "utf16-surrogates": plist(
        dictionary([1, 2], [3, 4]), utf16("😀"), utf16("a𝄞b"), utf16("\U0010ffff\U00010000"),
        utf16("\ud7ff\ue000")),
    "version-01": plist(*SMALL(1), header=b"bplist01"),
}
BINARY |= {stem: converted(stem) for stem in CONVERTED}
BINARY |= {stem: pack(value) for stem, value in VALUES.items()}

# ---------------------------------------------------------------------------------------------
# Malformed binary property lists. Most are an array with one bad element, which stands at byte 10.

COUNTS = {"2-31": 1 << 31, "2-63-1": (1 << 63) - 1, "2-63": 1 << 63, "2-64-1": (1 << 64) - 1}


def element(content, *more):
    return plist(array(1), content, *more)


MALFORMED_BINARY = {
    # The file as a whole.
    "empty": b"",
    "header-alone": b"bplist00",
    "header-broken-off": b"bplist",
    "header-version-10": plist(*SMALL(1), header=b"bplist10"),
    "header-version-letters": plist(*SMALL(1), header=b"bplistXY"),
    "header-upper-case": plist(*SMALL(1), header=b"BPLIST00"),
    "too-short-by-one-byte": plist(TRUE)[:-1],
    "too-short-without-object": plist(count=1, table=b"\x08"),
    "trailer-alone": b"bplist00" + bytes(6) + b"\1\1" + number(1, 8) + number(0, 8) + number(8, 8),
    "trailing-bytes": plist(*SMALL(1)) + b"\n",
    "truncated-trailer": plist(*SMALL(1))[:-9],
    # The trailer's fields.
    "trailer-offset-size-0": plist(*SMALL(1), table=bytes(7), offset_size=0),
    "trailer-offset-size-9": plist(*SMALL(1), offset_size=9),
    "trailer-offset-size-15": plist(*SMALL(1), offset_size=15),
    "trailer-offset-size-255": plist(*SMALL(1), table=bytes(255 * 7), offset_size=255),
    "trailer-offset-size-too-small": plist(array(1), data(bytes(300)), table=b"\x08\x0a"),
    "trailer-reference-size-0": plist(*SMALL(1), reference_size=0),
    "trailer-reference-size-9": plist(*SMALL(9), reference_size=9),
    "trailer-reference-size-17": plist(*SMALL(17), reference_size=17),
    "trailer-reference-size-255": plist(*SMALL(1), reference_size=255),
    "trailer-reference-size-too-small": plist(
        array(*range(1, 256)), *(integer(n) for n in range(256)), offset_size=2),
    "trailer-object-count-0": plist(*SMALL(1), count=0),
    "trailer-object-count-one-less": plist(*SMALL(1), count=6),
    "trailer-object-count-one-more": plist(*SMALL(1), count=8),
    "trailer-top-object-beyond-count": plist(*SMALL(1), top=7),
    "trailer-table-offset-0": plist(*SMALL(1), table_offset=0),
    "trailer-table-offset-behind-header": plist(*SMALL(1), table_offset=8),
    "trailer-table-offset-in-header": plist(*SMALL(1), table_offset=7),
    "trailer-table-offset-in-trailer": plist(*SMALL(1), table_offset=len(plist(*SMALL(1))) - 20),
    "trailer-table-offset-at-trailer": plist(*SMALL(1), table_offset=len(plist(*SMALL(1))) - 32),
    "trailer-table-offset-beyond-file": plist(*SMALL(1), table_offset=1000),
    "trailer-table-offset-one-less": plist(*SMALL(1), table_offset=len(plist(*SMALL(1))) - 40),
    "trailer-gap-before": plist(*SMALL(1), gap=b"\0"),
    # The offset table.
    "offset-into-header": plist(*SMALL(1), offsets={5: 7}),
    "offset-0": plist(*SMALL(1), offsets={0: 0}),
    "offset-into-table": plist(*SMALL(1), offsets={5: len(plist(*SMALL(1))) - 39}),
    "offset-into-trailer": plist(*SMALL(1), offsets={5: len(plist(*SMALL(1))) - 32}),
    "offset-beyond-file": plist(*SMALL(1), offsets={5: 255}),
    "offset-2-63": plist(*SMALL(1), offsets={6: 1 << 63}, offset_size=8),
    "offset-2-64-1": plist(*SMALL(1), offsets={6: (1 << 64) - 1}, offset_size=8),
    "offset-2-64-of-16-bytes": plist(*SMALL(1), offsets={6: (1 << 64) + 8}, offset_size=16),
    "offset-of-unreachable-object": plist(TRUE, FALSE, offsets={1: 5}),
    # Objects that reach too far.
    "array-count-beyond-file": element(counted(0xA0, 200)),
    "array-references-cross-table": element(b"\xa2\x00"),
    "data-length-beyond-file": element(counted(0x40, 200) + b"abc"),
    "data-crosses-table": element(b"\x44abc"),
    "date-cut-off": element(b"\x33" + bytes(7)),
    "dictionary-count-beyond-file": element(counted(0xD0, 200)),
    "dictionary-values-cross-table": element(b"\xd2" + bytes(3)),
    "float32-cut-off": element(b"\x22" + bytes(3)),
    "integer-cut-off": element(b"\x13" + bytes(7)),
    "integer-16-bytes-cut-off": element(b"\x14" + bytes(15)),
    "length-cut-off": element(b"\x5f\x13" + bytes(7)),
    "length-missing": element(b"\x5f"),
    "real-cut-off": element(b"\x23" + bytes(7)),
    "set-count-beyond-file": element(counted(0xC0, 200)),
    "string-length-beyond-file": element(counted(0x50, 200) + b"abc"),
    "string-crosses-table": element(b"\x54abc"),
    "uid-cut-off": element(b"\x83" + bytes(3)),
    "utf16-length-beyond-file": element(counted(0x60, 200) + b"abc"),
    "utf16-crosses-table": element(b"\x62\x00a\x00"),
    # Lengths that are not integers.
    "length-negative": element(b"\x5f\x13" + number(-1, 8) + b"abc"),
    "length-of-16-bytes": element(b"\x5f\x14" + number(3, 16) + b"abc"),
    "length-of-32-bytes": element(b"\x5f\x15" + number(3, 32) + b"abc"),
    "length-a-string": element(b"\x5f\x51\x03abc"),
    "length-a-real": element(b"\xaf" + real(1.0)),
    # Integers, reals and dates of sizes that there are not.
    "integer-of-32-bytes": element(b"\x15" + number(1, 32)),
    "integer-of-2-to-the-15-bytes": element(b"\x1f" + number(1, 64)),
    "integer-2-64": element(integer(1 << 64, 16)),
    "integer-2-127-1": element(integer((1 << 127) - 1, 16)),
    "integer-below-minus-2-63": element(integer(-(1 << 63) - 1, 16)),
    "integer-minus-2-127": element(integer(-(1 << 127), 16)),
    "real-of-1-byte": element(b"\x20\x00"),
    "real-of-2-bytes": element(b"\x21\x3c\x00"),
    "real-of-16-bytes": element(b"\x24" + bytes(16)),
    "date-of-4-bytes": element(b"\x32" + bytes(4)),
    "date-of-16-bytes": element(b"\x34" + bytes(16)),
    "date-nan": element(date(nan)),
    "date-negative-nan": element(b"\x33" + number(0xFFF8000000000001, 8)),
    # Objects that property lists do not have.
    "object-01": element(b"\x01"),
    "object-07": element(b"\x07"),
    "object-url": element(b"\x0c" + ascii("https://example.com/")),
    "object-url-with-base": element(b"\x0d" + ascii("https://example.com/") + ascii("a")),
    "object-uuid": element(b"\x0e" + bytes(range(16))),
    "object-fill": element(b"\x0f"),
    "object-70": element(b"\x71abc"),
    "object-90": element(b"\x90"),
    "object-ordered-set": element(b"\xb1\x00"),
    "object-e0": element(b"\xe0"),
    "object-f0": element(b"\xff"),
    "object-at-root": plist(b"\x0f"),
    # Strings and UIDs.
    "utf16-lone-high-surrogate": element(utf16("a\ud83db")),
    "utf16-lone-low-surrogate": element(utf16("a\ude00b")),
    "utf16-high-surrogate-at-end": element(utf16("ab\ud83d")),
    "utf16-surrogates-swapped": element(utf16("\ude00\ud83d")),
    "uid-2-32": element(uid(1 << 32, 5)),
    "uid-2-64-1": element(uid((1 << 64) - 1, 8)),
    "uid-of-16-bytes-too-large": element(uid(1 << 127, 16)),
    # References.
    "reference-beyond-count": plist(array(1, 2), TRUE),
    "reference-in-set-beyond-count": plist(set_of(0xFF)),
    "reference-of-key-beyond-count": plist(dictionary([2], [1]), TRUE),
    "reference-of-value-beyond-count": plist(dictionary([1], [9]), ascii("a")),
    "reference-2-63": plist(array(1 << 63, size=8), reference_size=8),
    "reference-2-64-1": plist(array((1 << 64) - 1, size=8), reference_size=8),
    "reference-2-64-of-16-bytes": plist(array(1 << 64, size=16), reference_size=16),
    # Keys.
    "key-integer": plist(dictionary([1], [1]), integer(1)),
    "key-null": plist(dictionary([1], [1]), NULL),
    "key-data": plist(dictionary([1], [1]), data(b"a")),
    "key-uid": plist(dictionary([1], [1]), uid(1, 1)),
    "key-array": plist(dictionary([1], [2]), array(), TRUE),
    "key-the-dictionary-itself": plist(dictionary([0], [1]), TRUE),
    "key-malformed-string": plist(dictionary([1], [2]), utf16("a\ud83d"), TRUE),
    # Cycles, fan-out and depth.
    "array-cycle": plist(array(1), array(0)),
    "array-in-itself": plist(array(0)),
    "dictionary-cycle": plist(
        dictionary([1], [2]), ascii("a"), dictionary([3], [0]), ascii("b")),
    "set-cycle": plist(set_of(1, 2), TRUE, set_of(0)),
    "long-cycle": plist(
        ascii("top"), dictionary([0], [2]), array(3, 4), TRUE, dictionary([5], [2]), ascii("in"),
        top=1),
    # 151 bytes: nine arrays, each of ten times the next one; 1,111,111,111 values.
    "shared-reference-bomb": plist(*(array(*[n] * 10) for n in range(1, 10)), integer(1)),
    # The same with two values under two keys, in 60 levels.
    "shared-dictionary-bomb": plist(
        *(dictionary([61, 62], [n, n]) for n in range(1, 61)), TRUE, ascii("a"), ascii("b"),
        offset_size=2),
    "shared-set-bomb": plist(*(set_of(*[n] * 14) for n in range(1, 30)), TRUE, offset_size=2),
    "depth-513": plist(
        *(array(n + 1, size=2) for n in range(512)), array(), offset_size=2, reference_size=2),
    # Objects 1 to 300 are 300 deep; the root meets them first, then again below 212 arrays more.
    "depth-513-by-sharing": plist(
        array(1, 301, size=2), *(array(n + 1, size=2) for n in range(1, 300)), array(),
        *(array(n + 1, size=2) for n in range(301, 512)), array(1, size=2),
        offset_size=2, reference_size=2),
}
for size, count in COUNTS.items():
    long = number(count, 8)
    MALFORMED_BINARY |= {
        f"array-count-{size}": element(b"\xaf\x13" + long),
        f"data-length-{size}": element(b"\x4f\x13" + long + b"abc"),
        f"dictionary-count-{size}": element(b"\xdf\x13" + long),
        f"set-count-{size}": element(b"\xcf\x13" + long),
        f"string-length-{size}": element(b"\x5f\x13" + long + b"abc"),
        f"utf16-length-{size}": element(b"\x6f\x13" + long + b"abc"),
        f"trailer-object-count-{size}": plist(*SMALL(1), count=count),
        f"trailer-table-offset-{size}": plist(*SMALL(1), table_offset=count),
        f"trailer-top-object-{size}": plist(*SMALL(1), top=count),
    }

# ---------------------------------------------------------------------------------------------

if __name__ == "__main__":
    for folder, files in (
        ("xml", XML),
        ("binary", BINARY),
        ("malformed/xml", MALFORMED_XML),
        ("malformed/binary", MALFORMED_BINARY),
    ):
        (FIXTURES / folder).mkdir(parents=True, exist_ok=True)
        for stem, content in files.items():
            (FIXTURES / folder / f"{stem}.plist").write_bytes(content)

    # Strings tables have always been written in UTF-16 too.
    table = (FIXTURES / "openstep" / "strings-table.strings").read_text(encoding="utf-8")
    (FIXTURES / "openstep" / "strings-table.utf-16.strings").write_bytes(
        b"\xff\xfe" + table.encode("utf-16-le")
    )
