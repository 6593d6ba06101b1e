# What the page shows first.

try-again = Inténtelo de nuevo.
language-not-loaded = No se pudo cargar el idioma
view-not-loaded = No se pudo cargar esta parte de la página

## The head of the page

header-analyses = Análisis
header-analyses-title = Mis análisis en el servidor
header-new = Nueva
header-new-title = Empezar una partida nueva
header-play = Jugar
header-play-title = Jugar contra un módulo
header-setup = Posición
header-setup-title = Preparar una posición
header-live = En vivo
header-live-title = En vivo: analizar en grupo
header-open = Abrir
header-open-title = Abrir una partida o una posición
header-share = Compartir
header-share-title = Compartir o guardar
header-connect = Conectar
header-connect-title = Conectar un programa de ajedrez
header-settings = Ajustes
header-settings-title = Ajustes
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

## The engine

engine = Módulo
engine-options = Opciones del módulo
engine-show-threat = Mostrar la amenaza (x)
engine-add = Añadir otro módulo junto a este
engine-stop = Detener el módulo (l)
engine-start = Iniciar el módulo (l)
engine-choose = Elegir el módulo
engine-not-signed-in = sesión no iniciada
engine-analysing-game = analizando la partida: { $done } de { $total }
engine-stopped = detenido
engine-threat = amenaza: { $depth }
engine-connection-lost = conexión perdida: reconectando…
engine-connecting = conectando…
engine-not-searching = no está analizando
engine-searching = analizando…
engine-ready = listo
engine-depth = profundidad { $depth }
engine-depth-done = profundidad { $depth }, terminado
engine-depth-saved = profundidad { $depth } (guardada)
engine-depth-saved-searching = profundidad { $depth } (guardada), analizando { $newer }
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

## The menu of a move

menu-comment = Comentar…
menu-move-up = Subir esta variante
menu-promote = Convertir en línea principal
menu-delete = Borrar desde aquí
menu-delete-others = Borrar todas las demás variantes
menu-copy-moves = Copiar las jugadas hasta aquí
menu-find = Buscar esta posición en la biblioteca
menu-copy-pgn = Copiar el PGN desde aquí
menu-rate = Calificar la jugada
copied = Copiado
copy-not-allowed = Este navegador no permite que la página copie

## Typed moves, pasted files

typed-move = Su jugada, como Nf3 o g1f3
pasted-games = { $count } partidas
pasted-games-shown = Se muestra la primera; en «Abrir» están las demás.

## The players

white = Blancas
black = Negras
player-write-white = Escribir quién juega con blancas
player-write-black = Escribir quién juega con negras
player-move-time = Tiempo para { $move }

## Messages

continue-alone = Seguir por mi cuenta
token-required = Este servidor requiere un token
token-ask = Pídaselo a quien lo administra.
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

## A storage that is full

storage-full = Sus últimos cambios no se han guardado
storage-full-text = A este navegador no le queda espacio para lo que guarda esta página.
storage-full-hint = Descargue la partida antes de cerrar la página.
storage-download = Descargar la partida

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
room-is-closed = La sala está cerrada
room-ended = Terminó con su sesión: abra otra para los espectadores.

## The analysis of a game

judgement-inaccuracy = imprecisión
judgement-mistake = error
judgement-blunder = error grave

## The times for moves

moves-number = jugada { $number }

## Comment on a move, and its rating

# { $move } is like “3... Nf6”.
comment-on-move = Comentario a { $move }
comment-on-game = Comentario a la partida
comment-name = Comentario
comment-write = Escribir un comentario
comment-save = Guardar
# The move is ...
rating-brilliant = brillante
rating-good = buena
rating-interesting = interesante
rating-dubious = dudosa
rating-mistake = error
rating-blunder = error grave

## Sign in

sign-in-hint = Este servidor requiere un token; pídaselo a quien lo administra. Se guarda solo para esta pestaña.
# What one signs in with: a word like “rk_…”.
sign-in-token = Token

## A shared game in a frame of another page

embed-title = Rookery: una partida compartida
embed-fetching = Cargando la partida…
embed-open = Abrir en { $server }
# The name of the row of buttons, for screen readers.
embed-steps = Pasos
embed-no-address = Esta dirección no indica ninguna partida
embed-no-address-text = Debe terminar en # y el identificador de una partida compartida, como /embed#AbCdEf. En el servidor, «Compartir» ofrece la dirección completa para copiarla.

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
shared-too-large = La partida es demasiado grande para compartirla
shared-too-large-hint = Quite variantes o comentarios.
shared-impossible = El servidor no puede compartir esta partida
shared-not-now = El servidor no puede compartir partidas ahora

## Analyses of the server

# The name of a game without players.
jobs-untitled = Partida sin título
# { $title } is that of the first game of a file, like “Carlsen – Anand”.
jobs-and-more = { $title } y { $count } más
jobs-gone = El servidor ya no tiene este análisis
jobs-gone-hint = Guarda los resultados por un tiempo limitado. Analice la partida de nuevo.
jobs-changed = Eso no es posible ahora
jobs-changed-hint = El análisis ha cambiado entretanto: mírelo de nuevo.
jobs-full = El servidor no le guarda más análisis
jobs-full-hint = Borre uno que no necesite e inténtelo de nuevo.
# The server says what is wrong, in a sentence between these two.
jobs-impossible = El servidor no puede analizar esto
jobs-impossible-hint = Cambie lo que se indica, o analice la partida en esta pestaña.
jobs-not-now = El servidor no puede hacer análisis ahora
jobs-not-now-hint = Inténtelo más tarde, o analice la partida en esta pestaña.
jobs-refused = El servidor lo ha rechazado
jobs-refused-hint = Inténtelo más tarde, o consulte a quien lo administra.
