/** A set of pieces, drawn by the page's own code: pictures, and the rules of style that show them. */

import type { Color, Role } from "chessops/types";

/** The colours of one side's pieces: their surface, their outline, and the lines within. */
export interface Inks {
  readonly fill: string;
  readonly line: string;
  readonly inner: string;
}

const SIZE = 48; // of a picture, in its units
const COLORS = ["white", "black"] as const;
const ROLES = ["pawn", "knight", "bishop", "rook", "queen", "king"] as const;

export class PieceSet {
  constructor(
    private readonly inks: Readonly<Record<Color, Inks>>,
    /** Return the content of the `svg` of a piece. */
    private readonly draw: (role: Role, inks: Inks) => string,
  ) {}

  /** Return the address of the picture of a piece, which contains the picture. */
  picture(color: Color, role: Role): string {
    const body = this.draw(role, this.inks[color]);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${SIZE}" height="${SIZE}">${body}</svg>`;
    return `data:image/svg+xml;base64,${btoa(svg)}`;
  }

  /** Return the rules of style; a board of the class `classic` keeps the pieces of the page. */
  rules(): string {
    const rules = COLORS.flatMap((color) =>
      ROLES.map(
        (role) =>
          `.cg-wrap:not(.classic) piece.${role}.${color}{background-image:url("${this.picture(color, role)}")}`,
      ),
    );
    return rules.join("\n");
  }
}
