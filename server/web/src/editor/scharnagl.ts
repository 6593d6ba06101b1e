/** The 960 first positions of Chess960, by Reinhard Scharnagl's numbers (518 is chess). */

const FILES = 8;
/** Where the two knights stand among the five places that are left then. */
const KNIGHTS: readonly (readonly [number, number])[] = [
  [0, 1],
  [0, 2],
  [0, 3],
  [0, 4],
  [1, 2],
  [1, 3],
  [1, 4],
  [2, 3],
  [2, 4],
  [3, 4],
];

export const STARTS = 960;

/** The FEN of a start position, 0 to 959. */
export function startPosition(number: number): string {
  const rank: string[] = Array(FILES).fill("");
  const free = () => rank.flatMap((piece, file) => (piece ? [] : [file]));
  let rest = number;
  const take = (choices: number) => {
    const choice = rest % choices;
    rest = Math.floor(rest / choices);
    return choice;
  };
  rank[take(4) * 2 + 1] = "b";
  rank[take(4) * 2] = "b";
  rank[free()[take(6)] as number] = "q";
  const places = free();
  for (const each of KNIGHTS[rest] ?? []) rank[places[each] as number] = "n";
  const [left, middle, right] = free() as [number, number, number];
  rank[left] = rank[right] = "r";
  rank[middle] = "k";
  const black = rank.join("");
  const castling = [right, left].map((file) => "abcdefgh"[file]).join("");
  const fields = `w ${castling.toUpperCase()}${castling} - 0 1`;
  return `${black}/pppppppp/8/8/8/8/PPPPPPPP/${black.toUpperCase()} ${fields}`;
}
