"""A UCI program that tries to break into a page that shows what it says."""

import sys

MARKUP = "<img src=x onerror=document.title='broken'>"


def say(text: str) -> None:
    print(text, flush=True)


for line in sys.stdin:
    words = line.split()
    if words[:1] == ["uci"]:
        say(f"id name {MARKUP}")
        say(f"id author {MARKUP}")
        say(f"option name {MARKUP} type check default false")
        say(f"option name Style type combo default {MARKUP} var {MARKUP} var Quiet")
        say(f"option name Text type string default {MARKUP}")
        say(f"option name Press {MARKUP} type button")
        say("option name constructor type string default mine")
        say("option name __proto__ type spin default 1 min 0 max 9")
        say(f"option name{' ' * 30_000}x")  # what takes a careless reader for ever
        say("uciok")
    elif words[:1] == ["isready"]:
        say("readyok")
    elif words[:1] == ["go"]:
        say(f"info string {MARKUP}")
        say("info string rookery constructor: of objects")
        say(f"info depth 7 score cp 21 nodes 5 nps 5 pv e2e4 {MARKUP}")
    elif words[:1] == ["stop"]:
        say("bestmove e2e4")
    elif words[:1] == ["quit"]:
        break
