/** What the browser does for a picture: the drawings of its pieces, and a PNG. */

import type { Color, Role } from "chessops/types";
import type { Drawing } from "./picture";

const FORM = /^<svg\b([^>]*)>(.*)<\/svg>\s*$/s;

/** The drawing of a piece as the page's style sheet has it, so that it is there only once. */
export function drawingOf(color: Color, role: Role): Drawing {
  const frame = document.createElement("div");
  frame.className = "cg-wrap drawings";
  const piece = document.createElement("piece");
  piece.className = `${color} ${role}`;
  frame.append(piece);
  document.body.append(frame);
  const image = getComputedStyle(piece).backgroundImage;
  frame.remove();
  const coded = /base64,([^"')]+)/.exec(image)?.[1];
  const [, attributes = "", body = ""] = FORM.exec(coded ? atob(coded) : "") ?? [];
  return { size: Number(/width="(\d+)/.exec(attributes)?.[1] ?? 45), body };
}

/** Paint an SVG, so many pixels wide and high. */
export async function paint(svg: string, pixels: number): Promise<Blob> {
  const address = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    canvas.width = canvas.height = pixels;
    canvas.getContext("2d")?.drawImage(image, 0, 0, pixels, pixels);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, "image/png"));
    if (!blob) throw new Error("this browser cannot paint the picture");
    return blob;
  } finally {
    URL.revokeObjectURL(address);
  }
}

export function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}
