# What the page shows first.

try-again = Inténtelo de nuevo.
language-not-loaded = No se pudo cargar el idioma
view-not-loaded = No se pudo cargar esta parte de la página

## The head of the page

analyses = Análisis
header-analyses-title = Mis análisis en el servidor
header-new = Nueva
header-new-title = Empezar una partida nueva
play = Jugar
header-play-title = Jugar contra un módulo
header-setup = Posición
setup = Preparar una posición
header-live = En vivo
header-live-title = En vivo: analizar en grupo
open = Abrir
import-title = Abrir una partida o una posición
share = Compartir
header-share-title = Compartir o guardar
header-connect = Conectar
header-connect-title = Conectar un programa de ajedrez
settings = Ajustes
header-keys = Teclas
header-keys-title = Teclas
# The name of the row of buttons, for screen readers.
header-page = Página
header-untitled = Tablero de análisis
header-edit = Editar nombres, fecha y resultado

## The page

moves-to-start = Ir al principio (Inicio)
moves-back = Jugada anterior (←)
moves-forward = Jugada siguiente (→)
moves-to-end = Ir al final (Fin)
moves-comment = Comentar esta jugada (c)
moves-promote = Convertir en línea principal
moves-delete = Borrar desde aquí (Supr)
moves-undo = Deshacer (Ctrl+Z)
moves-redo = Rehacer (Ctrl+Mayús+Z)
# The title of the page in the browser; “Rookery” is a name.
page-title = Rookery: tablero de análisis
page-flip = Girar el tablero (f)
page-explorer = Explorador de aperturas (b)
page-moves = Jugadas
# A part of the page that only screen readers show.
page-in-words = En palabras
# The start of the game, before any move.
page-start = Inicio
page-best-at-depth = { $score } a profundidad { $depth }
page-position = Posición
player-write-white = Escribir quién juega con blancas
player-write-black = Escribir quién juega con negras

## The engine

engine = Módulo
engine-options = Opciones del módulo
engine-show-threat = Mostrar la amenaza (x)
engine-add = Añadir otro módulo junto a este
engine-stop = Detener el módulo (l)
engine-start = Iniciar el módulo (l)
engine-choose = Elegir el módulo
engine-not-signed-in = sesión no iniciada
engine-analysing-game = analizando: { $done } de { $total }
engine-stopped = detenido
engine-threat = amenaza: { $depth }
engine-connection-lost = conexión perdida: reconectando…
connecting = conectando…
engine-not-searching = no está analizando
engine-searching = analizando…
# Shown while the user looks at another position of a room's game than the engine.
engine-at-live-position = en la posición en vivo
engine-ready = listo
engine-depth = profundidad { $depth }
engine-depth-done = prof. { $depth }, terminado
engine-depth-saved = prof. { $depth } (guardada)
engine-depth-saved-searching = prof. { $newer } (guardada: { $depth })
engine-tablebase-white = Base de finales: ganan las blancas
engine-tablebase-black = Base de finales: ganan las negras
engine-threads = hilos
engine-share = { $own } de { $most }
engine-threads-title = Hilos de este módulo, de los { $most } que usted puede usar
engine-nodes = nodos
engine-nodes-title = Posiciones analizadas
engine-speed-title = Posiciones por segundo
engine-speed = { $speed }/s
engine-hash = hash
engine-hash-title = Ocupación de la tabla hash del módulo
engine-tb = tb
engine-tb-title = Posiciones encontradas en bases de finales
engine-round-trip-title = Tiempo de ida y vuelta al servidor
engine-at = ahora
engine-at-title = Jugada que está analizando
engine-chances = Ganan blancas { $win }, tablas { $draw }, ganan negras { $lose }
evaluation = Evaluación
evaluation-unknown = desconocida
evaluation-chances = { $score }; posibilidades de las blancas: { $chance } %

## The lines of an engine

lines-best = Mejores líneas
lines-best-of = Mejores líneas de { $engine }
lines-threats = Amenazas
lines-threats-of = Amenazas según { $engine }
lines-depth = profundidad { $depth }
lines-depth-up-to = profundidad { $depth }, hasta { $seldepth }
lines-play = { $score }, profundidad { $depth }: jugar { $move }
lines-threat = { $score }, profundidad { $depth }: amenaza { $move }
lines-collapse = Plegar la línea
lines-expand = Desplegar la línea
lines-collapse-depth = Plegar la línea, profundidad { $depth }
lines-expand-depth = Desplegar la línea, profundidad { $depth }

## Typed moves, pasted files

typed-move = Su jugada, como Nf3 o g1f3
pasted-games = { $count } partidas
pasted-games-shown = Se muestra la primera; en «Abrir» están las demás.

## The players

white = Blancas
black = Negras

## Messages

continue-alone = Seguir por mi cuenta
token-required = Este servidor requiere un token
token-ask = Pídaselo al administrador.
sign-in = Iniciar sesión
reconnect = Reconectar
retry = Reintentar
dismiss = Cerrar el aviso

## The list of moves

moves-fold-better = Plegar todas las variantes mejores
moves-unfold-better = Desplegar todas las variantes mejores
moves-checkmate-open = Jaque mate: abra una partida o una posición
moves-stalemate-open = Ahogado: abra una partida o una posición
moves-make-or-open = Juegue en el tablero, o abra una partida o una posición
moves-paste = , o péguela (Ctrl+V) en cualquier parte de esta página
moves-variation = Variante { $move }
moves-unfold = Desplegar esta variante
moves-fold = Plegar esta variante
moves-your-try = { $move }, su intento
moves-your-try-title = Su propio intento: los demás no lo ven
moves-good-enough = suficientemente buena
moves-judged-with-score = { $judgement } ({ $score })
moves-disputed = { $engine }: { $other }; el primer módulo: { $first }
moves-book = libro
moves-depth = profundidad { $depth }

## Windows

close = Cerrar
copy = Copiar

## A shared game

shared = Partida compartida
shared-game = Una partida compartida
shared-fetching = Cargando la partida compartida…
shared-text = Puede verla. Para modificarla, haga una copia: el original se queda como está.
shared-copy = Hacer una copia
shared-own-board = Ir a mi tablero
shared-sign-in = Iniciar sesión para usar el módulo

## Rooms

# Why a control is disabled: only the person with control of the engine may use it.
room-no-control = Otra persona tiene el control
room-owner-name = Anfitrión
# A viewer without a name; $id is its number in the room.
room-guest = Invitado { $id }
room-has-control = tiene el control
room-writes = escribe
room-declined = { $name } ha rechazado el control
room-may-write = Ahora puede escribir en la partida compartida
room-may-not-write = Ya no puede escribir en la partida compartida
room-unreadable = No se puede leer la partida compartida
room-too-long = La partida es demasiado larga para compartirla
room-too-long-shown = Los espectadores la ven como estaba antes.
room-no-undo = Eso no se puede deshacer
room-changed-since = Alguien lo ha cambiado desde entonces.
room-replaced = Se muestra otra partida
room-replaced-undo = Deshaga para recuperar la suya.
room-take-and-undo = Recupere el control y deshaga para volver a la suya.
room-ended = Terminó con su sesión: abra otra para los espectadores.

## The analysis of a game

judgement-inaccuracy = imprecisión
judgement-mistake = error
judgement-blunder = error grave

## The times for moves

moves-number = jugada { $number }

## Comment on a move, and its rating

# The move is ...
rating-brilliant = brillante
rating-good = buena
rating-interesting = interesante
rating-dubious = dudosa
rating-mistake = error
rating-blunder = error grave

## Sign in

sign-in-hint = Este servidor requiere un token; pídaselo al administrador. Se guarda solo para esta pestaña.
# What one signs in with: a word like “rk_…”.
sign-in-token = Token

## Promotion

# A window with the names of four pieces.
promote-to = Coronar
promote-queen = dama
promote-knight = caballo
promote-rook = torre
promote-bishop = alfil

## What the server or the browser cannot do

try-again-later = Inténtelo de nuevo más tarde.
pieces-not-loaded = No se pudieron cargar las piezas
too-many-requests = Demasiadas peticiones a la vez
too-many-requests-hint = Espere un momento e inténtelo de nuevo.
# Follows a title and a colon, so it begins with a small letter.
no-game-found = no se encontró ninguna partida
shared-gone = Esa partida no existe, o ya no existe
shared-gone-hint = Puede que su dueño la haya retirado, o que el enlace no se copiara entero.
shared-not-now = El servidor no puede compartir partidas ahora

## Analyses of the server

# The name of a game without players.
jobs-untitled = Partida sin título
# { $title } is that of the first game of a file, like “Carlsen – Anand”.
jobs-and-more = { $title } y { $count } más

## Files and games that are opened

new-game = Nueva partida
new-game-hint = «Deshacer» recupera la partida anterior.
# { $coding } is the name of an encoding of letters, like “Windows-1251”.
file-read-as = Leído como { $coding }
# “Open” is the button with this name.
file-read-as-hint = Si alguna letra sale mal, elija otra codificación en «Abrir».
game-in-progress = Hay una partida en curso
game-in-progress-hint = Termínela antes.
game-of-room = La partida es la de la sala
game-of-room-hint = Salga de la sala para abrir una partida suya.
served-not-opened = No se pudo abrir la partida
served-no-answer = El servidor no responde ahora.

## What the page says on its engines and moves

typed-not-your-turn = no le toca jugar
typed-not-legal = «{ $typed }» no es una jugada legal aquí: escriba jugadas como Nf3, exd5, O-O, e8=Q o e2e4
# A threat of the other side.
no-threat = No hay amenaza que mostrar
no-threat-in-check = El rey está en jaque.
no-mistakes = No hay errores a los que ir
# “Analyse the game” is a button, and g its key.
no-mistakes-hint = Se encuentran con «Analizar la partida» (g).
engine-gone = { $engine } ya no está disponible
engine-instead = Se usa { $engine } en su lugar.
# An option of an engine that is a button, like “Clear Hash”.
option-pressed = { $option }: hecho

## Problems with the server and with engines

notice-no-answer = Se perdió la conexión
notice-no-answer-hint = { notice-keeps-trying }
notice-keeps-trying = La página lo sigue intentando por sí sola.
notice-too-slow = La conexión era demasiado lenta
notice-too-slow-hint = { try-again }
notice-draining = El servidor se está apagando
notice-draining-hint = La página se reconectará por sí sola.
notice-draining-text = el servidor se está apagando
notice-room-closed = La sala está cerrada
notice-room-closed-text = ya no hay nada que ver
notice-unreachable = No se puede llegar al servidor
notice-unreachable-hint = { notice-keeps-trying }
notice-unreachable-text = no se pudo abrir ninguna conexión
notice-refused = El servidor no dejó que el tablero se conectara
notice-refused-hint = { notice-keeps-trying }
notice-refused-text = respondió, pero no dijo por qué
notice-input = No se pudo abrir
notice-unknown = Mensaje del servidor

## How a FEN or a PGN was changed

fen-chess960 = Se lee como Chess960, pues los derechos de enroque no son los del ajedrez normal.
# { $rights } are letters like “KQ”.
fen-castling = Se omite el enroque { $rights }: el rey y la torre no están en su sitio.
fen-castling-in-chess = Se omite el enroque { $rights }: en el ajedrez normal, el rey y la torre no están en su sitio. Si es Chess960, elíjalo en «Posición».
fen-chess960-castling = Se lee como Chess960, pues los derechos de enroque no son los del ajedrez normal. Se omite el enroque { $rights }: el rey y la torre no están en su sitio.
import-corrected = La posición no es exactamente como estaba escrita
import-cut = No se puede mostrar una parte de la partida
import-left-out = «{ $move }» no es una jugada legal: se omite, con el resto de su línea.

## Positions in words, for screen readers

# { $squares } is like “e1” or “a2 b2”.
words-pieces = { $role ->
    [king] { $count ->
        [one] rey { $squares }
       *[other] reyes { $squares }
    }
    [queen] { $count ->
        [one] dama { $squares }
       *[other] damas { $squares }
    }
    [rook] { $count ->
        [one] torre { $squares }
       *[other] torres { $squares }
    }
    [bishop] { $count ->
        [one] alfil { $squares }
       *[other] alfiles { $squares }
    }
    [knight] { $count ->
        [one] caballo { $squares }
       *[other] caballos { $squares }
    }
   *[pawn] { $count ->
        [one] peón { $squares }
       *[other] peones { $squares }
    }
}
# { $white } and { $black } are lists like “king e8, rook e2”.
words-position = { $turn ->
    [white] Blancas: { $white }. Negras: { $black }. Juegan las blancas.
   *[black] Blancas: { $white }. Negras: { $black }. Juegan las negras.
}
words-check = { $turn ->
    [white] Blancas: { $white }. Negras: { $black }. Jaque. Juegan las blancas.
   *[black] Blancas: { $white }. Negras: { $black }. Jaque. Juegan las negras.
}
words-mate = { $turn ->
    [white] Blancas: { $white }. Negras: { $black }. Jaque mate. Les toca a las blancas.
   *[black] Blancas: { $white }. Negras: { $black }. Jaque mate. Les toca a las negras.
}

## An analysis that stops

report-stopped = El análisis de la partida se ha detenido
report-found-nothing = El módulo no encontró nada para la posición { $number } de { $total }.
