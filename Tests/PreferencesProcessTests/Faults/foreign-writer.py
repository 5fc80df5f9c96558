"""Adds keys to a property list without a lock, by files that replace it: foreign-writer.py FILE COUNT RESULT

Like a careful program it writes again if the file has changed since it was read. What remains is the moment between
looking and replacing, in which either writer can undo a change of the other. So it adds each key again that is missing,
and writes to RESULT how many these were. After a line of standard input it adds those that are missing once more.
"""

import os, plistlib, sys, time

path, count, result = sys.argv[1], int(sys.argv[2]), sys.argv[3]
undone = 0
written = {}


def version(status):
    return status.st_ino, status.st_size, status.st_mtime_ns


def add(values):
    while True:
        with open(path, "rb") as file:
            before = version(os.fstat(file.fileno()))
            found = plistlib.load(file)
        missing = [key for key in written if key not in found]
        with open(path + ".foreign", "wb") as file:
            plistlib.dump({**found, **written, **values}, file)
        if version(os.stat(path)) == before:
            os.rename(path + ".foreign", path)
            return len(missing)


for index in range(count):
    values = {"foreign%d" % index: index}
    undone += add(values)
    written.update(values)
    time.sleep(0.001)
with open(result + ".new", "w") as file:
    file.write(str(undone))
os.rename(result + ".new", result)
sys.stdin.readline()
add({})
