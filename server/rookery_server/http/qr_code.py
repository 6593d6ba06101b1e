"""QR codes of addresses, for a page and for a terminal."""

import io

import segno

_SIGN_IN = "/#signin="  # The page knows it; browsers send nothing of what stands behind `#`.
# The first colour is that of characters, and the other that of what is around them: terminals have
# colours of their own, dark or light, and a code that is light on dark is not read everywhere.
_WHITE_ON_BLACK, _USUAL = "\x1b[38;5;231;48;5;16m", "\x1b[0m"


def sign_in_url(origin: str, code: str) -> str:
    """Return the address of the page that signs a browser in with a code."""
    return f"{origin}{_SIGN_IN}{code}"


def svg_of(url: str) -> str:
    """Return the QR code of an address as a document in SVG, black on white, with its margin."""
    out = io.BytesIO()
    segno.make_qr(url).save(out, kind="svg", light="#fff", xmldecl=False, nl=False, omitsize=True)
    return out.getvalue().decode()


def terminal_text(url: str, *, has_blocks: bool) -> str:
    """Return the QR code of an address for a terminal; `has_blocks` says that it has half blocks.

    Without them it is drawn with colours alone, twice as high and as wide.
    """
    out = io.StringIO()
    segno.make_qr(url).terminal(out, compact=has_blocks)
    if not has_blocks:
        return out.getvalue()
    rows = out.getvalue().splitlines()
    return "".join(f"{_WHITE_ON_BLACK}{row}{_USUAL}\n" for row in rows)
