"""The troubles between a bridge and its engine, by name, with what to do about each.

Every trouble has a name that can be searched for, and a sentence of advice.  No I/O.
"""

import ssl
from dataclasses import dataclass
from enum import Enum, StrEnum

from rookery_protocol.notices import Code, Meaning
from rookery_protocol.tls_trust import PinError


class BridgeTrouble(StrEnum):
    """The troubles; each has its `advice`: what to do about it."""

    advice: str

    def __new__(cls, name: str, advice: str) -> "BridgeTrouble":
        """Make a member that compares as its name."""
        trouble = str.__new__(cls, name)
        trouble._value_ = name
        trouble.advice = advice
        return trouble

    # fmt: off
    NO_SUCH_HOST = "no-such-host", (
        "compare the name with what the operator gave you; is this machine online, and does"
        " the name need a VPN?")
    REFUSED = "refused", (
        "nothing listens on that port: start rookery-server there, and compare the port"
        " with what it printed")
    NO_ANSWER = "no-answer", (
        "a firewall drops it, the machine is off, or it is the wrong address: open the port"
        " in the firewall and router of the server")
    UNREACHABLE = "unreachable", (
        "there is no way to that network: is this machine online, on the same network or VPN? on"
        " macOS, the program that starts the bridge has to be allowed to use the local network"
        " (System Settings, Privacy & Security)")
    NOT_TLS = "not-tls", (
        "the server does not speak TLS on that port: use ws:// or tcp:// (on a network the"
        " operator should set [tls]), or another port")
    ONLY_TLS = "only-tls", (
        "the server speaks TLS on that port: use wss:// instead of ws://, tls:// instead of tcp://")
    EXPIRED = "certificate-expired", (
        "the operator has to renew the certificate; if it is said to be good, the clock of"
        " this machine is wrong")
    EARLY = "certificate-not-yet-valid", (
        "the clock of this machine is probably wrong: set it; otherwise that of the server"
        " was when the certificate was made")
    WRONG_NAME = "certificate-of-another-name", (
        "use the name that is in the certificate, or ask the operator for a link"
        " ('rookery-server invite'), which has its fingerprint")
    UNKNOWN_ISSUER = "certificate-of-unknown-issuer", (
        "ask the operator for a link ('rookery-server invite'), which has the fingerprint,"
        " or for the authority's certificate (--ca FILE)")
    OTHER_CERTIFICATE = "another-certificate", (
        "if the operator has renewed it, ask for another link; if not, somebody is in"
        " between: do not go on")
    CERTIFICATE_WANTED = "certificate-wanted", (
        "the server wants a certificate of every client, which the bridge has none of: a"
        " proxy such as stunnel can show one")
    TLS_FAILED = "tls-failed", (
        "the server and this machine have no version of TLS in common, or something in"
        " between breaks it")
    NOT_ROOKERY = "not-rookery", (
        "something else answers there: compare host and port with what rookery-server"
        " printed (the port with http is for ws://, the other for tcp://); a proxy has to"
        " pass /engines on")
    TOKEN_IN_CLEAR = "token-in-clear", (
        "use wss:// or tls://, or say --insecure if nobody can listen on the way")
    NO_TOKEN = "no-token", (
        "ask the operator for a link ('rookery-server invite'), or put the token into a"
        " file and say --token-file FILE")
    BAD_TOKEN = "bad-token", (
        "it was mistyped, or was revoked, or has expired: ask the operator for another link")
    TOO_MANY_TRIES = "too-many-tries", (
        "too many wrong tokens came from here: wait as long as it says")
    WRONG_HOST = "wrong-host", "the operator has to list that name in server.hosts"
    UNKNOWN_ENGINE = "unknown-engine", "use one of the names that the server lists"
    ENGINE_FAILED = "engine-failed", (
        "the operator finds the cause in the server's log; 'rookery-server check' tries each"
        " engine")
    ENGINE_AWAY = "engine-away", (
        "the machine that offers it is not joined to the server now: ask its owner to start"
        " 'rookery-server join' there, or choose another engine")
    ENGINE_SILENT = "engine-silent", (
        "the engine takes too long: it is loading, or the server is overloaded; try again,"
        " and tell the operator if it stays so")
    FULL = "server-full", "wait until others have ended, or end sessions of your own"
    DRAINING = "draining", "the server is being restarted: try again in a while"
    LOST = "connection-lost", (
        "the network, a proxy with a short timeout, or a server that was ended: try again")
    CLOCK_OFF = "clock-off", (
        "set the clock of whichever machine is wrong: certificates and tokens that end by"
        " date go by it (games do not)")
    LONG_WAY = "long-way", (
        "leave 'Bridge Clock Correction' on, and play with more time; analysis does not mind")
    UNSTEADY_WAY = "unsteady-way", (
        "Wi-Fi or a busy line: a cable helps; leave 'Bridge Fallback' on where games are short")
    NARROW_WAY = "narrow-way", "fewer lines at once (MultiPV), or a better line"
    # fmt: on


class Grade(Enum):
    """The grade of a finding."""

    GOOD = "ok"
    FAIR = "note"  # it works, and could be better
    BAD = "WRONG"


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """The result of one check: its subject, what was seen, and the trouble, if there is one."""

    what: str
    text: str
    trouble: BridgeTrouble | None = None

    @property
    def grade(self) -> Grade:
        """The grade, which the trouble decides."""
        if self.trouble is None:
            return Grade.GOOD
        return Grade.FAIR if self.trouble in _FAIR else Grade.BAD

    def __str__(self) -> str:
        lines = f"{self.grade.value:<5}  {self.what}: {self.text}"
        if self.trouble is None:
            return lines
        return f"{lines}\n       {self.trouble}: {self.trouble.advice}"


# An engine can be used with these.
_FAIR = (BridgeTrouble.CLOCK_OFF, BridgeTrouble.LONG_WAY, BridgeTrouble.UNSTEADY_WAY,
         BridgeTrouble.NARROW_WAY)  # fmt: skip

# The verdicts of OpenSSL (X509_V_ERR_..., of x509_vfy.h), of Windows (CERT_E_..., of winerror.h)
# and of macOS (errSec..., of SecBase.h).  The others are about the issuer.
_BY_VERDICT = {
    9: BridgeTrouble.EARLY,
    10: BridgeTrouble.EXPIRED,
    62: BridgeTrouble.WRONG_NAME,
    64: BridgeTrouble.WRONG_NAME,
    0x800B0101: BridgeTrouble.EXPIRED,  # or it is too early
    0x800B010F: BridgeTrouble.WRONG_NAME,
    -67602: BridgeTrouble.WRONG_NAME,
    -67818: BridgeTrouble.EXPIRED,
    -67819: BridgeTrouble.EARLY,
}
_NOT_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "PACKET_LENGTH_TOO_LONG",
            "HTTP_REQUEST", "UNKNOWN_PROTOCOL")  # fmt: skip
_WANTED = ("CERTIFICATE_REQUIRED", "TLSV13_ALERT_CERTIFICATE_REQUIRED",
           "SSLV3_ALERT_HANDSHAKE_FAILURE")  # fmt: skip


def of_tls(error: Exception) -> BridgeTrouble:
    """Return what it is that TLS could not be agreed upon."""
    if isinstance(error, PinError):
        return BridgeTrouble.OTHER_CERTIFICATE
    if isinstance(error, ssl.SSLCertVerificationError):
        verdict = getattr(error, "verify_code", 0)  # The system's verifier need not give one.
        return _BY_VERDICT.get(verdict, BridgeTrouble.UNKNOWN_ISSUER)
    reason = getattr(error, "reason", None) or ""
    if reason in _WANTED:
        return BridgeTrouble.CERTIFICATE_WANTED
    # A server without TLS says something else, or hangs up.
    has_hung_up = isinstance(error, EOFError | ConnectionError | ssl.SSLEOFError)
    return BridgeTrouble.NOT_TLS if has_hung_up or reason in _NOT_TLS else BridgeTrouble.TLS_FAILED


_BY_CODE = {
    Code.TOO_MANY_TRIES: BridgeTrouble.TOO_MANY_TRIES,
    Code.WRONG_HOST: BridgeTrouble.WRONG_HOST,
    Code.UNKNOWN_ENGINE: BridgeTrouble.UNKNOWN_ENGINE,
    Code.ENGINE_FAILED: BridgeTrouble.ENGINE_FAILED,
    Code.ENGINE_AWAY: BridgeTrouble.ENGINE_AWAY,
    Code.ENGINE_DIED: BridgeTrouble.ENGINE_FAILED,
    Code.NO_ENGINE: BridgeTrouble.ENGINE_FAILED,
    Code.NO_SEARCH: BridgeTrouble.ENGINE_FAILED,
    Code.WAITING: BridgeTrouble.FULL,
    Code.DRAINING: BridgeTrouble.DRAINING,
    Code.WRONG_PROTOCOL: BridgeTrouble.NOT_ROOKERY,
}


def of_refusal(code: Code | None, *, has_token: bool) -> BridgeTrouble:
    """Return what it is that a server has refused by such a notice; None is without one."""
    if code is Code.UNAUTHORIZED:
        return BridgeTrouble.BAD_TOKEN if has_token else BridgeTrouble.NO_TOKEN
    if code is None:
        return BridgeTrouble.LOST
    is_put_off = code.meaning is Meaning.PUT_OFF
    return _BY_CODE.get(code, BridgeTrouble.FULL if is_put_off else BridgeTrouble.LOST)
