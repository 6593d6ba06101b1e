# What the page shows first.

try-again = Попробуйте ещё раз.
language-not-loaded = Не удалось загрузить язык
view-not-loaded = Не удалось загрузить эту часть страницы

## The head of the page

header-analyses = Анализы
header-analyses-title = Мои анализы на сервере
header-new = Новая
header-new-title = Начать новую партию
header-play = Играть
header-play-title = Сыграть с движком
header-setup = Позиция
header-setup-title = Расставить позицию
header-live = Вместе
header-live-title = Вместе: общая доска для анализа
header-open = Открыть
header-open-title = Открыть партию или позицию
header-share = Поделиться
header-share-title = Поделиться или сохранить
header-connect = Подключить
header-connect-title = Подключить шахматную программу
header-settings = Настройки
header-settings-title = Настройки
header-keys = Клавиши
header-keys-title = Клавиши
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
engine-analysing-game = анализ партии: { $done } из { $total }
engine-stopped = остановлен
engine-threat = угроза: { $depth }
engine-connection-lost = связь потеряна: подключаемся снова…
engine-connecting = подключение…
engine-not-searching = не считает
engine-searching = считает…
engine-ready = готов
engine-depth = глубина { $depth }
engine-depth-done = глубина { $depth }, готово
engine-depth-saved = глубина { $depth } (сохранено)
engine-depth-saved-searching = глубина { $depth } (сохранено), сейчас { $newer }
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

## Engines beside the first

companion = Движок рядом с первым: { $engine }
companion-engine = Движок { $engine }
companion-stop = Остановить этот движок
companion-start = Запустить этот движок
companion-choose = Выбрать этот движок
companion-lines = Варианты: { $engine }
companion-options = Параметры: { $engine }
companion-remove = Убрать { $engine }
companion-finds-nothing = ничего
companion-disagrees = Движки расходятся: этот предлагает { $mine }, первый — { $theirs }

## The menu of a move

menu-comment = Комментарий…
menu-move-up = Поднять этот вариант выше
menu-promote = Сделать главным вариантом
menu-delete = Удалить с этого хода
menu-delete-others = Удалить все остальные варианты
menu-copy-moves = Скопировать ходы до этого места
menu-find = Найти эту позицию в библиотеке
menu-copy-pgn = Скопировать PGN с этого хода
menu-rate = Оценить ход
copied = Скопировано
copy-not-allowed = Браузер не разрешает странице копировать

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
player-write-white = Указать, кто играет белыми
player-write-black = Указать, кто играет чёрными
player-move-time = Время на { $move }

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
moves-checkmate-open = Мат: откройте партию или позицию
moves-stalemate-open = Пат: откройте партию или позицию
moves-make-or-open = Сделайте ход на доске, откройте партию или позицию
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

## A storage that is full

storage-full = Последние изменения не сохранены
storage-full-text = В браузере больше нет места для данных этой страницы.
storage-full-hint = Скачайте партию, прежде чем закрыть страницу.
storage-download = Скачать партию

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
room-no-control = Управляете не вы
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
room-is-closed = Комната закрыта
room-ended = Она закончилась вместе с сеансом: откройте для зрителей новую.

## The analysis of a game

report = Анализ партии
report-stop = Остановить
report-disputes = { $count ->
    [0] { $engine } оценивает все ходы так же.
    [one] { $engine } иначе оценивает { $count } ход.
    [few] { $engine } иначе оценивает { $count } хода.
    [many] { $engine } иначе оценивает { $count } ходов.
   *[other] { $engine } иначе оценивает { $count } хода.
}
report-show-it = Показать
report-next = Следующий
report-judged = { $judged ->
    [one] Оценён { $judged } ход из { $moves }.
    [few] Оценены { $judged } хода из { $moves }.
    [many] Оценены { $judged } ходов из { $moves }.
   *[other] Оценены { $judged } хода из { $moves }.
}
report-scores-only = Оценки есть в { $scored } из { $positions } позиций; ошибки не отмечены.
report-time-per-move = Время на ход
report-seconds = { $seconds } с/ход
report-where = Где анализировать
report-on-server = на сервере
report-in-tab = в этой вкладке
report-games = Партии для анализа
report-this-game = эта партия
report-all-games = все партии ({ $count })
report-analyse = Анализировать партию
report-analyse-games = Анализировать партии
report-again = Анализировать заново
report-accuracy = точность { $percent } %
report-inaccuracies = { $count } { $count ->
    [one] неточность
    [few] неточности
    [many] неточностей
   *[other] неточности
}
report-mistakes = { $count } { $count ->
    [one] ошибка
    [few] ошибки
    [many] ошибок
   *[other] ошибки
}
report-blunders = { $count } { $count ->
    [one] зевок
    [few] зевка
    [many] зевков
   *[other] зевка
}
report-practise = Отработать
report-next-inaccuracy-white = Следующая неточность белых
report-next-mistake-white = Следующая ошибка белых
report-next-blunder-white = Следующий зевок белых
report-learn-white = Учиться на ошибках белых
report-next-inaccuracy-black = Следующая неточность чёрных
report-next-mistake-black = Следующая ошибка чёрных
report-next-blunder-black = Следующий зевок чёрных
report-learn-black = Учиться на ошибках чёрных
report-graph = Шансы по ходу партии; переходить к ходам удобнее по их списку
report-start = начало
judgement-inaccuracy = неточность
judgement-mistake = ошибка
judgement-blunder = зевок

## The times for moves

times-trouble-label = цейтнот: осталось меньше { $limit }
times-summary = Время на каждый ход. Всего: { $white }; { $black }. Цейтнот — меньше { $limit } на часах.
times-white = белые { $time }
times-black = чёрные { $time }
times-white-trouble = белые { $time }, в цейтноте с { $move }-го хода
times-black-trouble = чёрные { $time }, в цейтноте с { $move }-го хода
moves-number = ход { $number }

## Comment on a move, and its rating

# { $move } is like “3... Nf6”.
comment-on-move = Комментарий к { $move }
comment-on-game = Комментарий к партии
comment-name = Комментарий
comment-write = Напишите комментарий
comment-save = Сохранить
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
embed-no-address = По этому адресу нет партии
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
shared-gone = Такой партии нет или уже нет
shared-gone-hint = Возможно, владелец отозвал ссылку или она скопирована не целиком.
shared-too-large = Партия слишком велика, чтобы ею поделиться
shared-too-large-hint = Удалите часть вариантов или комментариев.
shared-impossible = Сервер не может поделиться этой партией
shared-not-now = Сейчас сервер не может поделиться партией

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
jobs-impossible-hint = Исправьте то, что он назвал, или анализируйте партию в этой вкладке.
jobs-not-now = Сервер сейчас не может анализировать
jobs-not-now-hint = Попробуйте позже или анализируйте партию в этой вкладке.
jobs-refused = Сервер отказал
jobs-refused-hint = Попробуйте позже или обратитесь к администратору.
