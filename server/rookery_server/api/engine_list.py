"""The engines of `GET /v1/engines`, as an account has them.  No I/O."""

from rookery_protocol.legality import STANDARD, VARIANTS
from rookery_server.api.schema import EngineDescription, EngineOption
from rookery_server.engines.offered_options import OfferedOptions
from rookery_uci import CHESS960, VARIANT, EngineIdentity, Option, key_of

_RULES = (CHESS960, VARIANT, "multipv")  # They are members of a request.


def describe_engine(name: str, offer: OfferedOptions, *, is_default: bool) -> EngineDescription:
    """Return an engine as an account has it."""
    identity = EngineIdentity.parse(offer.greeting.decode().splitlines())
    options = {key_of(option.name): option for option, _ in identity.options}
    authors = (each.removeprefix("id author ") for each in identity.ids if "id author " in each)
    return EngineDescription(
        name=name,
        title=identity.name or name,
        author=next(authors, None),
        is_default=is_default,
        variants=_variants(offer, options),
        options=[_describe(each) for key, each in options.items() if key not in _RULES],
    )


def _variants(offer: OfferedOptions, options: dict[str, Option]) -> list[str]:
    """Return the names of the rules by which an engine plays, as requests have them."""
    forced960, forced = offer.rules({})
    known = options[VARIANT].var if VARIANT in options else (forced,)
    named = ["standard" if each == STANDARD else each for each in known if each in VARIANTS]
    if CHESS960 in options and STANDARD in known:
        named.append("chess960")
    elif forced960:
        named = ["chess960"]
    return sorted(set(named), key=lambda each: (each != "standard", each != "chess960", each))


def _describe(option: Option) -> EngineOption:
    return EngineOption(
        name=option.name,
        type=option.type,
        default=option.default,
        min=option.min,
        max=option.max,
        values=list(option.var),
    )
