/**
 * Positions as FEN: the meaning of a text, corrections, and refusals.  Pure.
 *
 * The rule is docs/position.md.  Engine, server and bridge share one module for it, and a test
 * holds this one to the same table, `tests/data/positions.json`.
 */

type Variables = Readonly<Record<string, string | number>>;

/** A text of the catalogue, for people. */
export interface Said {
  readonly id: string;
  readonly variables?: Variables;
}

/** An input that cannot be read; the message is the id of a text, or a text itself. */
export class InputError extends Error {
  constructor(
    id: string,
    readonly variables?: Variables,
  ) {
    super(id);
  }
}

/** Return the result of a function; null if it fails with an `InputError`. */
export function nullIfInvalid<T>(read: () => T): T | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}

/** The fields as they were written, each empty if it is missing. */
interface Fields {
  placement: string;
  side: string;
  castling: string;
  enPassant: string;
  halfmoves: string;
  number: string;
  rest: string;
}

/** A FEN after corrections. */
export interface NormalizedFen {
  /** All fields in their usual form; castling by the rooks' files in Chess960. */
  readonly fen: string;
  readonly chess960: boolean;
  /** The corrections that matter to a player; null if there are none. */
  readonly note: Said | null;
}

export const MOST_MEN = 16; // of a side: with more, some engines have too little memory for moves

const MOST_COUNT = 9999;
const MOST_SHOWN = 60;
const SIDES: Readonly<Record<string, string>> = { "": "w", w: "w", white: "w", b: "b", black: "b" };
const SQUARE = /^[a-h][1-8]$/i;
const COUNT = /^[+-]?[0-9]+(\.[0-9]*)?$/;
const CHECKS = /^([0-9]\+[0-9]|\+[0-9]\+[0-9])$/; // of three-check
const RANK = /^[PNBRQKpnbrqk1-8]+$/;
const FILES = "abcdefgh";
const PIECES_AT_START = "bbknnqrr";

/** Split a FEN into fields: a missing field is recognized by the form of the next one. */
function fieldsOf(text: string): Fields {
  const words = text
    .replace(/^["' \t]+|(?<!["' \t])["' \t]+$/g, "")
    .split(/\s+/)
    .filter(Boolean)
    .map((word) => word.replace(/(?<![;,])[;,]+$/, ""));
  const [placement = "", side = "", ...rest] = words;
  const next = (fits: (word: string) => boolean) =>
    rest[0] !== undefined && fits(rest[0]) ? (rest.shift() ?? "") : "";
  const isCount = (word: string) => COUNT.test(word) || word === "-";
  const castling = next((word) => !SQUARE.test(word) && !COUNT.test(word));
  const enPassant = next((word) => !COUNT.test(word) && !CHECKS.test(word));
  next((word) => CHECKS.test(word));
  const halfmoves = next(isCount);
  const number = next(isCount);
  next((word) => CHECKS.test(word));
  return { placement, side, castling, enPassant, halfmoves, number, rest: rest.join(" ") };
}

/**
 * Read the FEN of a position with the right number of pieces.  Chess960 is chosen only where the
 * text can mean nothing else: it names rooks by their files, or is one of the start positions.
 */
export function readFen(text: string, chess960 = false): NormalizedFen {
  const reading = normalizeFen(text, chess960);
  checkMen(squaresOf(fieldsOf(text).placement));
  return reading;
}

/** Read the FEN of any position, legal or not. */
export function normalizeFen(text: string, chess960 = false): NormalizedFen {
  const said = fieldsOf(text);
  if (!said.placement) {
    throw new InputError("fen-no-placement");
  }
  const board = squaresOf(said.placement);
  const side = sideOf(said);
  const isChess960 = chess960 || mustBeChess960(said.castling, board);
  const castling = castlingOf(said.castling, board, isChess960);
  const fields = [
    placementOf(board),
    side,
    castling,
    enPassantOf(said.enPassant.toLowerCase(), side, board),
    countOf(said.halfmoves, 0),
    Math.max(1, countOf(said.number, 1)),
  ];
  return {
    fen: fields.join(" "),
    chess960: isChess960,
    note: noteOn(said.castling, board, isChess960, isChess960 && !chess960),
  };
}

function sideOf(said: Fields): string {
  const side = SIDES[said.side.toLowerCase()];
  if (side === undefined) {
    throw new InputError("fen-side", { side: shortened(said.side) });
  }
  return side;
}

/** Return whether a line is meant for a FEN: it begins with ranks. */
export function looksLikeFen(line: string): boolean {
  const { placement } = fieldsOf(line);
  return placement.split("/").length > 3 && !/[\r\n]/.test(line.trim());
}

/** Return the pieces on the 64 squares, from a8 to h1; `.` is an empty one. */
function squaresOf(placement: string): string {
  const ranks = placement
    .replace(/(?<!\/)\/+$/, "")
    .replaceAll("~", "")
    .split("/");
  if (ranks.length !== 8) {
    throw new InputError("fen-ranks", { count: ranks.length });
  }
  return ranks
    .map((rank, index) => {
      const number = 8 - index;
      if (!RANK.test(rank)) {
        throw new InputError("fen-rank", { rank: number, said: shortened(rank) });
      }
      const squares = rank.replace(/[1-8]/g, (count) => ".".repeat(Number(count)));
      if (squares.length !== 8)
        throw new InputError("fen-rank-squares", { rank: number, count: squares.length });
      return squares;
    })
    .join("");
}

function placementOf(board: string): string {
  const ranks = board.match(/.{8}/g) ?? [];
  return ranks.map((rank) => rank.replace(/\.+/g, (empty) => String(empty.length))).join("/");
}

function checkMen(board: string): void {
  for (const [color, king, men] of [
    ["white", /K/g, /[A-Z]/g],
    ["black", /k/g, /[a-z]/g],
  ] as const) {
    const kings = board.match(king)?.length ?? 0;
    if (kings !== 1) throw new InputError("fen-kings", { color, count: kings });
    const count = board.match(men)?.length ?? 0;
    if (count > MOST_MEN) {
      throw new InputError("fen-men", { color, count, most: MOST_MEN });
    }
  }
  if (/p/i.test(board.slice(0, 8) + board.slice(-8))) {
    throw new InputError("fen-pawns");
  }
}

/** Return the castling rights for which king and rook are in place, at most one on each wing. */
function castlingOf(text: string, board: string, chess960: boolean): string {
  const rights: string[] = ["", "", "", ""]; // white short and long, black short and long
  for (const letter of text) {
    const name = letter.toLowerCase();
    const isBlack = letter === name;
    const home = isBlack ? board.slice(0, 8) : board.slice(-8);
    const [king, rook] = isBlack ? [home.indexOf("k"), "r"] : [home.indexOf("K"), "R"];
    const file =
      name === "k"
        ? home.lastIndexOf(rook)
        : name === "q"
          ? home.indexOf(rook)
          : FILES.indexOf(name);
    if (king < 0 || file < 0 || home[file] !== rook) continue;
    const isLong = file < king;
    if ((name === "k" && isLong) || (name === "q" && !isLong)) continue;
    if (!chess960 && (king !== 4 || (file !== 0 && file !== 7))) continue;
    const right = chess960 ? FILES.charAt(file) : isLong ? "q" : "k";
    rights[2 * Number(isBlack) + Number(isLong)] ||= isBlack ? right : right.toUpperCase();
  }
  return rights.join("") || "-";
}

/** Return whether the castling rights can only be meant for Chess960: some are none in chess. */
function mustBeChess960(text: string, board: string): boolean {
  const rights = castlingOf(text, board, true);
  if (rights === "-" || rights.length === castlingOf(text, board, false).replace("-", "").length) {
    return false;
  }
  const home = board.slice(0, 8);
  const isStart =
    board.slice(-8) === home.toUpperCase() &&
    [...home].sort().join("") === PIECES_AT_START &&
    /r.*k.*r/.test(home);
  return isStart || /^[a-h]+$/i.test(text);
}

/** Return the en passant square if a pawn can just have passed it. */
function enPassantOf(square: string, side: string, board: string): string {
  const [pawn, rank, way] = side === "w" ? ["p", 6, 8] : ["P", 3, -8];
  if (!SQUARE.test(square) || square[1] !== String(rank)) return "-";
  const at = 8 * (8 - rank) + FILES.indexOf(square.charAt(0));
  const isOne = board[at + way] === pawn && board[at] === "." && board[at - way] === ".";
  return isOne ? square : "-";
}

function countOf(text: string, preset: number): number {
  const whole = text.split(".", 1)[0] ?? "";
  if (!/^[+-]?[0-9]+$/.test(whole) || whole.length > 20 || Number(whole) < 0) return preset;
  return Math.min(Number(whole), MOST_COUNT);
}

function noteOn(text: string, board: string, isChess960: boolean, isChosen: boolean): Said | null {
  const lost = [...new Set(text)].filter(
    (letter) => /[kqa-h]/i.test(letter) && castlingOf(letter, board, isChess960) === "-",
  );
  if (!lost.length) return isChosen ? { id: "fen-chess960" } : null;
  const mayBeChess960 =
    !isChess960 && lost.some((letter) => castlingOf(letter, board, true) !== "-");
  const variables = { rights: lost.join("") };
  if (isChosen) return { id: "fen-chess960-castling", variables };
  return { id: mayBeChess960 ? "fen-castling-in-chess" : "fen-castling", variables };
}

function shortened(text: string): string {
  return text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}...` : text;
}
