import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A request as bytes on the wire: what libraries refuse to send is sent, too. */
export type RawRequest = {
  method: string;
  path: string;
  headers: readonly (readonly [name: string, value: string])[];
  body: Buffer | null;
};

/** A response, read to its end; only the head of an event stream. Status 0: the connection was closed without a response. */
export type RawAnswer = { status: number; contentType: string; body: string; ms: number };

const NO_ANSWER_MS = 60_000;

/** Sends one request after the other over one connection, and opens a new one where the server or a response closed it. */
export class RawClient {
  readonly #port: number;
  #socket: Socket | null = null;

  constructor(port: number) {
    this.#port = port;
  }

  async send(request: RawRequest): Promise<RawAnswer> {
    const socket = await this.#connected();
    const startedAtMs = performance.now();
    socket.write(encode(request));
    const { head, body, isOver } = await readAnswer(socket, request.method);
    if (!isOver || /^connection: close/im.test(head)) this.close();
    return {
      status: Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0),
      contentType: /^content-type: (.*)$/im.exec(head)?.[1] ?? '',
      body,
      ms: performance.now() - startedAtMs,
    };
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = null;
  }

  async #connected(): Promise<Socket> {
    if (this.#socket !== null && !this.#socket.destroyed) return this.#socket;
    const socket = connect(this.#port, '127.0.0.1');
    await once(socket, 'connect');
    socket.on('error', () => undefined); // The answer that is read ends with the connection.
    this.#socket = socket;
    return socket;
  }
}

/** Header values are sent as Latin-1: one byte for each character, whatever it is. */
function encode({ method, path, headers, body }: RawRequest): Buffer {
  const lines = [`${method} ${path} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  return body === null ? head : Buffer.concat([head, body]);
}

type Read = { head: string; body: string; isOver: boolean };

function readAnswer(socket: Socket, method: string): Promise<Read> {
  const { promise, resolve } = Promise.withResolvers<Read>();
  let received = Buffer.alloc(0);
  const end = (read: Read): void => {
    clearTimeout(timer);
    socket.off('data', onData).off('close', onClose);
    resolve(read);
  };
  const onData = (chunk: Buffer): void => {
    received = Buffer.concat([received, chunk]);
    const read = parseAnswer(received, method);
    if (read !== null) end(read);
  };
  const onClose = (): void => end({ ...split(received), isOver: false });
  const timer = setTimeout(() => socket.destroy(), NO_ANSWER_MS);
  socket.on('data', onData).on('close', onClose);
  return promise;
}

/** Null while something is missing. */
function parseAnswer(bytes: Buffer, method: string): Read | null {
  const { head, body, isWhole } = split(bytes);
  if (!isWhole) return null;
  if (/^content-type: text\/event-stream/im.test(head)) return { head, body: '', isOver: false };
  if (method === 'HEAD' || /^HTTP\/1\.1 (204|304)/.test(head)) return { head, body: '', isOver: true };
  if (/^transfer-encoding: chunked/im.test(head))
    return body.endsWith('0\r\n\r\n') ? { head, body, isOver: true } : null;
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1] ?? 0);
  return Buffer.byteLength(body, 'latin1') >= length
    ? { head, body: Buffer.from(body, 'latin1').toString(), isOver: true }
    : null;
}

function split(bytes: Buffer): { head: string; body: string; isWhole: boolean } {
  const at = bytes.indexOf('\r\n\r\n');
  if (at < 0) return { head: bytes.toString('latin1'), body: '', isWhole: false };
  const head = bytes.toString('latin1', 0, at);
  return { head, body: bytes.toString('latin1', at + 4), isWhole: true };
}
