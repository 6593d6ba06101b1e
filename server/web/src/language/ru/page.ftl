# What the page shows first.

try-again = Попробуйте ещё раз.
language-not-loaded = Не удалось загрузить язык
view-not-loaded = Не удалось загрузить эту часть страницы

## The head of the page

analyses = Анализы
header-analyses-title = Мои анализы на сервере
header-new = Новая
header-new-title = Начать новую партию
play = Играть
header-play-title = Сыграть с движком
header-setup = Позиция
setup = Расставить позицию
header-live = Вместе
header-live-title = Вместе: общая доска для анализа
open = Открыть
import-title = Открыть партию или позицию
share = Поделиться
header-share-title = Поделиться или сохранить
header-connect = Подключить
header-connect-title = Подключить шахматную программу
settings = Настройки
header-keys = Клавиши
header-keys-title = Горячие клавиши
# The name of the row of buttons, for screen readers.
header-page = Страница
header-untitled = Доска для анализа
header-edit = Изменить имена, дату и результат

## The page

moves-to-start = В начало (Home)
moves-back = Предыдущий ход (←)
moves-forward = Следующий ход (→)
moves-to-end = В конец (End)
moves-comment = Комментарий к ходу (c)
moves-promote = Сделать главным вариантом
moves-delete = Удалить с этого хода (Delete)
moves-undo = Отменить (Ctrl+Z)
moves-redo = Вернуть (Ctrl+Shift+Z)
# The title of the page in the browser; “Rookery” is a name.
page-title = Rookery: доска для анализа
page-flip = Перевернуть доску (f)
page-explorer = База дебютов (b)
page-moves = Ходы
# A part of the page that only screen readers show.
page-in-words = Словами
# The start of the game, before any move.
page-start = Начало
page-best-at-depth = { $score } на глубине { $depth }
page-position = Позиция
player-write-white = Указать, кто играет белыми
player-write-black = Указать, кто играет чёрными

## The engine

engine = Движок
engine-options = Параметры движка
engine-show-threat = Показать угрозу (x)
engine-add = Добавить ещё один движок
engine-stop = Остановить движок (l)
engine-start = Запустить движок (l)
engine-choose = Выбрать движок
engine-not-signed-in = вход не выполнен
engine-analysing-game = анализ: { $done } из { $total }
engine-stopped = остановлен
engine-threat = угроза: { $depth }
engine-connection-lost = связь потеряна: подключаемся снова…
connecting = подключение…
engine-not-searching = не считает
engine-searching = считает…
# Shown while the user looks at another position of a room's game than the engine.
engine-at-live-position = на общей позиции
engine-ready = готов
engine-depth = глубина { $depth }
engine-depth-done = глубина { $depth }, готово
engine-depth-saved = глубина { $depth } (сохранено)
engine-depth-saved-searching = глубина { $newer } (сохр.: { $depth })
engine-tablebase-white = Таблицы: белые выигрывают
engine-tablebase-black = Таблицы: чёрные выигрывают
engine-threads = потоки
engine-share = { $own } из { $most }
engine-threads-title = Потоки этого движка; вам доступно { $most }
engine-nodes = узлы
engine-nodes-title = Просмотрено позиций
engine-speed-title = Позиций в секунду
engine-speed = { $speed }/с
engine-hash = хеш
engine-hash-title = Заполнение хеш-таблицы движка
engine-tb = табл.
engine-tb-title = Позиций найдено в эндшпильных таблицах
engine-round-trip-title = Время до сервера и обратно
engine-at = ход
engine-at-title = Ход, который движок сейчас считает
engine-chances = Выигрыш белых { $win }, ничья { $draw }, выигрыш чёрных { $lose }
evaluation = Оценка
evaluation-unknown = неизвестна
evaluation-chances = { $score }: шансы белых { $chance } %

## The lines of an engine

lines-best = Лучшие варианты
lines-best-of = Лучшие варианты: { $engine }
lines-threats = Угрозы
lines-threats-of = Угрозы: { $engine }
lines-depth = глубина { $depth }
lines-depth-up-to = глубина { $depth }, до { $seldepth }
lines-play = { $score }, глубина { $depth }: сыграть { $move }
lines-threat = { $score }, глубина { $depth }: угроза { $move }
lines-collapse = Свернуть вариант
lines-expand = Развернуть вариант
lines-collapse-depth = Свернуть вариант, глубина { $depth }
lines-expand-depth = Развернуть вариант, глубина { $depth }

## Typed moves, pasted files

typed-move = Ваш ход, например Nf3 или g1f3
pasted-games = { $count ->
    [one] { $count } партия
    [few] { $count } партии
    [many] { $count } партий
   *[other] { $count } партии
}
pasted-games-shown = Показана первая; остальные — по кнопке «Открыть».

## The players

white = Белые
black = Чёрные

## Messages

continue-alone = Продолжить без комнаты
token-required = Для этого сервера нужен токен
token-ask = Попросите его у администратора.
sign-in = Войти
reconnect = Подключиться снова
retry = Повторить
dismiss = Скрыть

## The list of moves

moves-fold-better = Свернуть все лучшие варианты
moves-unfold-better = Развернуть все лучшие варианты
moves-checkmate-open = Мат. Откройте партию или позицию
moves-stalemate-open = Пат. Откройте партию или позицию
moves-make-or-open = Сделайте ход на доске либо откройте партию или позицию
moves-paste = : вставить её (Ctrl+V) можно в любом месте страницы
moves-variation = Вариант { $move }
moves-unfold = Развернуть этот вариант
moves-fold = Свернуть этот вариант
moves-your-try = { $move }, ваша попытка
moves-your-try-title = Ваша попытка: другие её не видят
moves-good-enough = ход достаточно хорош
moves-judged-with-score = { $judgement } ({ $score })
moves-disputed = { $engine }: { $other }; первый движок: { $first }
moves-book = теория
moves-depth = глубина { $depth }

## Windows

close = Закрыть
copy = Копировать

## A shared game

shared = Партия по ссылке
shared-game = Партия по ссылке
shared-fetching = Загружаем партию…
shared-text = Её можно смотреть. Чтобы изменить её, сделайте копию.
shared-copy = Сделать копию
shared-own-board = К своей доске
shared-sign-in = Войти, чтобы включить движок

## Rooms

# Why a control is disabled: only the person with control of the engine may use it.
room-no-control = Сейчас управляет другой
room-owner-name = Владелец
# A viewer without a name; $id is its number in the room.
room-guest = Гость { $id }
room-has-control = управляет
room-writes = правит
room-declined = { $name } отказывается от управления
room-may-write = Теперь вы можете править общую партию
room-may-not-write = Вы больше не можете править общую партию
room-unreadable = Общую партию не удалось прочитать
room-too-long = Партия слишком длинна, чтобы показать её всем
room-too-long-shown = Зрители видят её прежней.
room-no-undo = Это нельзя отменить
room-changed-since = С тех пор это изменил кто-то другой.
room-replaced = Показана другая партия
room-replaced-undo = Отмена вернёт вашу.
room-take-and-undo = Заберите управление и отмените, чтобы вернуть свою.
room-ended = Она закончилась вместе с сеансом: откройте для зрителей новую.

## The analysis of a game

judgement-inaccuracy = неточность
judgement-mistake = ошибка
judgement-blunder = зевок

## The times for moves

moves-number = ход { $number }

## Comment on a move, and its rating

# The move is ...
rating-brilliant = блестящий ход
rating-good = хороший ход
rating-interesting = интересный ход
rating-dubious = сомнительный ход
rating-mistake = ошибка
rating-blunder = зевок

## Sign in

sign-in-hint = Попросите токен у администратора. Он хранится только в этой вкладке.
# What one signs in with: a word like “rk_…”.
sign-in-token = Токен

## Promotion

# A window with the names of four pieces.
promote-to = Превратить пешку
promote-queen = ферзь
promote-knight = конь
promote-rook = ладья
promote-bishop = слон

## What the server or the browser cannot do

try-again-later = Попробуйте позже.
pieces-not-loaded = Не удалось загрузить фигуры
too-many-requests = Слишком много запросов сразу
too-many-requests-hint = Попробуйте ещё раз чуть позже.
# Follows a title and a colon, so it begins with a small letter.
no-game-found = партия не найдена
shared-gone = Такой партии нет или больше нет
shared-gone-hint = Ссылка отозвана или скопирована не целиком.
shared-not-now = Сейчас поделиться партией через сервер нельзя

## Analyses of the server

# The name of a game without players.
jobs-untitled = Партия без названия
# { $title } is that of the first game of a file, like “Carlsen – Anand”.
jobs-and-more = { $title } и ещё { $count }

## Files and games that are opened

new-game = Новая партия
new-game-hint = «Отменить» вернёт прежнюю партию.
# { $coding } is the name of an encoding of letters, like “Windows-1251”.
file-read-as = Прочитано в кодировке { $coding }
# “Open” is the button with this name.
file-read-as-hint = Если буквы неверные, выберите другую кодировку: кнопка «Открыть».
game-in-progress = Идёт партия
game-in-progress-hint = Сначала закончите её.
game-of-room = Это партия комнаты
game-of-room-hint = Чтобы открыть свою партию, выйдите из комнаты.
served-not-opened = Не удалось открыть партию
served-no-answer = Сервер сейчас не отвечает.

## What the page says on its engines and moves

typed-not-your-turn = сейчас не ваш ход
typed-not-legal = «{ $typed }» — невозможный ход: пишите Nf3, exd5, O-O, e8=Q или e2e4
# A threat of the other side.
no-threat = Здесь угрозу показать нельзя
no-threat-in-check = Король под шахом.
no-mistakes = Нет ошибок, к которым можно перейти
# “Analyse the game” is a button, and g its key.
no-mistakes-hint = Их находит «Анализировать партию» (g).
engine-gone = { $engine } больше недоступен
engine-instead = Теперь работает { $engine }.
# An option of an engine that is a button, like “Clear Hash”.
option-pressed = { $option }: готово

## Problems with the server and with engines

notice-no-answer = Связь потеряна
notice-no-answer-hint = { notice-keeps-trying }
notice-keeps-trying = Страница сама продолжает попытки.
notice-too-slow = Связь была слишком медленной
notice-too-slow-hint = { try-again }
notice-draining = Сервер выключается
notice-draining-hint = Страница сама подключится снова.
notice-draining-text = сервер выключается
notice-room-closed = Комната закрыта
notice-room-closed-text = смотреть больше нечего
notice-unreachable = Сервер недоступен
notice-unreachable-hint = { notice-keeps-trying }
notice-unreachable-text = не удалось открыть соединение
notice-refused = Сервер не дал доске подключиться
notice-refused-hint = { notice-keeps-trying }
notice-refused-text = он ответил, но не сказал почему
notice-input = Открыть не удалось
notice-unknown = Сообщение сервера

## How a FEN or a PGN was changed

fen-chess960 = Читается как Chess960: права на рокировку не такие, как в обычных шахматах.
# { $rights } are letters like “KQ”.
fen-castling = Рокировка { $rights } не учтена: король и ладья стоят не на своих местах.
fen-castling-in-chess = Рокировка { $rights } не учтена: для обычных шахмат король и ладья стоят не на своих местах. Если это Chess960, выберите его кнопкой «Позиция».
fen-chess960-castling = Читается как Chess960: права на рокировку не такие, как в обычных шахматах. Рокировка { $rights } не учтена: король и ладья стоят не на своих местах.
import-corrected = Позиция немного отличается от записанной
import-cut = Часть партии показать нельзя
import-left-out = «{ $move }» — невозможный ход: пропущен с остатком варианта.

## Positions in words, for screen readers

# { $squares } is like “e1” or “a2 b2”.
words-pieces = { $role ->
    [king] { $count ->
        [one] король { $squares }
       *[other] короли { $squares }
    }
    [queen] { $count ->
        [one] ферзь { $squares }
       *[other] ферзи { $squares }
    }
    [rook] { $count ->
        [one] ладья { $squares }
       *[other] ладьи { $squares }
    }
    [bishop] { $count ->
        [one] слон { $squares }
       *[other] слоны { $squares }
    }
    [knight] { $count ->
        [one] конь { $squares }
       *[other] кони { $squares }
    }
   *[pawn] { $count ->
        [one] пешка { $squares }
       *[other] пешки { $squares }
    }
}
# { $white } and { $black } are lists like “king e8, rook e2”.
words-position = { $turn ->
    [white] Белые: { $white }. Чёрные: { $black }. Ход белых.
   *[black] Белые: { $white }. Чёрные: { $black }. Ход чёрных.
}
words-check = { $turn ->
    [white] Белые: { $white }. Чёрные: { $black }. Шах. Ход белых.
   *[black] Белые: { $white }. Чёрные: { $black }. Шах. Ход чёрных.
}
words-mate = { $turn ->
    [white] Белые: { $white }. Чёрные: { $black }. Мат белым.
   *[black] Белые: { $white }. Чёрные: { $black }. Мат чёрным.
}

## An analysis that stops

report-stopped = Анализ партии остановился
report-found-nothing = Движок ничего не нашёл для позиции { $number } из { $total }.
