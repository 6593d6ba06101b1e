# What is loaded after the first view: windows, and panels that are not always there.

# Behind the name of the field.
sign-in-no-token = a token starts with rk_ and has no spaces
sign-out = Sign out
sign-out-not-revoked = Signed out here, but the token stays good

## A code that signs a phone in

code-phone = Sign in on a phone
code-scan = Scan this with the camera of the phone. It signs the phone in as { $account }, once.
code-picture = QR code
# Minutes and seconds, as in “9:58”.
code-left = Good for { $time } min
# A browser and a system, as in “Safari on iPhone”.
code-used = Signed in: { $device }
code-expired = The code has expired.
code-again = New code
code-local = This page was opened as { $host }, where only this computer finds it. Open it under a name or address that the phone can reach.
code-plain = This connection is not encrypted: others on the network could read the token.
code-not-made = No code can be made
code-question = Sign this browser in to { $host }? The code is good once.
code-stay = Stay signed in on this device
code-refused = The code has not signed this browser in. Have a new one shown, and scan that.
code-token-instead = Use a token instead
code-done = Signed in as { $account }
code-done-tab = This browser has a token of its own, which the operator can revoke. It is kept for this tab only.
code-done-device = This browser has a token of its own, which the operator can revoke. It is kept until you sign out.

## Settings

settings-language = Language
# The language that the browser prefers.
language-browser = As in the browser
settings-colours = Colours
theme-system = System default
theme-light = Light
theme-dark = Dark
settings-board-size = Board size
settings-pieces = Pieces
pieces-classic = Classic
pieces-flat = Flat
pieces-signs = Signs with letters
settings-board = Board
board-slate = Slate
board-wood = Wood
board-green = Green
board-contrast = High contrast
settings-sounds = Sounds
settings-volume = Volume
settings-arrows = Arrows for the best moves
settings-bar = Evaluation bar
settings-stops-when-hidden = Stop the engine while this page is hidden
settings-levels-take-time = Weak levels take their time
settings-nothing-stored = This browser stores nothing for this page: the game and these settings last until you close it.

## The analysis of a game, its times, and engines beside the first

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
times-trouble-label = time trouble: less than { $limit } left
times-summary = Time for each move. In all: { $white }; { $black }. Time trouble is less than { $limit } on the clock.
times-white = White { $time }
times-black = Black { $time }
times-white-trouble = White { $time }, in time trouble from move { $move }
times-black-trouble = Black { $time }, in time trouble from move { $move }

## Practice

practice = Practice
practice-number = Mistake { $number } of { $total }
practice-found = { $count } found so far
practice-show = Show the move
practice-next = Next
practice-skip = Skip
practice-done = Done
practice-end = End
practice-checking = Checking { $move }…
practice-good = { $move } is good.
practice-not-good-enough = { $move } is not good enough.
practice-refuted-by-white = { $move } is not good enough: White answers { $answer }.
practice-refuted-by-black = { $move } is not good enough: Black answers { $answer }.
practice-engine-prefers = The engine prefers { $move }.
practice-inaccuracy-white = { $move } was an inaccuracy. Find a better move for White.
practice-mistake-white = { $move } was a mistake. Find a better move for White.
practice-blunder-white = { $move } was a blunder. Find a better move for White.
practice-inaccuracy-black = { $move } was an inaccuracy. Find a better move for Black.
practice-mistake-black = { $move } was a mistake. Find a better move for Black.
practice-blunder-black = { $move } was a blunder. Find a better move for Black.

## The result

result-not-finished = Not finished
result-white-won = 1–0 White won
result-black-won = 0–1 Black won
result-draw = ½–½ Draw
result-question = How did the game end?

## A game against an engine

play-offers-draw = The engine offers a draw.
play-connection-lost = connection lost: reconnecting, the engine's clock is paused
play-silent = the server does not answer: the engine's clock is paused
play-blocked = the engine may not think now: its clock is paused
play-your-move = your move
play-thinking = the engine is thinking
play-take-back = Take back
play-accept-draw = Accept draw
play-offer-draw = Offer draw
play-yes-resign = Yes, resign
play-on = Play on
play-resign = Resign
analyse = Analyse
play-rematch = Rematch

## The opening explorer and the tablebases

explorer = Opening explorer
explorer-reading = Reading the games…
find-position = Find this position in the library
explorer-none = No games yet. Open a file with several games to see what was played in each position and how it ended. Games you play against engines count, too.
explorer-own = { $count ->
    [one] { $count } game you played here against engines
   *[other] { $count } games you played here against engines
}
explorer-file = { $count ->
    [one] { $count } game in the file
   *[other] { $count } games in the file
}
explorer-read-of = { $read } of { $games }
explorer-no-continuation = None of them continues from this position.
explorer-this-file = This file
explorer-played-here = Played here
games = Games
explorer-results = Results
explorer-share = Share
explorer-not-reached = No game has reached this position.
explorer-best-games = Games with this position: the best { $count }
explorer-not-in-book = The book does not have this position.
explorer-book = A book: how often it plays each move.
explorer-no-results = no results
explorer-outcome = White won { $white } %, draw { $draw } %, Black won { $black } %
explorer-list = Games with this position: { $count }
explorer-list-first = Games with this position: first { $count } of { $total }
lookup-waiting = Looking it up…
lookup-no-answer = The server is not answering right now.
table-move = Move
tablebase = Tablebase
tablebase-dtz = DTZ: half-moves to the next capture, pawn move or mate, with best play
tablebase-distance = Distance

## Keyboard shortcuts

help-title = Keyboard shortcuts
# The names of keys, as they are written on keyboards.
key-home = Home
key-end = End
key-space = Space
key-delete = Delete
key-shift-f10 = Shift+F10
key-ctrl-z = Ctrl+Z
key-ctrl-shift-z = Ctrl+Shift+Z
key-ctrl-v = Ctrl+V
help-moves = previous, next move; also the mouse wheel over the board
help-variations = previous, next variation
help-ends = start, end of the line
help-mistakes = next, previous mistake of a game that is analysed
help-type = type a move
help-best = play the engine's best move
help-engine = start or stop the engine
help-arrows = show or hide arrows
help-threat = show the threat
help-analyse = analyse the game
help-comment = comment on the move
help-menu = menu of the move, in the list of moves (Tab leads there)
help-explorer = opening explorer: what was played here
help-flip = flip the board
help-live = in a room: back to the live position
help-delete = delete the move and all after it
help-undo = undo the last change
help-redo = redo what was undone
help-paste = paste a PGN or FEN
help-help = show these shortcuts
help-drawing = Draw arrows and circles with the right mouse button; Shift, Alt or both give other colours. They stay with the position and in the PGN. Draw one again to remove it, or click an empty square to remove all.

## How other programs reach the engines

connect-title = Use these engines in a chess program
connect-gui = Chess GUI
connect-gui-hint = Add a UCI engine with this command to any chess GUI. It behaves like a local engine.
connect-socket-hint = Your own program opens the WebSocket and speaks UCI, one line per message.
connect-terminal = Terminal
# What is between ` is typed: it stays as it is.
connect-terminal-hint = In a terminal, type UCI as plain lines: try `uci`, then `go depth 10`.

## My analyses on the server

jobs-title = My analyses
jobs-asking = Asking the server…
jobs-none = There are none yet. Open a game, choose “on the server” below its moves, and press “Analyse the game”. The server goes on with it when this page is closed.
jobs-go-on = The server goes on with them when this page is closed.
jobs-lost = The server does not have it any more. It keeps results for a limited time.
jobs-remove = Remove from the list
jobs-nameless = Without a name
jobs-progress = Progress of { $name }
jobs-kept-until = Kept until { $date }
jobs-pause = Pause
jobs-resume = Resume
# A button that asks `jobs-delete-question`.
jobs-ask-delete = Delete…
jobs-delete-name = Delete { $name }
jobs-delete-question = Delete it, with its results?
jobs-delete = Delete
jobs-keep = Keep
jobs-finish-game = Finish the game on the board first
# The games that are analysed by now.
jobs-open-done = Open those done
jobs-open-games = Open the games
jobs-download-pgn = Download PGN
jobs-download-results = Download results
jobs-all-games = { $total ->
    [one] { $total } game
   *[other] { $total } games
}
jobs-all-positions = { $total ->
    [one] { $total } position
   *[other] { $total } positions
}
# { $total } is 2 or more.
jobs-done-games = { $done } of { $total } games
jobs-done-positions = { $done } of { $total } positions
# { $progress } is like “3 of 20 games” or “1 position”.
jobs-waiting = Waiting for an engine: { $progress }
jobs-running = Running: { $progress }
jobs-running-seconds = Running: { $progress }, about { $left } s left
jobs-running-minutes = Running: { $progress }, about { $left } min left
jobs-running-hours = Running: { $progress }, about { $left } h left
jobs-paused = Paused: { $progress }
jobs-stopped = Stopped: { $reason }
jobs-stopped-unknown = Stopped: the server did not say why
# { $all } is like “20 games” or “1 position”.
jobs-finished = Finished: { $all }
# None of them could be analysed.
jobs-finished-without-results = Finished: { $all }, which could not be analysed
jobs-finished-in-part = Finished: { $all }, of which { $failed } could not be analysed

## Apps that cannot sign in

devices-title = Apps that cannot sign in
devices-hint = Apps such as DroidFish know no tokens. Let this address in, and enter host and port in the app.
devices-hidden = A proxy hides the address of this device, so it cannot be let in: ask the operator of this server.
devices-place = Host and port of { $name }, for { $engine }
devices-until = { $address } is let in until { $date }.
devices-pair = Let apps at { $address } in
devices-file = File for DroidFish
devices-unpair = Let nobody in any more
devices-not-now = The server cannot change this now

## Links to shared games

shared-too-large = The game is too large to share
shared-too-large-hint = Remove variations or comments.
shared-impossible = The server cannot share this game
links-title = Link to this game
links-hint = Everyone who has the link can read the game with its comments. Only you can change or withdraw it.
# A list with the next four.
links-time = How long the link works
links-for-week = for a week
links-for-month = for a month
links-for-year = for a year
links-until-withdrawn = until I withdraw it
links-make = Make a link
links-list = My links
# The title of a shared game without players.
links-nameless = A game without names
links-works-until = works until { $date }
links-works-until-withdrawn = works until withdrawn
link = Link
links-copied = Link copied
# Buttons that ask one of the questions below.
links-ask-update = Update…
links-ask-withdraw = Withdraw…
links-change = Change the link to { $title }
links-update-question = Show the game that is on the board now under this link?
links-withdraw-question = The link will lead nowhere. Withdraw it?
links-update = Update the link
links-withdraw = Withdraw the link
links-keep = Keep it
links-frame = Show it on a web page
links-html = HTML for the page
links-html-copied = HTML copied
links-size = Size on the page
links-frame-hint = It works on the web sites that the operator of this server has listed.

## Options of an engine

options-title = { $engine } options
options-no-control = Someone else has control: only the number of lines shown is yours.
options-none = The engine has not listed its options yet.
options-reset = Reset to defaults
# The number of lines that the engine shows.
options-lines = Lines
# “Search until” is followed by one of the next five, in a list, and then by a number.
options-until = Search until
options-until-stopped = stopped
options-until-depth = depth
options-until-seconds = seconds
options-until-nodes = nodes
options-until-mate = mate in moves
options-limit = Limit
# A number that was typed has to be from .. to ..
options-from-to = from { $min } to { $max }
options-range = { $min } to { $max }
options-invalid = invalid value
# The unit of “Hash”.
options-mebibytes = MiB

## The window for a game against an engine

play-title = Play against an engine
play-colour = Your colour
# A colour by chance.
play-random = Random
play-clock = Clock
play-minutes = { $minutes } min
# Minutes for the game, and seconds more for each move.
play-minutes-and-seconds = { $minutes } min + { $seconds } s
play-no-clock = No clock
# Another clock, whose minutes and seconds are typed.
play-own-clock = Custom
play-clock-fields = Minutes + seconds per move
play-clock-minutes = Minutes
play-clock-seconds = Seconds per move
play-strength = Strength
play-full-strength = Full strength
play-by-rating = By rating (Elo)
play-by-level = By level
play-level = Level
play-no-levels = This engine has no weaker levels.
play-levels-unknown = The engine has not listed its levels yet.
play-ponders = Engine thinks on your time
play-from-here = Play from this position

## Share

share-position = Link to this position
download-game = Download the game
share-preview = Preview of the board
share-arrows = Show arrows for the best moves
share-png = Save as PNG
share-svg = Save as SVG
share-copy-picture = Copy picture
share-picture-copied = Picture copied
share-picture-not-copied = The picture cannot be copied
share-save-instead = This browser copies pictures only over https: save it instead.

## Names, date and result of the game

game = Game
rating = Rating
headers-rating-of-white = Rating of White
headers-rating-of-black = Rating of Black
event = Event
headers-example-event = Club championship
headers-round = Round
headers-place = Place
# A town, as an example of a place.
headers-example-place = Leipzig
headers-date = Date
headers-annotator = Comments by
headers-eco = ECO code
result = Result
save = Save

## Setting up a position

piece-white-king = white king
piece-white-queen = white queen
piece-white-rook = white rook
piece-white-bishop = white bishop
piece-white-knight = white knight
piece-white-pawn = white pawn
piece-black-king = black king
piece-black-queen = black queen
piece-black-rook = black rook
piece-black-bishop = black bishop
piece-black-knight = black knight
piece-black-pawn = black pawn
setup-empty = empty
setup-white-pieces = white pieces
setup-black-pieces = black pieces
setup-move = move pieces
setup-remove = remove pieces
setup-move-title = Move pieces; drag off the board to remove
setup-remove-title = Remove pieces
setup-not-legal = Not legal: { $fault }.
setup-legal = The position is legal.
setup-undo = Undo
castling-white-short = White short
castling-white-long = White long
castling-black-short = Black short
castling-black-long = Black long
setup-to-move = To move
setup-clear = Clear
cancel = Cancel
setup-castling = Castling
setup-en-passant = En passant
setup-no-square = None
setup-start = Start position
setup-start-number = Start position number
setup-random = Random position

## Rooms

room-stop-writing = Stop writing
room-let-write = Let write
room-remove = Remove { $name }
room-last-change = Last change: { $name }
room-your-name-here = Your name here: { $name }
room-your-name = Your name
room-engine-closes = { $count ->
    [one] Another engine closes the room for 1 viewer.
   *[other] Another engine closes the room for { $count } viewers.
}
room-viewers = { $count ->
    [0] no viewers yet
    [one] 1 viewer
   *[other] { $count } viewers
}
room-you-have-control = { $count ->
    [0] you have control, no other viewers
    [one] you have control, 1 other viewer
   *[other] you have control, { $count } other viewers
}
room-watching = { $count ->
    [0] watching, no other viewers
    [one] watching, 1 other viewer
   *[other] watching, { $count } other viewers
}
room = Room
room-live = Live
room-take-control = Take back control
room-withdraw-offer = Withdraw offer
room-give-control = Give control
room-elsewhere = You look at another position.
room-back-to-live = Back to live
room-back-to-live-title = Back to live (v)
room-change-name = Change name
room-save-name = Save name
room-yes-change = Yes, change
room-keep-engine = Keep the engine
room-give-back = Give back control
room-save-copy = Save a copy
room-save-copy-title = Leave with a copy of the game; undo brings your own back
room-leave = Leave
room-offered = You are offered control.
room-accept = Accept
room-decline = Decline
room-owner = (owner)
room-together = Analyse together
room-explained = Let others watch this game and the engine's analysis live. You stay in control, can give control to one of them, and let others write. Anyone with the link can watch.
room-open = Open a room
room-not-connected = The engine is not connected right now.
room-anyone = Anyone with the link can watch.
room-viewers-link = Link for viewers
room-lasts = The room lasts as long as your session, or until you close it.
room-close = Close the room
room-done = Done

## The library: files of games that this browser keeps

library = Library
library-reading = { $count ->
    [one] Reading: { $count } game
   *[other] Reading: { $count } games
}
library-save-in = Save in { $file }
# “My games” is the name of a file: it is “My games.pgn” in every language.
library-save-in-own = Save in My games
library-earlier-of-game = Earlier versions of this game
library-earlier = Earlier versions
# The game as it was before { $time }, when it was saved.
library-before = before { $time }
# { $coding } is like “Western (Windows)”, a way to write letters in a file.
library-lacks-letters = { $path } is in { $coding }, which does not have all letters of this game.
library-do-not-save = Do not save
library-save-utf8 = Save, and make the file UTF-8
library-empty = Files with several games that you open are kept here.
library-deleted = Deleted { $path }
library-undo = Undo
library-files = Files
library-files-in = Files in { $folder }
library-download-as-one = Download as one file
library-download-each = Download each file
library-name = Name; a slash makes a folder
library-rename = Rename
library-rename-file = Rename or move { $file }
library-download-file = Download { $file }
library-delete-file = Delete { $file }
library-games = { $count ->
    [one] { $count } game
   *[other] { $count } games
}
# { $shown } is 100.
library-games-first = { $count } games, of which the first { $shown } are shown
library-search = Search the library
library-search-hint = Search the library: players, event, date, result
library-search-by = Search by position, opening, players, date
# A condition of the search, like “Event: Leipzig”; several are joined by commas.
library-condition = { $name }: { $value }
# A player of White or Black.
library-either-player = Either player
library-opening = Opening
library-example-opening = B90 or Najdorf
# The first and the last date of the games that are searched, with examples.
library-from = From
library-example-from = 2024 or 2024.05.31
library-to = To
library-example-to = 2026
library-rated = Both rated at least
library-any-result = Any result
library-white-won = White won
library-black-won = Black won
library-draw = Draw
library-folder = Folder
library-all-folders = All
library-clear = Clear
library-in-any-position = In any position
# A button: search the games with this position.
library-search-position = With the position on the board
library-with-position = Games with the position on the board
library-with-other-position = Games with another position
library-with-position-explained = Games with the position on the board, in their main line, by any order of moves.
library-with-other-position-explained = Games with another position, in their main line, by any order of moves.
library-show = Show games
library-show-games = { $count ->
    [one] Show { $count } game
   *[other] Show { $count } games
}
library-indexed = { $done } of { $total } games can be searched by position and opening so far
library-pause = Pause
library-continue = Continue
library-searching = Searching…
library-found = Games found
library-download-found = Download all that were found
library-no-matching = No matching games.
library-saved-in = Saved in { $file }
library-saved-as-new = Saved as a new game
library-saved-as-new-reason = It was changed elsewhere since you opened it.
# Stands for a file without a name: “Saved in the library”.
library-itself = the library
# The next ones follow a title and a colon, so they begin with a small letter.
library-waits = the library waits for another tab with an older page: close that tab, or reload it
library-closed = the library is used by a newer page in another tab: reload this page to use it here
library-full = this browser has no more room: download a file of the library and delete it here, then try again
library-not-there = a file is not there any more, or its reading was cancelled
library-too-large = this file is too large: { $size } MB; the limit is { $limit } MB: split it
library-unreadable = the file could not be read

sync-keep = Keep on the server
sync-keep-file = Keep on the server: { $file }
# How a file here stands, compared with the one on the server.
sync-same = The same on the server
sync-here = Changed here, not sent yet
sync-there = Changed on another computer
sync-both = Changed here and on another computer
sync-offline = No connection
sync-offline-here = No connection: it is sent later
sync-released = { $file } is only in this browser now
sync-released-hint = Your other computers lose it when they open the library.
sync-folder-released = The files in { $folder } are only in this browser now
sync-folder-released-hint = Your other computers lose them when they open the library.
# The name of a file after it was changed on two computers.
sync-from-here = { $name } (from this computer)
sync-too-large = The file is too large for the server
sync-too-large-hint = It stays in this browser; split it to keep it there.
sync-bad-name = The server does not take this name
sync-bad-name-hint = Rename the file.
sync-not-now = The server cannot keep files now
# A game without the names of its players.
game-number = Game { $number }

## The window that opens a game or a position

import-text = PGN or FEN
import-hint = Paste PGN (one or more games) or a FEN here, or drop a file anywhere on the page.
import-file = File with games
# How the letters are written in the file: its encoding.
import-encoding = Letters of the file
import-search = Search games
import-search-games = Search { $count } games
import-showing = Showing { $shown } of { $count }: search to find the others.
import-played-here = Played here

## How a game against an engine ended, and its strength

outcome-white-mates = White wins by checkmate
outcome-black-mates = Black wins by checkmate
outcome-white-wins-on-time = White wins on time
outcome-black-wins-on-time = Black wins on time
outcome-white-resigns = White resigns
outcome-black-resigns = Black resigns
outcome-white-made-no-move = White made no legal move
outcome-black-made-no-move = Black made no legal move
# Black's time is over, but White has too few pieces to mate.
outcome-white-cannot-mate = Draw: Black ran out of time, but White cannot mate
outcome-black-cannot-mate = Draw: White ran out of time, but Black cannot mate
outcome-stalemate = Draw by stalemate
outcome-material = Draw by insufficient material
outcome-fifty-moves = Draw by the fifty-move rule
outcome-repetition = Draw by threefold repetition
outcome-agreement = Draw by agreement
# Behind the name of an engine that does not play at full strength.
play-at-level = level { $level }
play-declines = The engine declines the draw
play-declines-reason = It thinks it can do better.

## The words of the explorer and of the tablebases

explorer-rating = average rating { $rating }
explorer-year = last played in { $year }
explorer-rating-and-year = average rating { $rating }, last played in { $year }
# What a move does for the side that plays it; in a narrow column.
tablebase-wins = wins
tablebase-draws = draws
tablebase-loses = loses
tablebase-checkmate = Checkmate
tablebase-stalemate = Stalemate
tablebase-draw = A draw with best play
# { $side } is the side to move: “white” or “black”.
tablebase-side-wins = { $side ->
    [white] White wins
   *[black] Black wins
}
tablebase-side-wins-or-draws = { $side ->
    [white] White wins, or draws by the fifty-move rule
   *[black] Black wins, or draws by the fifty-move rule
}
tablebase-side-wins-too-late = { $side ->
    [white] White draws: the win takes more than fifty moves
   *[black] Black draws: the win takes more than fifty moves
}
tablebase-side-loses-too-late = { $side ->
    [white] White draws: the loss takes more than fifty moves
   *[black] Black draws: the loss takes more than fifty moves
}
tablebase-side-loses-or-draws = { $side ->
    [white] White loses, or draws by the fifty-move rule
   *[black] Black loses, or draws by the fifty-move rule
}
tablebase-side-loses = { $side ->
    [white] White loses
   *[black] Black loses
}
# Behind a move, in a narrow column: how the game ends or how far the next step is.
tablebase-detail-mate = mate
tablebase-detail-stalemate = stalemate
tablebase-detail-material = too few pieces left
# The fifty-move rule makes a draw of it.
tablebase-detail-fifty = fifty moves
tablebase-detail-distance = DTZ { $distance }
# The fifty-move rule may make a draw of it.
tablebase-detail-distance-or-fifty = DTZ { $distance } or fifty moves
tablebase-detail-or-fifty = or fifty moves

## What is wrong with a position that is set up

# Stands in “Not legal: ….”, so it has no full stop.
setup-no-king = { $color ->
    [white] White has no king
   *[black] Black has no king
}
setup-kings = { $color ->
    [white] White has { $count } kings instead of one
   *[black] Black has { $count } kings instead of one
}
setup-men = { $color ->
    [white] White has { $count } pieces, and { $most } are the most
   *[black] Black has { $count } pieces, and { $most } are the most
}
# { $square } is like “a8”.
setup-pawn-on = a pawn cannot stand on { $square }
# { $count } is 9 or more.
setup-pawns = { $color ->
    [white] White has { $count } pawns: unusual, but it can be analysed
   *[black] Black has { $count } pawns: unusual, but it can be analysed
}
# For screen readers.  The keys k q r b n p are those of the keyboard, and stay as they are.
setup-board = Board: arrow keys select a square, k q r b n p place a white piece, with Shift a black one, Delete removes it

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
import-position = behind “position” comes “startpos” or “fen ...”, not “{ $said }”
import-variant = the variant '{ $variant }' is not supported yet
import-address = this is a web address: copy the PGN or the FEN from that page
import-setup = the game has a tag SetUp, and no tag FEN
import-number = the game begins with move { $number }, and has no tag FEN
import-too-long = this is too long: { $length } characters; the limit is { $limit }
import-nothing = no game or position found: paste PGN, a FEN, moves (e4 e5, or e2e4 e7e5), or the address of a position
import-letters = “{ $move }” is not a legal move: use K, Q, R, B and N for pieces
import-first-move = “{ $move }” is not a legal move in the first position: its FEN is missing
import-illegal = there is an illegal move, “{ $move }”: only the moves before it are shown
import-illegal-in-link = the link has an illegal move, “{ $move }”: only the moves before it are shown

## What is wrong with names, date and result of a game

# They stand behind the name of the field.
headers-too-long = at most { $most } characters
headers-no-rating = a rating is a number like 1850
# A code of an opening (ECO).
headers-no-code = a code is like B90
headers-is-draw = the game ends as a draw
headers-is-mate = the game ends by checkmate
headers-no-date = write a date like 2026.11.26, 26.11.2026, or only the year
headers-no-month = there is no month { $month }
headers-no-day = the month has no day { $day }

## More on a position that is set up

# Stands in “Not legal: ….”
setup-in-check = { $color ->
    [white] white is in check but not to move
   *[black] black is in check but not to move
}

## Practice without an answer

practice-no-answer = The engine did not answer
practice-try-again = Try the move again.

## The menu of a move, its comment and its time

menu-comment = Comment…
menu-move-up = Move this variation up
menu-delete = Delete from here
menu-delete-others = Delete all other variations
menu-copy-moves = Copy the moves to here
menu-copy-pgn = Copy PGN from here
menu-rate = Rate the move
copied = Copied
copy-not-allowed = This browser does not let the page copy
player-move-time = Time for { $move }
# { $move } is like “3... Nf6”.
comment-on-move = Comment on { $move }
comment-on-game = Comment on the game
comment-name = Comment
comment-write = Write a comment

## A storage that is full

storage-full = Your last changes are not saved
storage-full-text = This browser has no more room for what this page keeps.
storage-full-hint = Download the game before you close the page.

## A shared game in a frame of another page

embed-title = Rookery: a shared game
embed-fetching = Fetching the game…
embed-open = Open on { $server }
# The name of the row of buttons, for screen readers.
embed-steps = Steps
embed-no-address = This address names no game
embed-no-address-text = It has to end with # and the id of a shared game, like /embed#AbCdEf. On the server, “Share” has the whole address to copy.

## Analyses of the server

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

## The project beside the board

project = Project
project-nameless = Project without a name
# A button beside the engine: the position becomes a tree that the server works on.
project-keep = Keep this analysis as a project
project-close = Close the project
project-pause = Pause
project-go-on = Go on
project-go-on-title = With twice of what is used up of its budget
project-progress = Positions of the budget that the tree has
# Searches for the tree of a project.
project-growing = { $count ->
    [one] Growing: one search is under way
   *[other] Growing: { $count } searches are under way
}
project-queued = Waiting for a free engine
project-paused = Paused
# The reason is one of those below, or a sentence of the server in English.
project-paused-why = Paused: { $reason }
project-finished = Finished
project-finished-why = Finished: { $reason }
project-building = Being merged: it grows again when its new tree is whole
project-failed = Stopped: the server did not say why
project-failed-why = Stopped: { $reason }
# Reasons why a project does not grow.
project-cause-positions = it has as many positions as it was to have
project-cause-nodes = it has searched as many nodes as it was to search
project-cause-cpu = it has taken as much CPU time as it was to take
project-cause-until = its time is over
project-cause-stable = its best move has stayed the same for long enough
project-cause-exhausted = there is nothing left to search
project-cause-quota = your projects have as many positions as they may have
project-cause-engine = engines cannot search for it
project-cause-damage = the server cannot read what it has kept of it
project-positions = { $count ->
    [one] one position
   *[other] { $count } positions
}
# Of all searches; the number is short, like 5.2M.
project-nodes = { $nodes } nodes
project-cpu = { $time } of CPU time
project-unknown = This position is not in the tree.
project-add-position = Add it to the tree
project-to-root = To the root of the tree
project-unsearched = waits for its search
project-checkmate = checkmate
project-stalemate = stalemate
project-dead-draw = neither side can mate
project-from-tablebase = from a tablebase
project-search-failed = engines fail at this position
# Of a value: it is a fact.
project-proven = proven
project-own-search = its own search: { $value }, depth { $depth }
project-searching = being searched now
project-main-line = Main line of the tree
project-moves = Moves of the tree
project-all = Show all { $count } moves
project-fewer = Show the best moves only
# The heads of columns have little room.
project-value = Value
project-value-title = Carried up from the positions behind the move
project-own = Search
project-own-title = By the search of this position
project-next-search = By the search of this position; the next one was searched to depth { $depth } ({ $nodes } nodes)
project-trend = Trend
project-trend-words = The value while the tree grew: { $values }
project-height = Depth
project-height-title = Half-moves to the deepest position behind the move
project-size = Positions
project-size-title = Positions behind the move
project-share = { $share } of all behind this position
# Marks of a move, each a word: only this one and others with the mark are searched.
project-is-pinned = only
project-is-added = added
project-is-excluded = excluded
# By repetition or the fifty-move rule.
project-is-repetition = draw
# To a position before this one.
project-returns = leads back
# Legal moves that no search has listed.
project-others = { $count ->
    [one] one other move
   *[other] { $count } other moves
}
project-other-moves = The other moves
# The growth of the tree: a menu follows.
project-steer = Steer
project-steer-move = Steer { $move }
project-exclude = Exclude this move
project-include = Allow this move again
project-pin = Only this move, and others marked so
project-unpin = Not only this move
project-deepen = Look deeper here
project-add-move = Add this move to the tree
project-exclude-others = Exclude all other moves
project-include-others = Allow the other moves again
# What the user has done; an undo follows.
project-done-exclude = { $move }: excluded.
project-done-include = { $move }: allowed again.
project-done-pin = { $move }: only this move, and others marked so.
project-done-unpin = { $move }: not only this move any more.
project-done-add = { $move }: added.
project-done-deepen = It is searched again, with four times as many nodes.
project-undo = Undo
# The last visit; the number of changes follows.
project-since = Since { $date }:
project-changes = { $count ->
    [one] one change
   *[other] { $count } changes
}
project-grown = { $count ->
    [one] One position was added.
   *[other] { $count } positions were added.
}
project-root-best = Best move at the root: { $from } became { $to } ({ $before } → { $after })
project-root-value = Value at the root, with { $move }: { $before } → { $after }
project-change = After { $line }: { $move } is best now ({ $value })
project-seen = Mark as seen
project-map = Map of the tree
# The first position of a tree.
project-root = root
project-map-cell = { $line }: { $count ->
    [one] one position
   *[other] { $count } positions
}, { $value }
project-map-new-cell = { $line }: { $count ->
    [one] one position
   *[other] { $count } positions
}, { $value }, with new positions
# Subtrees, with their positions.
project-map-largest = Largest: { $moves }.
project-map-newest = Newest: { $lines }.
project-map-keys = The width shows the positions, the colour the value: blue is better for White than the root, orange worse; the fuller, the newer. Arrow keys go through the tree, Enter shows a position on the board.
project-table-white = White wins by a tablebase that is { $plies } half-moves away
project-table-black = Black wins by a tablebase that is { $plies } half-moves away

## The window with the projects of the account

projects = Projects
projects-title = My projects
projects-asking = Asking the server…
# Two sentences: what a project is, and how to begin one.
projects-none = A project is a position that the server works on for hours or nights, as a tree of moves that is kept. Put a position on the board and press “New project”, or press the bookmark beside the engine.
projects-go-on = The server goes on with them when this page is closed.
# positions and room are short numbers, like 5.2M.
projects-room = { $count } of { $most } projects, { $positions } of { $room } positions
projects-all = All projects
projects-new = New project
projects-settings-of = Settings of { $name }
projects-export-of = Export { $name }
projects-copy-of = Copy { $name }
projects-merge-into = Merge a project into { $name }
projects-import-into = Add games to { $name }
projects-changed = Changed { $date }
# The value of the move follows.
projects-best = Best: { $move }
projects-settings = Settings…
projects-export = Export…
projects-more = More…
projects-less = Less
projects-more-of = More for { $name }
projects-copy = Copy…
projects-merge = Merge…
projects-import = Add a PGN…
projects-delete-question = { $count ->
    [one] Delete it, with its position?
   *[other] Delete it, with its { $count } positions?
}
projects-name = Name
# After what the server says is wrong; its words are English.
projects-expected = Expected: { $expected }
projects-start = Position
projects-from-board = The one on the board, with the moves before it and the variations behind it
projects-from-fen = A FEN
projects-from-pgn = A game in PGN, whose moves and variations are searched first
projects-engines = Engines
projects-options-of = { $count ->
    [0] Options of { $engine }
   *[other] Options of { $engine } ({ $count } changed)
}
projects-growth = How it grows
projects-for = Purpose
projects-for-understanding = Understand the position
projects-for-white = Repertoire for White
projects-for-black = Repertoire for Black
projects-own-choice = Your own choice
# The time that an engine takes for each position.
projects-effort = Each position
projects-quick = Quick ({ $nodes } nodes)
projects-normal = Normal ({ $nodes } nodes)
projects-deep = Deep ({ $nodes } nodes)
projects-own-nodes = Your own number
projects-nodes = Nodes for each position
projects-seconds = Seconds for each position, at most
projects-width = Width
projects-narrow = Narrow
projects-rather-narrow = Rather narrow
projects-balanced = Balanced
projects-rather-wide = Rather wide
projects-wide = Wide
# cp: hundredths of a pawn.
projects-own-width = { $width } cp
projects-width-hint = Narrow follows the best moves far; wide looks at more moves, and less far.
projects-each-side = Each side by itself
projects-white-to-move = White to move
projects-black-to-move = Black to move
# How many moves of a position get positions of their own.
projects-follow = Follow
projects-all-moves = all good moves
projects-best-moves = { $count ->
    [one] the best move only
   *[other] the { $count } best moves
}
projects-lines = Moves that a search compares
projects-end = When it ends
projects-end-hint = At the first of these; what is empty is no end. You can go on at any time.
projects-no-limit = no limit
projects-until-positions = Positions in the tree
projects-until-nodes = Million nodes searched
projects-until-hours = Hours of CPU time
projects-until-date = Date and time
projects-until-stable = Positions without another best move
projects-begin = Begin
projects-format = Format
projects-as-pgn = PGN, with variations and values
projects-as-book = Opening book (Polyglot)
projects-as-lines = All positions (NDJSON)
projects-plies = Half-moves at most
projects-most-positions = Positions at most
projects-visits = Least positions behind a move
projects-download = Download
projects-addresses = Addresses for opening programs
projects-addresses-hint = A program that asks chessdb.cn can ask this project instead: it puts a FEN behind the address. If the server wants a token, it is sent in the header Authorization.
projects-queryall = All moves (queryall)
projects-querypv = Main line (querypv)
projects-address-copied = Address copied
# The name of a copy.
projects-copy-name = { $name } (copy)
projects-copy-hint = The copy has the same engines and settings. It is paused, and ends by itself only if you say when.
projects-copy-whole = The whole tree
projects-copy-part = From the position on the board
projects-make-copy = Copy
projects-merge-none = There is no other project to merge into this one.
projects-merge-hint = The positions of the other project are added, if its root is in this tree. Where both have one, the longer search counts. The other project stays.
projects-merge-from = Other project
projects-merge-now = Merge
projects-merged = Merged
projects-now = { $count ->
    [one] The tree has one position now.
   *[other] The tree has { $count } positions now.
}
projects-import-hint = The moves and variations of one game are added from the root on, and are searched before all others.
projects-import-now = Add
projects-imported = Added
projects-added = { $count ->
    [0] All positions were in the tree already.
    [one] One position was added.
   *[other] { $count } positions were added.
}

## Projects of the server

projects-gone = The server does not have this project
projects-gone-hint = It was deleted, or it is another account's.
projects-not-so = That is not possible now
projects-not-so-hint = The project has changed meanwhile: look at it again.
projects-too-large = This is too much for the server
# The server says what is wrong, in a sentence after this.
projects-impossible = The server cannot do this
projects-not-now = The server cannot use its projects now

## Files and games that are opened

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
notice-unknown-room = There is no such room
notice-unknown-room-hint = Ask for the link again.
notice-unknown-room-text = It may have been closed.
notice-room-full = Too many viewers
notice-room-full-hint = { try-again-later }
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
notice-projects-off = This server keeps no projects
notice-projects-off-hint = Ask its operator.
notice-quota-projects = You have no room for more projects
notice-quota-projects-hint = Delete a project that you do not need.
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

## The material, in words for screen readers

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
