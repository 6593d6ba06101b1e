/** The connections of tests. */

/** A WebSocket that the test opens, ends and feeds. */
export class FakeSocket {
  static CONNECTING = 0;
  static OPEN = 1;
  static made: FakeSocket[] = [];
  static readonly newest = () => FakeSocket.made.at(-1) as FakeSocket;
  readyState = 0;
  sent: string[] = [];
  onopen: () => void = () => {};
  onmessage: (event: { data: string }) => void = () => {};
  onclose: (event: { code: number; reason: string }) => void = () => {};
  constructor() {
    FakeSocket.made.push(this);
  }
  send(line: string): void {
    this.sent.push(line);
  }
  close(): void {
    this.readyState = 3;
  }
  open(): void {
    this.readyState = 1;
    this.onopen();
  }
  end(code: number): void {
    this.readyState = 3;
    this.onclose({ code, reason: "" });
  }
}
