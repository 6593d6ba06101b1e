# What the page shows first.

try-again = Try again.
language-not-loaded = The language could not be loaded
view-not-loaded = This part of the page could not be loaded

## The head of the page

header-analyses = Analyses
header-analyses-title = My analyses on the server
header-new = New
header-new-title = Start a new game
header-play = Play
header-play-title = Play against an engine
header-setup = Set up
header-setup-title = Set up a position
header-live = Live
header-live-title = Live: analyse together
header-open = Open
header-open-title = Open a game or a position
header-share = Share
header-share-title = Share or save
header-connect = Connect
header-connect-title = Connect a chess program
header-settings = Settings
header-settings-title = Settings
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

## The engine

engine = Engine
engine-options = Engine options
engine-show-threat = Show threat (x)
engine-add = Add an engine beside this one
engine-stop = Stop the engine (l)
engine-start = Start the engine (l)
engine-choose = Choose the engine
engine-not-signed-in = not signed in
engine-analysing-game = analysing the game: { $done } of { $total }
engine-stopped = stopped
engine-threat = threat: { $depth }
engine-connection-lost = connection lost: reconnecting…
engine-connecting = connecting…
engine-not-searching = not searching
engine-searching = searching…
engine-ready = ready
engine-depth = depth { $depth }
engine-depth-done = depth { $depth }, done
engine-depth-saved = depth { $depth } (saved)
engine-depth-saved-searching = depth { $depth } (saved), searching { $newer }
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

## Engines beside the first

companion = Engine beside the first: { $engine }
companion-engine = Engine { $engine }
companion-stop = Stop this engine
companion-start = Start this engine
companion-choose = Choose this engine
companion-lines = Lines of { $engine }
companion-options = Options of { $engine }
companion-remove = Remove { $engine }
companion-finds-nothing = nothing
companion-disagrees = The engines disagree: this one finds { $mine }, the first one { $theirs }

## The menu of a move

menu-comment = Comment…
menu-move-up = Move this variation up
menu-promote = Make this the main line
menu-delete = Delete from here
menu-delete-others = Delete all other variations
menu-copy-moves = Copy the moves to here
menu-find = Find this position in the library
menu-copy-pgn = Copy PGN from here
menu-rate = Rate the move
copied = Copied
copy-not-allowed = This browser does not let the page copy

## Typed moves, pasted files

typed-move = Your move, like Nf3 or g1f3
pasted-games = { $count } games
pasted-games-shown = Showing the first; “Open” lists the others.

## The players

white = White
black = Black
player-write-white = Write who plays White
player-write-black = Write who plays Black
player-move-time = Time for { $move }

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

## A storage that is full

storage-full = Your last changes are not saved
storage-full-text = This browser has no more room for what this page keeps.
storage-full-hint = Download the game before you close the page.
storage-download = Download the game

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
room-is-closed = The room is closed
room-ended = It ended with its session: open a new one for viewers.

## The analysis of a game

report = Game analysis
report-stop = Stop
report-disputes = { $count ->
    [0] { $engine } judges no moves differently.
    [one] { $engine } judges 1 move differently.
   *[other] { $engine } judges { $count } moves differently.
}
report-show-it = Show it
report-next = Next
report-judged = { $judged ->
    [one] { $judged } of { $moves } moves is judged.
   *[other] { $judged } of { $moves } moves are judged.
}
report-scores-only = Scores at { $scored } of { $positions } positions; no move is judged.
report-time-per-move = Time per move
report-seconds = { $seconds } s/move
report-where = Where to analyse
report-on-server = on the server
report-in-tab = in this tab
report-games = Games to analyse
report-this-game = this game
report-all-games = all { $count } games
report-analyse = Analyse the game
report-analyse-games = Analyse the games
report-again = Analyse again
report-accuracy = { $percent } % accuracy
report-inaccuracies = { $count } { $count ->
    [one] inaccuracy
   *[other] inaccuracies
}
report-mistakes = { $count } { $count ->
    [one] mistake
   *[other] mistakes
}
report-blunders = { $count } { $count ->
    [one] blunder
   *[other] blunders
}
report-practise = Practise
report-next-inaccuracy-white = White's next inaccuracy
report-next-mistake-white = White's next mistake
report-next-blunder-white = White's next blunder
report-learn-white = Learn from White's mistakes
report-next-inaccuracy-black = Black's next inaccuracy
report-next-mistake-black = Black's next mistake
report-next-blunder-black = Black's next blunder
report-learn-black = Learn from Black's mistakes
report-graph = Chances during the game; use the move list to navigate
report-start = start
judgement-inaccuracy = inaccuracy
judgement-mistake = mistake
judgement-blunder = blunder

## The times for moves

times-trouble-label = time trouble: less than { $limit } left
times-summary = Time for each move. In all: { $white }; { $black }. Time trouble is less than { $limit } on the clock.
times-white = White { $time }
times-black = Black { $time }
times-white-trouble = White { $time }, in time trouble from move { $move }
times-black-trouble = Black { $time }, in time trouble from move { $move }
moves-number = move { $number }

## Comment on a move, and its rating

# { $move } is like “3... Nf6”.
comment-on-move = Comment on { $move }
comment-on-game = Comment on the game
comment-name = Comment
comment-write = Write a comment
comment-save = Save
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

## A shared game in a frame of another page

embed-title = Rookery: a shared game
embed-fetching = Fetching the game…
embed-open = Open on { $server }
# The name of the row of buttons, for screen readers.
embed-steps = Steps
embed-no-address = This address names no game
embed-no-address-text = It has to end with # and the id of a shared game, like /embed#AbCdEf. On the server, “Share” has the whole address to copy.

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
shared-too-large = The game is too large to share
shared-too-large-hint = Remove variations or comments.
shared-impossible = The server cannot share this game
shared-not-now = The server cannot share games now

## Analyses of the server

# The name of a game without players.
jobs-untitled = Untitled game
# { $title } is that of the first game of a file, like “Carlsen – Anand”.
jobs-and-more = { $title }, and { $count } more
jobs-gone = The server does not have this analysis any more
jobs-gone-hint = It keeps results for a limited time. Analyse the game again.
jobs-changed = That is not possible now
jobs-changed-hint = The analysis has changed meanwhile: look at it again.
jobs-full = The server keeps no more analyses for you
jobs-full-hint = Delete one that you do not need, and try again.
# The server says what is wrong, in a sentence between these two.
jobs-impossible = The server cannot analyse this
jobs-impossible-hint = Change what it names, or analyse the game in this tab.
jobs-not-now = The server cannot work at analyses now
jobs-not-now-hint = Try again later, or analyse the game in this tab.
jobs-refused = The server has refused this
jobs-refused-hint = Try again later, or ask its operator.
