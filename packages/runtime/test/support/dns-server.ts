import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIP, isIPv4 } from 'node:net';

/** Returns the current addresses of a name, or the one name that it is an alias of; empty if it has none of this family. */
export type DnsAnswer = (name: string, family: 4 | 6) => string[];

export type DnsServer = {
  /** In the format of WEBHOOK_DNS_SERVERS. */
  address: string;
  /** One entry per query. */
  queries: { name: string; family: 4 | 6 }[];
  stop(): Promise<void>;
};

/** Starts a name server on 127.0.0.1 that answers A and AAAA queries with TTL 0 and follows CNAME chains (RFC 1035). */
export async function startDnsServer(answer: DnsAnswer): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const queries: DnsServer['queries'] = [];
  socket.on('message', (query, peer) => {
    const { name, type, end } = readQuestion(query);
    const family = type === TYPE_A ? 4 : 6;
    queries.push({ name, family });
    const records = type === TYPE_A || type === TYPE_AAAA ? recordsOf(name, type, answer) : [];
    socket.send(reply(query.subarray(0, end), records), peer.port, peer.address);
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    queries,
    stop: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

const TYPE_A = 1;
const TYPE_AAAA = 28;
const TYPE_CNAME = 5;
const HEADER_BYTES = 12;

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let position = HEADER_BYTES;
  for (let length = query.readUInt8(position); length > 0; length = query.readUInt8(position)) {
    labels.push(query.toString('latin1', position + 1, position + 1 + length));
    position += 1 + length;
  }
  // c-ares randomizes the case of names (0x20 encoding) and compares the echo.
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(position + 1), end: position + 5 };
}

function recordsOf(name: string, type: number, answer: DnsAnswer): Buffer[] {
  const [first, ...others] = answer(name, type === TYPE_A ? 4 : 6);
  if (first === undefined) return [];
  if (isIP(first) === 0)
    return [record(name, TYPE_CNAME, nameBytes(first)), ...recordsOf(first, type, answer)];
  return [first, ...others].map((address) => record(name, type, addressBytes(address)));
}

function reply(question: Buffer, records: Buffer[]): Buffer {
  const header = Buffer.from(question.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8580, 2); // authoritative, no error
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(records.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([header, question.subarray(HEADER_BYTES), ...records]);
}

function record(name: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10);
  fixed.writeUInt16BE(type, 0);
  fixed.writeUInt16BE(1, 2);
  fixed.writeUInt16BE(data.length, 8);
  return Buffer.concat([nameBytes(name), fixed, data]);
}

function nameBytes(name: string): Buffer {
  const labels = name
    .split('.')
    .map((label) => Buffer.concat([Buffer.from([label.length]), Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.from([0])]);
}

function addressBytes(address: string): Buffer {
  return Buffer.from(isIPv4(address) ? address.split('.').map(Number) : ipv6Bytes(address));
}

function ipv6Bytes(address: string): number[] {
  // The URL parser converts an embedded IPv4 address to hexadecimal and leaves at most one `::`.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = [], after = []] = canonical.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
