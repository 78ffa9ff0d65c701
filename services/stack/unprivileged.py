"""PostgreSQL refuses to run as root; two ways to start it all the same when we are root.

A user namespace that maps uid 0 to an ordinary one needs no other user and no chown. Where a
container forbids namespaces, the server becomes an existing ordinary user, who must be able to
reach its data and its programs.
"""

from __future__ import annotations

import ctypes
import os
import pwd
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from services.stack.errors import StackError

CLONE_NEWUSER = 0x10000000
ORDINARY_ID = 1000
_libc = ctypes.CDLL(None, use_errno=True)


class Identity(Protocol):
    """As whom a server runs."""

    def enter(self) -> None:
        """Become it; runs in the child between fork and exec."""

    def own(self, path: Path) -> None:
        """Make a file or an empty folder that we created this identity's."""

    def reachable(self, programs: Path, copy: Path) -> Path:
        """A folder with these programs that this identity can execute."""


class Ourselves:
    """We are an ordinary user already."""

    def enter(self) -> None:
        """Stay who we are."""

    def own(self, path: Path) -> None:
        """What we create is ours."""

    def reachable(self, programs: Path, copy: Path) -> Path:  # noqa: ARG002
        """We can run what we found."""
        return programs


class UserNamespace(Ourselves):
    """Root outside, an ordinary user as far as the server can see."""

    def enter(self) -> None:
        """Map our own ids; `setgroups` must be denied before the group may be mapped."""
        user, group = os.geteuid(), os.getegid()
        if _libc.unshare(CLONE_NEWUSER) != 0:
            raise OSError(ctypes.get_errno(), "unshare")
        Path("/proc/self/setgroups").write_text("deny")
        Path("/proc/self/uid_map").write_text(f"{ORDINARY_ID} {user} 1")
        Path("/proc/self/gid_map").write_text(f"{ORDINARY_ID} {group} 1")


@dataclass(frozen=True)
class OtherUser:
    """An ordinary user of this machine, taken by setuid."""

    name: str
    uid: int
    gid: int

    def enter(self) -> None:
        """Drop root for good, groups first."""
        os.setgroups([])
        os.setgid(self.gid)
        os.setuid(self.uid)

    def own(self, path: Path) -> None:
        """Give it to the user, and make sure that he gets there."""
        os.chown(path, self.uid, self.gid)
        if not self._can(["test", "-w", str(path)]):
            raise StackError(
                f"PostgreSQL cannot run as root here, and the user {self.name} cannot reach {path}:"
                " start as an ordinary user, or choose --data where everybody may enter."
            )

    def reachable(self, programs: Path, copy: Path) -> Path:
        """Copy the installation (bin, lib, share) when it lies where the user may not enter."""
        if self._can([str(programs / "postgres"), "--version"]):
            return programs
        if not copy.exists():
            shutil.copytree(programs.parent, copy, symlinks=True)
        return copy / programs.name

    def _can(self, argv: list[str]) -> bool:
        """Whether the user may do this; what he may not is no error here."""
        try:
            done = subprocess.run(
                argv, preexec_fn=self.enter, cwd="/", capture_output=True, check=False
            )
        except OSError:
            return False
        return done.returncode == 0


def ordinary_identity() -> Identity:
    """The best way to be no root on this machine."""
    if os.geteuid() != 0:
        return Ourselves()
    namespace = UserNamespace()
    try:
        subprocess.run(["true"], preexec_fn=namespace.enter, check=True)
    except (OSError, subprocess.SubprocessError):
        return other_user()
    return namespace


def other_user(names: tuple[str, ...] = ("postgres", "nobody")) -> OtherUser:
    """The first of these users that this machine has."""
    for name in names:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return OtherUser(name, entry.pw_uid, entry.pw_gid)
    raise StackError("PostgreSQL cannot run as root, and no ordinary user was found to run it as.")
