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
file-empty = “{ $name }” is empty: choose a text file with games (PGN) or positions (FEN, EPD)
file-blank = “{ $name }” has only blanks: choose a text file with games (PGN) or positions (FEN, EPD)
file-picture = “{ $name }” is a picture: choose a text file with games (PGN) or positions (FEN, EPD)
file-sound = “{ $name }” is sound or video: choose a text file with games (PGN) or positions (FEN, EPD)
file-pdf = “{ $name }” is a PDF document: choose a text file with games (PGN) or positions (FEN, EPD)
file-office = “{ $name }” is an office document: choose a text file with games (PGN) or positions (FEN, EPD)
file-web-page = “{ $name }” is a web page: choose a text file with games (PGN) or positions (FEN, EPD)
file-zip = “{ $name }” is a zip archive: unpack it first, and open the file of games in it
file-compressed = “{ $name }” is a compressed file: unpack it first, and open the file of games in it
file-database = “{ $name }” is a database of a chess program: export its games as PGN there, and open that
file-binary = “{ $name }” is not text: choose a text file with games (PGN) or positions (FEN, EPD)
file-folder = “{ $name }” is a folder, or cannot be read: choose a text file with games (PGN) or positions (FEN, EPD)

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
# Behind the name of the field.
sign-in-no-token = a token starts with rk_ and has no spaces

## Problems with the server and with engines

# A title, what to do (-hint), and a sentence (-text) where the server has sent none.
notice-unauthorized = { sign-in }
notice-unauthorized-hint = Ask the operator of this server for a token.
notice-too-many-tries = Too many wrong tokens
notice-too-many-tries-hint = Wait as long as stated, then try again.
notice-token-in-url = The address contains a token
notice-token-in-url-hint = Have it revoked: someone may have seen it.
notice-wrong-host = Wrong server name
notice-wrong-host-hint = Open the page under the server's own name.
notice-wrong-origin = This page may not use the server
notice-wrong-origin-hint = Open the page from the server itself.
notice-wrong-protocol = That port is for UCI over TCP
notice-wrong-protocol-hint = Use the other port.
notice-no-answer = The connection was lost
notice-no-answer-hint = { notice-keeps-trying }
notice-keeps-trying = The page keeps trying by itself.
notice-too-slow = The connection was too slow
notice-too-slow-hint = { try-again }
notice-unknown-engine = No such engine
notice-unknown-engine-hint = { notice-choose-engine }
notice-choose-engine = Choose another engine.
notice-engine-failed = The engine cannot be started
notice-engine-failed-hint = Choose another engine, or ask the operator.
notice-engine-failed-text = the engine is gone
notice-engine-away = The engine's machine is offline
notice-engine-away-hint = Waiting for it; you can choose another engine.
notice-no-engine = The engine could not be started
notice-no-engine-hint = Trying another one.
notice-engine-died = The engine failed and is being replaced
notice-line-too-long = The game is too long to send
notice-line-too-long-hint = { notice-later-position }
notice-later-position = Continue from a later position.
notice-line-too-long-text = a line has at most 65536 bytes
notice-not-a-line = The server could not read a message
notice-unknown-command = Unknown command
notice-bad-command = The server could not use that command
notice-command-refused = That command is not available here
notice-file-refused = Server files are not available
notice-unknown-option = The engine has no such option
notice-option-refused = That option cannot be changed here
notice-bad-value = Invalid option value
notice-bad-value-hint = The old value is kept.
notice-option-clamped = The option value was reduced
notice-illegal-position = The server rejected this position
notice-illegal-position-hint = Change the position.
notice-position-mended = The position was corrected
notice-position-too-long = The game has too many moves
notice-position-too-long-hint = { notice-later-position }
notice-position-lost = The engine has lost the position
notice-position-lost-hint = Set it up again.
notice-too-many-lines = { too-many-requests }
notice-too-many-lines-hint = { notice-wait-a-moment }
notice-wait-a-moment = Wait a moment.
notice-gap = Some messages were lost meanwhile
notice-gap-hint = The search starts again.
notice-unknown-session = Connected again
notice-unknown-session-text = Nothing on the board is lost; the engine begins again.
notice-ended = The operator ended the session
notice-ended-hint = Ask the operator, or connect again.
notice-ended-text = the operator or a limit has ended it
notice-draining = The server is shutting down
notice-draining-hint = The page will reconnect by itself.
notice-draining-text = the server is shutting down
notice-unknown-room = There is no such room
notice-unknown-room-hint = Ask for the link again.
notice-unknown-room-text = It may have been closed.
notice-room-full = Too many viewers
notice-room-full-hint = { try-again-later }
notice-room-closed = The room is closed
notice-room-closed-text = there is nothing to watch any more
notice-room-removed = The owner has removed you from the room
notice-room-too-slow = Disconnected: the page fell behind
notice-room-too-slow-hint = Join the room again.
notice-room-read-only = Viewers cannot change the analysis
notice-room-handed-over = Someone else has control now
notice-room-refused = That is not possible in this room now
notice-jobs-off = This server does not analyse games by itself
notice-jobs-off-hint = { notice-ask-operator }
notice-ask-operator = Ask the operator.
notice-quota-jobs = You cannot store more analyses
notice-quota-jobs-hint = Delete one that you do not need.
notice-quota-stored = You cannot store more games
notice-quota-stored-hint = Delete an analysis that you do not need.
notice-games-off = This server shares no games
notice-games-off-hint = Ask its operator.
notice-quota-games = You cannot share more games
notice-quota-games-hint = Withdraw one that you do not need.
notice-library-off = This server keeps no files
notice-library-off-hint = They stay in this browser.
notice-quota-library = There is no more room for your files on the server
notice-quota-library-hint = Delete a file that you do not need there.
notice-quota-rooms = You cannot open more rooms
notice-quota-rooms-hint = Close one first.
notice-cached = The position is known
notice-waiting = Waiting for a free engine
notice-no-search = No engine searched this position
notice-no-search-hint = { try-again-later }
notice-queue-full = No engine is free, and the queue is full
notice-queue-full-hint = { try-again-later }
notice-quota-sessions = You have too many boards open
notice-quota-sessions-hint = Close another board or program first.
notice-quota-cpu = Your engine time for this hour is used up
notice-quota-cpu-hint = The message says when to try again.
notice-quota-lines = Messages are sent too fast
notice-quota-lines-hint = Nothing is lost.
notice-quota-search = The search reached its time limit
notice-quota-search-hint = Start it again if you like.
notice-quota-idle = Disconnected after inactivity
notice-quota-idle-hint = Start the engine to reconnect.
notice-quota-idle-text = nothing was asked for some time
notice-too-many-connections = The server has too many connections
notice-too-many-connections-hint = Close other boards, or try again later.
notice-too-many-starts = Engines were started too often
notice-too-many-starts-hint = { notice-wait-a-moment }
notice-taken-over = The analysis goes on in another window
notice-taken-over-hint = Reconnect to begin one here.
notice-taken-over-text = another page has taken it over
notice-unreachable = The server cannot be reached
notice-unreachable-hint = { notice-keeps-trying }
notice-unreachable-text = no connection could be opened
notice-refused = The server did not let the board connect
notice-refused-hint = { notice-keeps-trying }
notice-refused-text = it answered, but did not say why
notice-input = This could not be opened
notice-unknown = Message from the server

## What is wrong with a FEN, a PGN or a link

# The letters w, b, K, Q, R, B and N, the tags and the words in “ ” are those of FEN, PGN and UCI.
fen-no-placement = not a valid FEN: a FEN needs at least the placement of the pieces
fen-unreadable = not a valid FEN: { $fen }
fen-side = the side to move must be 'w' or 'b', not '{ $side }'
fen-ranks = not a valid FEN: a board needs 8 ranks between '/', not { $count }
fen-rank = not a valid FEN: rank { $rank } needs pieces and digits, not '{ $said }'
fen-rank-squares = not a valid FEN: rank { $rank } needs 8 squares, not { $count }
fen-kings = { $color ->
    [white] white needs one king, not { $count }
   *[black] black needs one king, not { $count }
}
fen-men = { $color ->
    [white] white has { $count } men, and { $most } are the most
   *[black] black has { $count } men, and { $most } are the most
}
fen-pawns = no pawn can stand on the first or last rank
# { $fault } is a word of a program.
position-not-legal = the position is not legal: { $fault }
position-in-check = { $color ->
    [white] the position is not legal: white is in check but not to move
   *[black] the position is not legal: black is in check but not to move
}
fen-chess960 = It is read as Chess960, as the castling rights are not those of chess.
# { $rights } are letters like “KQ”.
fen-castling = Castling { $rights } is left out: king and rook do not stand for it.
fen-castling-in-chess = Castling { $rights } is left out: king and rook do not stand for it in chess. If it is Chess960, choose that in “Set up”.
fen-chess960-castling = It is read as Chess960, as the castling rights are not those of chess. Castling { $rights } is left out: king and rook do not stand for it.
import-position = behind “position” comes “startpos” or “fen ...”, not “{ $said }”
import-variant = the variant '{ $variant }' is not supported yet
import-address = this is a web address: copy the PGN or the FEN from that page
import-setup = the game has a tag SetUp, and no tag FEN
import-number = the game begins with move { $number }, and has no tag FEN
import-too-long = this is too long: { $length } characters; the limit is { $limit }
import-nothing = no game or position found: paste PGN, a FEN, moves (e4 e5, or e2e4 e7e5), or the address of a position
import-letters = “{ $move }” is not a legal move: use K, Q, R, B and N for pieces
import-first-move = “{ $move }” is not a legal move in the first position: its FEN is missing
import-corrected = The position is not quite as it was written
import-illegal = there is an illegal move, “{ $move }”: only the moves before it are shown
import-illegal-in-link = the link has an illegal move, “{ $move }”: only the moves before it are shown
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
# The pieces that one side has and the other has not, as in “2 pawns and a knight more”.
words-extra-pieces = { $role ->
    [queen] { $count ->
        [one] a queen
       *[other] { $count } queens
    }
    [rook] { $count ->
        [one] a rook
       *[other] { $count } rooks
    }
    [bishop] { $count ->
        [one] a bishop
       *[other] { $count } bishops
    }
    [knight] { $count ->
        [one] a knight
       *[other] { $count } knights
    }
   *[pawn] { $count ->
        [one] a pawn
       *[other] { $count } pawns
    }
}
words-extra = { $pieces } more
# { $lead } is in points.
words-extra-ahead = { $lead ->
    [one] { $pieces } more, { $lead } point ahead
   *[other] { $pieces } more, { $lead } points ahead
}

## What the signs beside moves mean

# Words in the place of a sign, beside a move.
sign-only = only
sign-zugzwang = zugzwang
sign-better = better
sign-worse = worse
sign-equivalent = equivalent
glyph-good-move = good move
glyph-mistake = mistake
glyph-brilliant-move = brilliant move
glyph-blunder = blunder
glyph-interesting-move = interesting move
glyph-dubious-move = dubious move
glyph-forced-move = forced move
glyph-only-move = only move
glyph-worst-move = worst move
glyph-equal = equal
glyph-equal-quiet = equal, quiet
glyph-equal-active = equal, active
glyph-unclear = unclear
glyph-idea = with the idea
glyph-against-idea = against the idea
glyph-better-is = better is
glyph-worse-is = worse is
glyph-equivalent-is = equivalent is
glyph-remark-of-editor = remark of the editor
glyph-novelty = novelty
glyph-slightly-better = { $color ->
    [white] White is slightly better
   *[black] Black is slightly better
}
glyph-side-better = { $color ->
    [white] White is better
   *[black] Black is better
}
glyph-winning = { $color ->
    [white] White is winning
   *[black] Black is winning
}
glyph-wins-easily = { $color ->
    [white] White wins easily
   *[black] Black wins easily
}
glyph-zugzwang = { $color ->
    [white] White is in zugzwang
   *[black] Black is in zugzwang
}
glyph-little-ahead-development = { $color ->
    [white] White is a little ahead in development
   *[black] Black is a little ahead in development
}
glyph-far-ahead-development = { $color ->
    [white] White is far ahead in development
   *[black] Black is far ahead in development
}
glyph-initiative = { $color ->
    [white] White has the initiative
   *[black] Black has the initiative
}
glyph-lasting-initiative = { $color ->
    [white] White has a lasting initiative
   *[black] Black has a lasting initiative
}
glyph-attacks = { $color ->
    [white] White attacks
   *[black] Black attacks
}
glyph-too-little-material = { $color ->
    [white] White has too little for the material
   *[black] Black has too little for the material
}
glyph-enough-material = { $color ->
    [white] White has enough for the material
   *[black] Black has enough for the material
}
glyph-more-than-enough-material = { $color ->
    [white] White has more than enough for the material
   *[black] Black has more than enough for the material
}
glyph-some-counterplay = { $color ->
    [white] White has some counterplay
   *[black] Black has some counterplay
}
glyph-decisive-counterplay = { $color ->
    [white] White has decisive counterplay
   *[black] Black has decisive counterplay
}
glyph-short-of-time = { $color ->
    [white] White is short of time
   *[black] Black is short of time
}
glyph-severe-time-trouble = { $color ->
    [white] White is in severe time trouble
   *[black] Black is in severe time trouble
}

## What a mistake has missed

# { $line } is like “Ra7 Kg8 Rb8#”.
missed-mate = { $moves ->
    [1] It was mate: { $line }.
   *[other] It was mate in { $moves }: { $line }.
}
missed-hanging = { $role ->
    [queen] The queen was not protected: { $move }.
    [rook] The rook was not protected: { $move }.
    [bishop] The bishop was not protected: { $move }.
   *[knight] The knight was not protected: { $move }.
}
# The two pieces that one move attacks.
missed-fork = { $pair ->
    [king-queen] { $move } forks king and queen: { $line }.
    [king-rook] { $move } forks king and rook: { $line }.
    [king-bishop] { $move } forks king and bishop: { $line }.
    [king-knight] { $move } forks king and knight: { $line }.
    [queen-queen] { $move } forks two queens: { $line }.
    [queen-rook] { $move } forks queen and rook: { $line }.
    [queen-bishop] { $move } forks queen and bishop: { $line }.
    [queen-knight] { $move } forks queen and knight: { $line }.
    [rook-rook] { $move } forks two rooks: { $line }.
    [rook-bishop] { $move } forks rook and bishop: { $line }.
    [rook-knight] { $move } forks rook and knight: { $line }.
    [bishop-bishop] { $move } forks two bishops: { $line }.
    [bishop-knight] { $move } forks bishop and knight: { $line }.
   *[knight-knight] { $move } forks two knights: { $line }.
}
# { $gained } and { $given } are lists of the two texts that follow: “a rook and 2 pawns”.
missed-win = { $move } wins { $gained }: { $line }.
missed-win-for = { $move } wins { $gained } for { $given }: { $line }.
missed-gained = { $role ->
    [queen] { $count ->
        [one] a queen
       *[other] { $count } queens
    }
    [rook] { $count ->
        [one] a rook
       *[other] { $count } rooks
    }
    [bishop] { $count ->
        [one] a bishop
       *[other] { $count } bishops
    }
    [knight] { $count ->
        [one] a knight
       *[other] { $count } knights
    }
   *[pawn] { $count ->
        [one] a pawn
       *[other] { $count } pawns
    }
}
missed-given = { missed-gained }

## An analysis that stops

report-stopped = The game analysis has stopped
report-found-nothing = The engine found nothing for position { $number } of { $total }.
