"""The encoding of texts that a user has written, as editors and shells of every system leave it."""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE


def decode_text(data: bytes, errors: str = "strict") -> str:
    """Return the text of UTF-8 or, as PowerShell and Notepad write it, UTF-16; without its mark.

    Raises:
        UnicodeDecodeError: it is neither.

    """
    is_wide = data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    return data.decode("utf-16" if is_wide else "utf-8-sig", errors)
