"""Offers a disk image through FUSE and records all writes and flushes: recording-disk.py FOLDER IMAGE LOG

The only file of the file system mounted on FOLDER, named "disk", has the contents of IMAGE. A loop device over it
is a disk whose history is known. LOG receives a record for each request of the device, in the order in which they
arrive: "W", the offset (8 bytes) and length (4 bytes, both little-endian) and the data of a write, or "F" for a flush.
Prints "ready" when the file system is mounted, and unmounts it at the end of standard input.
"""

import ctypes, errno, os, select, stat, struct, sys

LOOKUP, FORGET, GETATTR, SETATTR, OPEN, READ, WRITE, STATFS, RELEASE = 1, 2, 3, 4, 14, 15, 16, 17, 18
FSYNC, FLUSH, INIT, OPENDIR, READDIR, RELEASEDIR, INTERRUPT, DESTROY, BATCH_FORGET = 20, 25, 26, 27, 28, 29, 36, 38, 42

BIG_WRITES, MAX_PAGES = 1 << 5, 1 << 22
LARGEST_WRITE = 1 << 20
ROOT, DISK = 1, 2
NAME = b"disk"

folder, image, log = sys.argv[1:]
device = os.open("/dev/fuse", os.O_RDWR | os.O_CLOEXEC)
backing = os.open(image, os.O_RDWR | os.O_CLOEXEC)
history = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC, 0o600)
libc = ctypes.CDLL(None, use_errno=True)


def check(result):
    if result != 0:
        sys.exit("recording-disk.py: " + os.strerror(ctypes.get_errno()))


def attributes(node):
    size, mode = (0, stat.S_IFDIR | 0o700) if node == ROOT else (os.fstat(backing).st_size, stat.S_IFREG | 0o600)
    return struct.pack("<6Q10I", node, size, size // 512, 0, 0, 0, 0, 0, 0, mode, 1, os.getuid(), os.getgid(), 0, 4096, 0)


def answer(operation, node, body):
    """The body of the reply; nil for a request without one, and an error number for a failure."""
    if operation == INIT:
        # Of the kernel's later versions of the protocol nothing is needed.
        return struct.pack("<4I2H2I2H8I", 7, 31, 0, BIG_WRITES | MAX_PAGES, 16, 12, LARGEST_WRITE, 1, LARGEST_WRITE // 4096,
                           0, *[0] * 8)
    if operation in (FORGET, BATCH_FORGET, INTERRUPT):
        return None
    if operation == LOOKUP:
        if node != ROOT or body.rstrip(b"\0") != NAME:
            return errno.ENOENT
        return struct.pack("<4Q2I", DISK, 0, 3600, 3600, 0, 0) + attributes(DISK)
    if operation in (GETATTR, SETATTR):
        return struct.pack("<Q2I", 3600, 0, 0) + attributes(node)
    if operation in (OPEN, OPENDIR):
        return struct.pack("<Q2I", 0, 0, 0)
    if operation == READ:
        _, offset, size = struct.unpack_from("<2QI", body)
        return os.pread(backing, size, offset)
    if operation == WRITE:
        _, offset, size = struct.unpack_from("<2QI", body)
        data = body[40:40 + size]
        os.pwrite(backing, data, offset)
        os.write(history, b"W" + struct.pack("<QI", offset, size) + data)
        return struct.pack("<2I", size, 0)
    if operation == FSYNC:
        os.write(history, b"F")
        return b""
    if operation == STATFS:
        return struct.pack("<5Q4I6I", 0, 0, 0, 1, 0, 4096, 255, 4096, 0, *[0] * 6)
    if operation in (FLUSH, RELEASE, RELEASEDIR, DESTROY, READDIR):
        return b""
    return errno.ENOSYS


options = b"fd=%d,rootmode=40000,user_id=%d,group_id=%d" % (device, os.getuid(), os.getgid())
check(libc.mount(b"recording-disk", os.fsencode(folder), b"fuse", 0, options))
print("ready", flush=True)
isEnding = False
while True:
    ready, _, _ = select.select([device] if isEnding else [device, sys.stdin], [], [])
    if sys.stdin in ready and not os.read(0, 4096):
        isEnding = True
        # The kernel waits for no answer of a file system that is unmounted lazily.
        check(libc.umount2(os.fsencode(folder), 2))
    if device not in ready:
        continue
    try:
        request = os.read(device, LARGEST_WRITE + 4096)
    except OSError as error:
        # The request was interrupted, or the file system has been unmounted.
        if error.errno in (errno.ENOENT, errno.EINTR, errno.EAGAIN):
            continue
        if error.errno == errno.ENODEV:
            break
        raise
    _, operation, unique, node = struct.unpack_from("<2I2Q", request)
    body = answer(operation, node, request[40:])
    if body is None:
        continue
    code, body = (-body, b"") if isinstance(body, int) else (0, body)
    os.write(device, struct.pack("<IiQ", 16 + len(body), code, unique) + body)
