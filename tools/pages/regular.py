"""regular.py: how a file is read that a stranger may have sent: a folder of results, a page. A link to /dev/zero or a FIFO
never ends. Regular files of at most 8 MiB are read, and nothing else."""
import os
import stat

LARGEST = 8 << 20


class NotRegular(OSError):
    """why: what it is instead."""

    def __init__(self, path, why):
        super().__init__(f"{path} {why}")
        self.why = why


def fault(status):
    """Why a file with this status is not read, or None."""
    if stat.S_ISLNK(status.st_mode):
        return "is a link, not a regular file"
    if not stat.S_ISREG(status.st_mode):
        return "is not a regular file"
    return f"is larger than {LARGEST >> 20} MiB" if status.st_size > LARGEST else None


def content(path):
    """The bytes of a file; OSError if there is none, or NotRegular."""
    why = fault(os.lstat(path))
    if not why:
        with open(os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK), "rb") as file:
            why = fault(os.fstat(file.fileno()))
            data = b"" if why else file.read(LARGEST + 1)
            if not why and len(data) <= LARGEST:
                return data
    raise NotRegular(path, why or "grew while it was read")


def entries(folder):
    """(the files, {file: why it is not read}) below a folder, as paths from it. No link is followed."""
    files, faults = [], {}
    for where, folders, names in os.walk(folder):
        for name in sorted(folders + names):
            path = os.path.join(where, name)
            status = os.lstat(path)
            if not stat.S_ISDIR(status.st_mode) or name.endswith((".csv", ".json")):
                path, why = os.path.relpath(path, folder), fault(status)
                if why:
                    faults[path] = why
                else:
                    files.append(path)
    return sorted(files), faults
