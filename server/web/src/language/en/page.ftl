# What the page shows first.

try-again = Try again.
language-not-loaded = The language could not be loaded
view-not-loaded = This part of the page could not be loaded

## The head of the page

analyses = Analyses
header-analyses-title = My analyses on the server
header-new = New
header-new-title = Start a new game
play = Play
header-play-title = Play against an engine
header-setup = Set up
setup = Set up a position
header-live = Live
header-live-title = Live: analyse together
open = Open
import-title = Open a game or a position
share = Share
header-share-title = Share or save
header-connect = Connect
header-connect-title = Connect a chess program
settings = Settings
header-keys = Keys
header-keys-title = Keys
# The name of the row of buttons, for screen readers.
header-page = Page
header-untitled = Analysis board
header-edit = Edit names, date and result

## The page

moves-to-start = Go to start (Home)
moves-back = Previous move (←)
moves-forward = Next move (→)
moves-to-end = Go to end (End)
moves-comment = Comment on this move (c)
moves-promote = Make this the main line
moves-delete = Delete from here (Delete)
moves-undo = Undo (Ctrl+Z)
moves-redo = Redo (Ctrl+Shift+Z)
# The title of the page in the browser; “Rookery” is a name.
page-title = Rookery: analysis board
page-flip = Flip board (f)
page-explorer = Opening explorer (b)
page-moves = Moves
# A part of the page that only screen readers show.
page-in-words = In words
# The start of the game, before any move.
page-start = Start
page-best-at-depth = { $score } at depth { $depth }
page-position = Position
player-write-white = Write who plays White
player-write-black = Write who plays Black

## The engine

engine = Engine
engine-options = Engine options
engine-show-threat = Show threat (x)
engine-add = Add an engine beside this one
engine-stop = Stop the engine (l)
engine-start = Start the engine (l)
engine-choose = Choose the engine
engine-not-signed-in = not signed in
engine-analysing-game = analysing: { $done } of { $total }
engine-stopped = stopped
engine-threat = threat: { $depth }
engine-connection-lost = connection lost: reconnecting…
connecting = connecting…
engine-not-searching = not searching
engine-searching = searching…
# Shown while the user looks at another position of a room's game than the engine.
engine-at-live-position = at the live position
engine-ready = ready
engine-depth = depth { $depth }
engine-depth-done = depth { $depth }, done
engine-depth-saved = depth { $depth } (saved)
engine-depth-saved-searching = depth { $newer } (saved: { $depth })
engine-tablebase-white = Tablebase: White wins
engine-tablebase-black = Tablebase: Black wins
engine-threads = threads
engine-share = { $own } of { $most }
engine-threads-title = Threads of this engine, of { $most } that you may use
engine-nodes = nodes
engine-nodes-title = Positions searched
engine-speed-title = Positions per second
engine-speed = { $speed }/s
engine-hash = hash
engine-hash-title = How full the engine's hash table is
engine-tb = tb
engine-tb-title = Positions found in tablebases
engine-round-trip-title = Round-trip time to the server
engine-at = at
engine-at-title = Move being searched
engine-chances = White wins { $win }, draw { $draw }, Black wins { $lose }
evaluation = Evaluation
evaluation-unknown = unknown
evaluation-chances = { $score }: White's chances { $chance } %

## The lines of an engine

lines-best = Best lines
lines-best-of = Best lines of { $engine }
lines-threats = Threats
lines-threats-of = Threats of { $engine }
lines-depth = depth { $depth }
lines-depth-up-to = depth { $depth }, up to { $seldepth }
lines-play = { $score }, depth { $depth }: play { $move }
lines-threat = { $score }, depth { $depth }: threat { $move }
lines-collapse = Collapse line
lines-expand = Expand line
lines-collapse-depth = Collapse line, depth { $depth }
lines-expand-depth = Expand line, depth { $depth }

## Typed moves, pasted files

typed-move = Your move, like Nf3 or g1f3
pasted-games = { $count } games
pasted-games-shown = Showing the first; “Open” lists the others.

## The players

white = White
black = Black

## Messages

continue-alone = Continue alone
token-required = This server requires a token
token-ask = Ask its operator for one.
sign-in = Sign in
reconnect = Reconnect
retry = Try again
dismiss = Dismiss

## The list of moves

moves-fold-better = Fold all better lines
moves-unfold-better = Unfold all better lines
moves-checkmate-open = Checkmate: open a game or a position
moves-stalemate-open = Stalemate: open a game or a position
moves-make-or-open = Make a move on the board, or open a game or a position
moves-paste = : paste it (Ctrl+V) anywhere on this page
moves-variation = Variation { $move }
moves-unfold = Unfold this variation
moves-fold = Fold this variation
moves-your-try = { $move }, your try
moves-your-try-title = Your own try: others do not see it
moves-good-enough = good enough
moves-judged-with-score = { $judgement } ({ $score })
moves-disputed = { $engine }: { $other }; the first engine: { $first }
moves-book = book
moves-depth = depth { $depth }

## Windows

close = Close
copy = Copy

## A shared game

shared = Shared game
shared-game = A shared game
shared-fetching = Fetching the shared game…
shared-text = You can look at it. To change it, make a copy: the original stays as it is.
shared-copy = Make a copy
shared-own-board = To my own board
shared-sign-in = Sign in for the engine

## Rooms

# Why a control is disabled: only the person with control of the engine may use it.
room-no-control = Someone else has control
room-owner-name = Owner
# A viewer without a name; $id is its number in the room.
room-guest = Guest { $id }
room-has-control = has control
room-writes = writes
room-declined = { $name } declined control
room-may-write = You may now write in the shared game
room-may-not-write = You no longer write in the shared game
room-unreadable = The shared game cannot be read
room-too-long = The game is too long to share
room-too-long-shown = Viewers see it as it was before.
room-no-undo = That cannot be undone
room-changed-since = Someone has changed it since.
room-replaced = Another game is shown
room-replaced-undo = Undo to have yours again.
room-take-and-undo = Take back control and undo to have yours again.
room-ended = It ended with its session: open a new one for viewers.

## The analysis of a game

judgement-inaccuracy = inaccuracy
judgement-mistake = mistake
judgement-blunder = blunder

## The times for moves

moves-number = move { $number }

## Comment on a move, and its rating

# The move is ...
rating-brilliant = brilliant
rating-good = good
rating-interesting = interesting
rating-dubious = dubious
rating-mistake = mistake
rating-blunder = blunder

## Sign in

sign-in-hint = This server requires a token; ask its operator for one. It is kept for this tab only.
# What one signs in with: a word like “rk_…”.
sign-in-token = Token

## Promotion

# A window with the names of four pieces.
promote-to = Promote to
promote-queen = queen
promote-knight = knight
promote-rook = rook
promote-bishop = bishop

## What the server or the browser cannot do

try-again-later = Try again later.
pieces-not-loaded = The pieces could not be loaded
too-many-requests = Too many requests at once
too-many-requests-hint = Wait a moment, and try again.
# Follows a title and a colon, so it begins with a small letter.
no-game-found = no game found
shared-gone = There is no such game, or not any more
shared-gone-hint = Its owner may have withdrawn it, or the link was not copied whole.
shared-not-now = The server cannot share games now

## Analyses of the server

# The name of a game without players.
jobs-untitled = Untitled game
# { $title } is that of the first game of a file, like “Carlsen – Anand”.
jobs-and-more = { $title }, and { $count } more

## Files and games that are opened

new-game = New game
new-game-hint = “Undo” brings the game before back.
# { $coding } is the name of an encoding of letters, like “Windows-1251”.
file-read-as = Read as { $coding }
# “Open” is the button with this name.
file-read-as-hint = If letters are wrong, choose another encoding under “Open”.
game-in-progress = A game is in progress
game-in-progress-hint = Finish it first.
game-of-room = The game is the room’s
game-of-room-hint = Leave the room to open your own game.
served-not-opened = The game could not be opened
served-no-answer = The server does not answer now.

## What the page says on its engines and moves

typed-not-your-turn = it is not your turn
typed-not-legal = “{ $typed }” is not a legal move here: write moves like Nf3, exd5, O-O, e8=Q or e2e4
# A threat of the other side.
no-threat = No threat to show here
no-threat-in-check = The king is in check.
no-mistakes = No mistakes to go to
# “Analyse the game” is a button, and g its key.
no-mistakes-hint = They are found by “Analyse the game” (g).
engine-gone = { $engine } is no longer available
engine-instead = Using { $engine } instead.
# An option of an engine that is a button, like “Clear Hash”.
option-pressed = { $option }: done

## Problems with the server and with engines

notice-no-answer = The connection was lost
notice-no-answer-hint = { notice-keeps-trying }
notice-keeps-trying = The page keeps trying by itself.
notice-too-slow = The connection was too slow
notice-too-slow-hint = { try-again }
notice-draining = The server is shutting down
notice-draining-hint = The page will reconnect by itself.
notice-draining-text = the server is shutting down
notice-room-closed = The room is closed
notice-room-closed-text = there is nothing to watch any more
notice-unreachable = The server cannot be reached
notice-unreachable-hint = { notice-keeps-trying }
notice-unreachable-text = no connection could be opened
notice-refused = The server did not let the board connect
notice-refused-hint = { notice-keeps-trying }
notice-refused-text = it answered, but did not say why
notice-input = This could not be opened
notice-unknown = Message from the server

## How a FEN or a PGN was changed

fen-chess960 = It is read as Chess960, as the castling rights are not those of chess.
# { $rights } are letters like “KQ”.
fen-castling = Castling { $rights } is left out: king and rook do not stand for it.
fen-castling-in-chess = Castling { $rights } is left out: king and rook do not stand for it in chess. If it is Chess960, choose that in “Set up”.
fen-chess960-castling = It is read as Chess960, as the castling rights are not those of chess. Castling { $rights } is left out: king and rook do not stand for it.
import-corrected = The position is not quite as it was written
import-cut = Part of the game cannot be shown
import-left-out = “{ $move }” is not a legal move: it is left out, with the rest of its line.

## Positions in words, for screen readers

# { $squares } is like “e1” or “a2 b2”.
words-pieces = { $role ->
    [king] { $count ->
        [one] king { $squares }
       *[other] kings { $squares }
    }
    [queen] { $count ->
        [one] queen { $squares }
       *[other] queens { $squares }
    }
    [rook] { $count ->
        [one] rook { $squares }
       *[other] rooks { $squares }
    }
    [bishop] { $count ->
        [one] bishop { $squares }
       *[other] bishops { $squares }
    }
    [knight] { $count ->
        [one] knight { $squares }
       *[other] knights { $squares }
    }
   *[pawn] { $count ->
        [one] pawn { $squares }
       *[other] pawns { $squares }
    }
}
# { $white } and { $black } are lists like “king e8, rook e2”.
words-position = { $turn ->
    [white] White: { $white }. Black: { $black }. White to move.
   *[black] White: { $white }. Black: { $black }. Black to move.
}
words-check = { $turn ->
    [white] White: { $white }. Black: { $black }. Check. White to move.
   *[black] White: { $white }. Black: { $black }. Check. Black to move.
}
words-mate = { $turn ->
    [white] White: { $white }. Black: { $black }. Checkmate. White to move.
   *[black] White: { $white }. Black: { $black }. Checkmate. Black to move.
}

## An analysis that stops

report-stopped = The game analysis has stopped
report-found-nothing = The engine found nothing for position { $number } of { $total }.
