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
shared-text = Её можно смотреть. Чтобы изменить её, сделайте копию: оригинал останется прежним.
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

sign-in-hint = Для этого сервера нужен токен; попросите его у администратора. Он хранится только в этой вкладке.
# What one signs in with: a word like “rk_…”.
sign-in-token = Токен

## A shared game in a frame of another page

embed-title = Rookery: партия по ссылке
embed-fetching = Загружаем партию…
embed-open = Открыть на { $server }
# The name of the row of buttons, for screen readers.
embed-steps = По ходам
embed-no-address = В адресе не указана партия
embed-no-address-text = Адрес должен заканчиваться на # и идентификатор партии, например /embed#AbCdEf. Полный адрес можно скопировать на сервере в окне «Поделиться».

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
too-many-requests-hint = Подождите немного и попробуйте ещё раз.
# Follows a title and a colon, so it begins with a small letter.
no-game-found = партия не найдена
shared-gone = Такой партии нет или больше нет
shared-gone-hint = Возможно, владелец отозвал ссылку или она скопирована не целиком.
shared-too-large = Партия слишком велика, чтобы ею поделиться
shared-too-large-hint = Удалите часть вариантов или комментариев.
shared-impossible = Поделиться этой партией через сервер нельзя
shared-not-now = Сейчас поделиться партией через сервер нельзя

## Analyses of the server

# The name of a game without players.
jobs-untitled = Партия без названия
# { $title } is that of the first game of a file, like “Carlsen – Anand”.
jobs-and-more = { $title } и ещё { $count }
jobs-gone = На сервере этого анализа больше нет
jobs-gone-hint = Результаты хранятся ограниченное время. Проанализируйте партию заново.
jobs-changed = Сейчас это невозможно
jobs-changed-hint = Анализ тем временем изменился: посмотрите на него ещё раз.
jobs-full = Больше анализов сервер для вас не хранит
jobs-full-hint = Удалите ненужный и попробуйте ещё раз.
# The server says what is wrong, in a sentence between these two.
jobs-impossible = Сервер не может это проанализировать
jobs-impossible-hint = Исправьте то, что указал сервер, или анализируйте партию в этой вкладке.
jobs-not-now = Сервер сейчас не может анализировать
jobs-not-now-hint = Попробуйте позже или анализируйте партию в этой вкладке.
jobs-refused = Сервер ответил отказом
jobs-refused-hint = Попробуйте позже или обратитесь к администратору.

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
file-empty = Файл «{ $name }» пуст: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)
file-blank = В файле «{ $name }» одни пробелы: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)
file-picture = «{ $name }» — картинка: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)
file-sound = «{ $name }» — звук или видео: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)
file-pdf = «{ $name }» — документ PDF: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)
file-office = «{ $name }» — офисный документ: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)
file-web-page = «{ $name }» — веб-страница: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)
file-zip = «{ $name }» — архив ZIP: сначала распакуйте его, затем откройте файл с партиями
file-compressed = «{ $name }» — сжатый файл: сначала распакуйте его, затем откройте файл с партиями
file-database = «{ $name }» — база шахматной программы: выгрузите в ней партии в PGN и откройте его
file-binary = «{ $name }» — не текст: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)
file-folder = «{ $name }» — папка или не читается: выберите текстовый файл с партиями (PGN) или позициями (FEN, EPD)

## What the page says on its engines and moves

typed-not-your-turn = сейчас не ваш ход
typed-not-legal = «{ $typed }» — невозможный ход: пишите ходы вроде Nf3, exd5, O-O, e8=Q или e2e4
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
# Behind the name of the field.
sign-in-no-token = токен начинается с rk_ и не содержит пробелов

## Problems with the server and with engines

# A title, what to do (-hint), and a sentence (-text) where the server has sent none.
notice-unauthorized = { sign-in }
notice-unauthorized-hint = Попросите токен у администратора этого сервера.
notice-too-many-tries = Слишком много неверных токенов
notice-too-many-tries-hint = Подождите указанное время и попробуйте ещё раз.
notice-token-in-url = В адресе есть токен
notice-token-in-url-hint = Попросите его отозвать: его могли увидеть.
notice-wrong-host = Неверное имя сервера
notice-wrong-host-hint = Откройте страницу под собственным именем сервера.
notice-wrong-origin = Этой странице нельзя пользоваться сервером
notice-wrong-origin-hint = Откройте страницу с самого сервера.
notice-wrong-protocol = Этот порт — для UCI по TCP
notice-wrong-protocol-hint = Используйте другой порт.
notice-no-answer = Связь потеряна
notice-no-answer-hint = { notice-keeps-trying }
notice-keeps-trying = Страница сама продолжает попытки.
notice-too-slow = Связь была слишком медленной
notice-too-slow-hint = { try-again }
notice-unknown-engine = Такого движка нет
notice-unknown-engine-hint = { notice-choose-engine }
notice-choose-engine = Выберите другой движок.
notice-engine-failed = Движок не запускается
notice-engine-failed-hint = Выберите другой движок или обратитесь к администратору.
notice-engine-failed-text = движок завершил работу
notice-engine-away = Компьютер движка не в сети
notice-engine-away-hint = Ждём его; можно выбрать другой движок.
notice-no-engine = Не удалось запустить движок
notice-no-engine-hint = Пробуем другой.
notice-engine-died = Движок аварийно завершился, запускаем новый
notice-line-too-long = Партия слишком длинна для отправки
notice-line-too-long-hint = { notice-later-position }
notice-later-position = Продолжите с более поздней позиции.
notice-line-too-long-text = в строке не больше 65536 байт
notice-not-a-line = Сервер не смог прочитать сообщение
notice-unknown-command = Неизвестная команда
notice-bad-command = Сервер не смог выполнить эту команду
notice-command-refused = Эта команда здесь недоступна
notice-file-refused = Файлы сервера недоступны
notice-unknown-option = У движка нет такого параметра
notice-option-refused = Этот параметр здесь нельзя изменить
notice-bad-value = Недопустимое значение параметра
notice-bad-value-hint = Осталось прежнее значение.
notice-option-clamped = Значение параметра уменьшено
notice-illegal-position = Сервер не принял эту позицию
notice-illegal-position-hint = Измените позицию.
notice-position-mended = Позиция исправлена
notice-position-too-long = В партии слишком много ходов
notice-position-too-long-hint = { notice-later-position }
notice-position-lost = Движок потерял позицию
notice-position-lost-hint = Задайте её снова.
notice-too-many-lines = { too-many-requests }
notice-too-many-lines-hint = { notice-wait-a-moment }
notice-wait-a-moment = Подождите немного.
notice-gap = Часть сообщений потеряна
notice-gap-hint = Движок начинает считать заново.
notice-unknown-session = Связь восстановлена
notice-unknown-session-text = На доске ничего не потеряно; движок начинает заново.
notice-ended = Администратор завершил сеанс
notice-ended-hint = Обратитесь к администратору или подключитесь снова.
notice-ended-text = он завершён администратором или по ограничению
notice-draining = Сервер выключается
notice-draining-hint = Страница сама подключится снова.
notice-draining-text = сервер выключается
notice-unknown-room = Такой комнаты нет
notice-unknown-room-hint = Попросите ссылку ещё раз.
notice-unknown-room-text = Возможно, её закрыли.
notice-room-full = Слишком много зрителей
notice-room-full-hint = { try-again-later }
notice-room-closed = Комната закрыта
notice-room-closed-text = смотреть больше нечего
notice-room-removed = Владелец удалил вас из комнаты
notice-room-too-slow = Отключено: страница отстала
notice-room-too-slow-hint = Войдите в комнату снова.
notice-room-read-only = Зрители не могут менять анализ
notice-room-handed-over = Теперь управляет другой
notice-room-refused = Сейчас в этой комнате это невозможно
notice-jobs-off = Этот сервер сам партии не анализирует
notice-jobs-off-hint = { notice-ask-operator }
notice-ask-operator = Обратитесь к администратору.
notice-quota-jobs = Больше анализов сохранить нельзя
notice-quota-jobs-hint = Удалите ненужный.
notice-quota-stored = Больше партий сохранить нельзя
notice-quota-stored-hint = Удалите ненужный анализ.
notice-games-off = На этом сервере нельзя делиться партиями
notice-games-off-hint = Обратитесь к администратору.
notice-quota-games = Больше ссылок на партии создать нельзя
notice-quota-games-hint = Отзовите ненужную ссылку.
notice-library-off = Этот сервер не хранит файлы
notice-library-off-hint = Они остаются в этом браузере.
notice-quota-library = На сервере больше нет места для ваших файлов
notice-quota-library-hint = Удалите там ненужный файл.
notice-quota-rooms = Больше комнат открыть нельзя
notice-quota-rooms-hint = Сначала закройте одну.
notice-cached = Позиция уже известна
notice-waiting = Ждём свободного движка
notice-no-search = Ни один движок не считал эту позицию
notice-no-search-hint = { try-again-later }
notice-queue-full = Свободных движков нет, очередь заполнена
notice-queue-full-hint = { try-again-later }
notice-quota-sessions = У вас открыто слишком много досок
notice-quota-sessions-hint = Сначала закройте другую доску или программу.
notice-quota-cpu = Лимит времени движка на этот час исчерпан
notice-quota-cpu-hint = В сообщении сказано, когда повторить.
notice-quota-lines = Сообщения отправляются слишком быстро
notice-quota-lines-hint = Ничего не потеряно.
notice-quota-search = Время счёта истекло
notice-quota-search-hint = Если нужно, запустите движок снова.
notice-quota-idle = Отключено из-за бездействия
notice-quota-idle-hint = Запустите движок, чтобы подключиться снова.
notice-quota-idle-text = какое-то время не было запросов
notice-too-many-connections = У сервера слишком много подключений
notice-too-many-connections-hint = Закройте другие доски или попробуйте позже.
notice-too-many-starts = Движки запускали слишком часто
notice-too-many-starts-hint = { notice-wait-a-moment }
notice-taken-over = Анализ продолжается в другом окне
notice-taken-over-hint = Подключитесь снова, чтобы начать здесь.
notice-taken-over-text = его продолжает другая страница
notice-unreachable = Сервер недоступен
notice-unreachable-hint = { notice-keeps-trying }
notice-unreachable-text = не удалось открыть соединение
notice-refused = Сервер не дал доске подключиться
notice-refused-hint = { notice-keeps-trying }
notice-refused-text = он ответил, но не сказал почему
notice-input = Открыть не удалось
notice-unknown = Сообщение сервера

## What is wrong with a FEN, a PGN or a link

# The letters w, b, K, Q, R, B and N, the tags and the words in “ ” are those of FEN, PGN and UCI.
fen-no-placement = неверный FEN: нужна хотя бы расстановка фигур
fen-unreadable = неверный FEN: { $fen }
fen-side = очередь хода — w или b, а не «{ $side }»
fen-ranks = неверный FEN: на доске должно быть 8 горизонталей через «/», а не { $count }
fen-rank = неверный FEN: в горизонтали { $rank } должны быть фигуры и цифры, а не «{ $said }»
fen-rank-squares = неверный FEN: в горизонтали { $rank } должно быть 8 полей, а не { $count }
fen-kings = { $color ->
    [white] у белых должен быть один король, а не { $count }
   *[black] у чёрных должен быть один король, а не { $count }
}
fen-men = { $color ->
    [white] фигур у белых { $count }, а может быть не больше { $most }
   *[black] фигур у чёрных { $count }, а может быть не больше { $most }
}
fen-pawns = на первой и последней горизонталях пешек быть не может
# { $fault } is a word of a program.
position-not-legal = позиция недопустима: { $fault }
position-in-check = { $color ->
    [white] позиция недопустима: белые под шахом, а ход чёрных
   *[black] позиция недопустима: чёрные под шахом, а ход белых
}
fen-chess960 = Читается как Chess960: права на рокировку не такие, как в обычных шахматах.
# { $rights } are letters like “KQ”.
fen-castling = Рокировка { $rights } не учтена: король и ладья стоят не на своих местах.
fen-castling-in-chess = Рокировка { $rights } не учтена: для обычных шахмат король и ладья стоят не на своих местах. Если это Chess960, выберите его кнопкой «Позиция».
fen-chess960-castling = Читается как Chess960: права на рокировку не такие, как в обычных шахматах. Рокировка { $rights } не учтена: король и ладья стоят не на своих местах.
import-position = после «position» идёт «startpos» или «fen ...», а не «{ $said }»
import-variant = разновидность шахмат «{ $variant }» пока не поддерживается
import-address = это адрес веб-страницы: скопируйте с неё PGN или FEN
import-setup = в партии есть тег SetUp, но нет тега FEN
import-number = партия начинается с { $number }-го хода, но тега FEN нет
import-too-long = текст слишком длинный: символов { $length }, предел — { $limit }
import-nothing = не найдено ни партии, ни позиции: вставьте PGN, FEN, ходы (e4 e5 или e2e4 e7e5) или адрес позиции
import-letters = «{ $move }» — невозможный ход: обозначайте фигуры буквами K, Q, R, B и N
import-first-move = «{ $move }» — невозможный ход в первой позиции: нет её FEN
import-corrected = Позиция немного отличается от записанной
import-illegal = есть невозможный ход «{ $move }»: показаны только ходы до него
import-illegal-in-link = в ссылке есть невозможный ход «{ $move }»: показаны только ходы до него
import-cut = Часть партии показать нельзя
import-left-out = «{ $move }» — невозможный ход: он пропущен вместе с остатком варианта.

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
# The pieces that one side has and the other has not, as in “2 pawns and a knight more”.
words-extra-pieces = { $role ->
    [queen] { $count ->
        [one] ферзя
        [few] { $count } ферзей
       *[other] { $count } ферзей
    }
    [rook] { $count ->
        [one] ладью
        [few] { $count } ладьи
       *[other] { $count } ладей
    }
    [bishop] { $count ->
        [one] слона
        [few] { $count } слонов
       *[other] { $count } слонов
    }
    [knight] { $count ->
        [one] коня
        [few] { $count } коней
       *[other] { $count } коней
    }
   *[pawn] { $count ->
        [one] пешку
        [few] { $count } пешки
       *[other] { $count } пешек
    }
}
words-extra = больше на { $pieces }
# { $lead } is in points.
words-extra-ahead = { $lead ->
    [one] больше на { $pieces }, перевес { $lead } очко
    [few] больше на { $pieces }, перевес { $lead } очка
    [many] больше на { $pieces }, перевес { $lead } очков
   *[other] больше на { $pieces }, перевес { $lead } очка
}

## What the signs beside moves mean

# Words in the place of a sign, beside a move.
sign-only = единств.
sign-zugzwang = цугцванг
sign-better = лучше
sign-worse = хуже
sign-equivalent = равноценно
glyph-good-move = хороший ход
glyph-mistake = ошибка
glyph-brilliant-move = блестящий ход
glyph-blunder = зевок
glyph-interesting-move = интересный ход
glyph-dubious-move = сомнительный ход
glyph-forced-move = вынужденный ход
glyph-only-move = единственный ход
glyph-worst-move = худший ход
glyph-equal = равная позиция
glyph-equal-quiet = равная, спокойная позиция
glyph-equal-active = равная, активная позиция
glyph-unclear = неясная позиция
glyph-idea = с идеей
glyph-against-idea = против идеи
glyph-better-is = лучше
glyph-worse-is = хуже
glyph-equivalent-is = равноценно
glyph-remark-of-editor = примечание редактора
glyph-novelty = новинка
glyph-slightly-better = { $color ->
    [white] у белых чуть лучше
   *[black] у чёрных чуть лучше
}
glyph-side-better = { $color ->
    [white] у белых лучше
   *[black] у чёрных лучше
}
glyph-winning = { $color ->
    [white] у белых выиграно
   *[black] у чёрных выиграно
}
glyph-wins-easily = { $color ->
    [white] белые легко выигрывают
   *[black] чёрные легко выигрывают
}
glyph-zugzwang = { $color ->
    [white] белые в цугцванге
   *[black] чёрные в цугцванге
}
glyph-little-ahead-development = { $color ->
    [white] у белых небольшой перевес в развитии
   *[black] у чёрных небольшой перевес в развитии
}
glyph-far-ahead-development = { $color ->
    [white] у белых большой перевес в развитии
   *[black] у чёрных большой перевес в развитии
}
glyph-initiative = { $color ->
    [white] у белых инициатива
   *[black] у чёрных инициатива
}
glyph-lasting-initiative = { $color ->
    [white] у белых прочная инициатива
   *[black] у чёрных прочная инициатива
}
glyph-attacks = { $color ->
    [white] у белых атака
   *[black] у чёрных атака
}
glyph-too-little-material = { $color ->
    [white] у белых недостаточная компенсация за материал
   *[black] у чёрных недостаточная компенсация за материал
}
glyph-enough-material = { $color ->
    [white] у белых достаточная компенсация за материал
   *[black] у чёрных достаточная компенсация за материал
}
glyph-more-than-enough-material = { $color ->
    [white] у белых более чем достаточная компенсация за материал
   *[black] у чёрных более чем достаточная компенсация за материал
}
glyph-some-counterplay = { $color ->
    [white] у белых есть контригра
   *[black] у чёрных есть контригра
}
glyph-decisive-counterplay = { $color ->
    [white] у белых решающая контригра
   *[black] у чёрных решающая контригра
}
glyph-short-of-time = { $color ->
    [white] у белых мало времени
   *[black] у чёрных мало времени
}
glyph-severe-time-trouble = { $color ->
    [white] белые в сильном цейтноте
   *[black] чёрные в сильном цейтноте
}

## What a mistake has missed

# { $line } is like “Ra7 Kg8 Rb8#”.
missed-mate = { $moves ->
    [1] Был мат: { $line }.
    [one] Был мат в { $moves } ход: { $line }.
    [few] Был мат в { $moves } хода: { $line }.
    [many] Был мат в { $moves } ходов: { $line }.
   *[other] Был мат в { $moves } хода: { $line }.
}
missed-hanging = { $role ->
    [queen] Ферзь был без защиты: { $move }.
    [rook] Ладья была без защиты: { $move }.
    [bishop] Слон был без защиты: { $move }.
   *[knight] Конь был без защиты: { $move }.
}
# The two pieces that one move attacks.
missed-fork = { $pair ->
    [king-queen] { $move } — вилка на короля и ферзя: { $line }.
    [king-rook] { $move } — вилка на короля и ладью: { $line }.
    [king-bishop] { $move } — вилка на короля и слона: { $line }.
    [king-knight] { $move } — вилка на короля и коня: { $line }.
    [queen-queen] { $move } — вилка на двух ферзей: { $line }.
    [queen-rook] { $move } — вилка на ферзя и ладью: { $line }.
    [queen-bishop] { $move } — вилка на ферзя и слона: { $line }.
    [queen-knight] { $move } — вилка на ферзя и коня: { $line }.
    [rook-rook] { $move } — вилка на две ладьи: { $line }.
    [rook-bishop] { $move } — вилка на ладью и слона: { $line }.
    [rook-knight] { $move } — вилка на ладью и коня: { $line }.
    [bishop-bishop] { $move } — вилка на двух слонов: { $line }.
    [bishop-knight] { $move } — вилка на слона и коня: { $line }.
   *[knight-knight] { $move } — вилка на двух коней: { $line }.
}
# { $gained } and { $given } are lists of the two texts that follow: “a rook and 2 pawns”.
missed-win = { $move } выигрывает { $gained }: { $line }.
missed-win-for = { $move } выигрывает { $gained } за { $given }: { $line }.
missed-gained = { $role ->
    [queen] { $count ->
        [one] ферзя
        [few] { $count } ферзей
       *[other] { $count } ферзей
    }
    [rook] { $count ->
        [one] ладью
        [few] { $count } ладьи
       *[other] { $count } ладей
    }
    [bishop] { $count ->
        [one] слона
        [few] { $count } слонов
       *[other] { $count } слонов
    }
    [knight] { $count ->
        [one] коня
        [few] { $count } коней
       *[other] { $count } коней
    }
   *[pawn] { $count ->
        [one] пешку
        [few] { $count } пешки
       *[other] { $count } пешек
    }
}
missed-given = { missed-gained }

## An analysis that stops

report-stopped = Анализ партии остановился
report-found-nothing = Движок ничего не нашёл для позиции { $number } из { $total }.
