# One thread of the search.

from rookery_engine.core.position cimport BY_ANY, Position, captured_type
from rookery_engine.core.types cimport MAX_MOVES, MAX_PLY, WIN_BOUND, from_square, i16, i64, to_square, u16, u64
from rookery_engine.nnue.accumulator cimport Accumulators, catch_up, evaluate_ply, record_move, reset_accumulators
from rookery_engine.search.forced_scores cimport ForcedScores
from rookery_engine.search.history cimport CORRECTIONS, History, column, quiet_score
from rookery_engine.search.transposition cimport Found, Table, probe
from rookery_engine.search.weakness cimport Weakness, misjudgement
from rookery_engine.syzygy.table_files cimport Tablebases

cdef enum:
    BEFORE = 6                  # frames before the root's, so that looking back needs no test
    MAX_GAME = 1024             # keys of the game before the root
    CHECK_EVERY = 1024          # nodes between checks of the clock
    MAX_TRIED = 64              # moves per node that count for the histories
    EVALUATIONS = 16384         # remembered; a power of two, up to 1 << 16
    FIFTY_MOVES = 100           # plies
    RULE50_TABLE = 90           # plies; from then on a stored score may be a draw

# The tablebases that the search may probe.
ctypedef struct Probing:
    Tablebases* tables
    int men                     # positions of more are not probed; 0: none are
    int depth                   # nor, of just as many, those with less depth left
    bint rule50                 # wins that the fifty-move rule takes away are draws

# Signals to the threads of a search, which share them; written while they run.
ctypedef struct Signals:
    bint stop                   # all threads read this at every node
    bint busy                   # the first thread has not written its best move
    bint show_lines             # the threads record their lines now and then
    u64 threads
    i64 deadline                # ns of the monotonic clock
    u64 max_nodes               # of all threads together
    Probing probing             # written before they start; `men` is 0 if they need none

# Callbacks of the first thread during a search, without the GIL.
ctypedef struct Watch:
    void* owner
    void (*tick)(void* owner) noexcept nogil
    void (*current)(void* owner, int depth, int index) noexcept nogil
    i64 next_tick               # ns of the monotonic clock
    i64 next_current
    bint telling                # from the first tick on, root moves are reported too

# The state of each ply on the way from the root.
ctypedef struct Frame:
    u16 move                    # made here; NO_MOVE is a null move
    int row                     # of `History.continuation`, that of this move
    i16* continuation           # the row itself
    u64[4] threats              # squares that the enemy attacks, once moves are searched: BY_PAWN ...
    int evaluation              # NO_SCORE in check
    u16[2] killers
    u16 excluded                # left out in a search for a singular extension
    int reduction               # plies by which the move made here is reduced
    int cutoffs                 # refutations among this ply's nodes since its parent was entered
    int doubles                 # double extensions in the line to here
    int number                  # of the move made here; the first is 1

ctypedef struct RootMove:
    u16 move
    int score                   # -INFINITE: not searched, or no better than others
    int bound                   # of the move's value by `score`: EXACT, LOWER or UPPER
    int preference              # is in `score`; 0 at full strength, see weakness.py
    int previous                # the last score before, of this iteration or the one before
    int previous_bound
    int ceiling                 # upper bound of this iteration; INFINITE: none
    int seldepth
    u64 nodes
    int length
    u16[MAX_PLY + 2] pv
    int rank                    # by tablebases; all the same if the root is in none
    int table_score             # likewise

cdef struct Thread:
    Accumulators sums           # of the network; first, so that it is aligned
    Table* table
    ForcedScores* forced_scores
    Signals* signals
    Watch* watch                # of the first thread; NULL in its helpers
    Thread* next                # in the pool
    bint settled                # a first iteration is finished, or is another thread's: it may stop
    bint stopped                # the search is over, and its return values mean nothing
    u64 nodes
    u64 tbhits                  # positions found in tablebases
    int countdown               # nodes until the next check of the clock
    int seldepth
    int window                  # beta - alpha at the root
    int null_from               # first ply where a null move is allowed
    int lines                   # of multipv
    Weakness weakness           # what is not seen; nothing at full strength
    Position[MAX_PLY + 2] positions
    Frame[MAX_PLY + 2 + BEFORE] frames
    u64[MAX_GAME + MAX_PLY + 2] keys
    int root_key                # index in `keys` of the root's
    u16[MAX_PLY + 2][MAX_PLY + 2] pv
    int[MAX_PLY + 2] pv_length
    RootMove[MAX_MOVES] roots
    int root_count
    bint partial                # other moves of the root are not searched: it has no score
    int ranked                  # the kind of table that ranked the roots; see tablebase_search.pxd
    int root_first              # those before are other variations of multipv
    u16[MAX_PLY + 2] recorded   # the line it was in lately, if `show_lines`
    int recorded_length
    History history
    u64[EVALUATIONS] evaluations    # by the network, lately: the key's upper 48 bits, and the score
    u64 network                 # whose evaluations these are

cdef void visit(Thread* thread, int ply, u16 move) noexcept nogil
cdef void set_root_position(Thread* thread, Position* pos) noexcept nogil
cdef void check_limits(Thread* thread, int ply) noexcept nogil
cdef void record_line(Thread* thread, int ply) noexcept nogil
cdef void report_current_move(Thread* thread, int depth, int index) noexcept nogil
cdef u64 all_nodes(Thread* first) noexcept nogil
cdef u64 all_tbhits(Thread* first) noexcept nogil
cdef bint is_draw(Thread* thread, int ply) noexcept nogil
cdef bint is_repeated(Thread* thread, int ply) noexcept nogil
cdef bint has_moves(Position* pos) noexcept nogil
cdef void update_pv(Thread* thread, int ply, u16 move) noexcept nogil

# The place of the last two moves in `History.moves`; others may share it.
cdef inline int last_moves(Frame* frame) noexcept nogil:
    return (frame[-1].row * 57 + frame[-2].row * 1021) & (CORRECTIONS - 1)

# The history score of a quiet move: by itself, as a reply to the opponent's last move, and
# as a follow-up to our own earlier moves.
cdef inline int quiet_history(
    History* history, Frame* frame, Position* pos, u16 move
) noexcept nogil:
    cdef int here = column(pos, move)
    cdef int sum = quiet_score(history, pos.side, frame.threats[BY_ANY], move)[0]
    sum += frame[-1].continuation[here] + frame[-2].continuation[here] + frame[-4].continuation[here] // 2
    return sum

# Where the evaluation of a position is remembered, or will be.
cdef inline u64* evaluation_slot(Thread* thread, u64 key) noexcept nogil:
    return &thread.evaluations[key & (EVALUATIONS - 1)]

cdef inline bint is_evaluation_of(u64 slot, u64 key) noexcept nogil:
    return (slot ^ key) >> 16 == 0

# The history score of a move that is quiet or not.
cdef inline int move_history(
    History* history, Frame* frame, Position* pos, u16 move, bint quiet
) noexcept nogil:
    if quiet:
        return quiet_history(history, frame, pos, move)
    return history.capture[pos.board[from_square(move)]][to_square(move)][captured_type(pos, move)]

# Probe the table for a position.  Its memory has been prefetched since the move was picked;
# meanwhile the network's sums are computed, unless the evaluation is remembered.
cdef inline void probe_transposition(Thread* thread, int ply, Found* found) noexcept nogil:
    cdef Position* pos = &thread.positions[ply]
    if not pos.checkers and not is_evaluation_of(evaluation_slot(thread, pos.key)[0], pos.key):
        catch_up(&thread.sums, thread.positions, ply)
    probe(thread.table, pos.key, ply, found)

# The static evaluation, with the errors of a weaker player.  The network's part is remembered: many
# positions come again, and those that end at once are not in the table.
cdef inline int static_evaluation(Thread* thread, int ply) noexcept nogil:
    cdef u64 key = thread.positions[ply].key
    cdef u64* slot = evaluation_slot(thread, key)
    cdef int score = <i16>(slot[0] & 0xFFFF)
    if not is_evaluation_of(slot[0], key):
        score = evaluate_ply(&thread.sums, thread.positions, ply)
        slot[0] = (key >> 16 << 16) | (score & 0xFFFF)
    if thread.weakness.limited:
        score += misjudgement(&thread.weakness, &thread.positions[ply])
        score = min(max(score, 1 - WIN_BOUND), WIN_BOUND - 1)
    return score
