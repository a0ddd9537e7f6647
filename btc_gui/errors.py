"""Failures that come from outside the program: each carries a sentence for a person and what to do."""

from __future__ import annotations


def why_unreadable(error: OSError | ValueError) -> str:
    """Why a text file could not be read, in words that follow “FILE can't be read: ”."""
    if isinstance(error, UnicodeDecodeError):
        return "it is not UTF-8"
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)


class BtcError(Exception):
    """A known failure.

    `message` says what happened, `remedy` what to do about it (may be empty). `str()` gives both.
    """

    def __init__(self, message: str, remedy: str = "") -> None:
        super().__init__(message, remedy)
        self.message = message
        self.remedy = remedy

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()


class ProjectError(BtcError):
    """A project file that can't be opened, read or written."""


class InputError(BtcError):
    """A file, value or option that a person gave and that can't be used."""


class PacketError(BtcError):
    """A packet that is foreign, altered or in the wrong state."""


class StudyError(BtcError):
    """A step that the state of a study does not allow."""


class RunError(BtcError):
    """An evaluation that can't start or go on."""


class ModelError(BtcError):
    """A language model that can't be asked, or whose reply is missing."""


class SettingsError(BtcError):
    """A settings or models file with a wrong key or value."""


class ServiceError(BtcError):
    """A service of the web that was not asked, or gave nothing that can be used."""
