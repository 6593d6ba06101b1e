# What is loaded after the first view: windows, and panels that are not always there.

sign-out = Sign out

## Settings

settings-title = Settings
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
practice-reason = { $said } { $missed }.
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

play-game = Game
play-offers-draw = The engine offers a draw.
play-connection-lost = connection lost: reconnecting, the engine's clock is paused
play-connecting = connecting…
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
play-analyse = Analyse
play-rematch = Rematch
play-new-game = New game

## The opening explorer and the tablebases

explorer = Opening explorer
explorer-reading = Reading the games…
explorer-find = Find this position in the library
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
explorer-games = Games
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
explorer-game = Game { $number }
lookup-waiting = Looking…
lookup-no-answer = The server does not answer now.
table-move = Move
tablebase = Tablebase
tablebase-dtz = DTZ: half-moves to the next capture, pawn move or mate, with best play
tablebase-result = Result
tablebase-distance = Distance
