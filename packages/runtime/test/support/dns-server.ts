import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv4 } from 'node:net';

/** Addresses that a name has now; an empty list means that it has none of the family that was asked for. */
export type DnsAnswer = (name: string, family: 4 | 6) => string[];

export type DnsServer = {
  /** As WEBHOOK_DNS_SERVERS wants it. */
  address: string;
  /** Names asked for, one entry for each query. */
  queries: { name: string; family: 4 | 6 }[];
  stop(): Promise<void>;
};

/** A name server on 127.0.0.1 that answers A and AAAA queries with a TTL of 0 (RFC 1035). */
export async function startDnsServer(answer: DnsAnswer): Promise<DnsServer> {
  const socket = createSocket('udp4');
  const queries: DnsServer['queries'] = [];
  socket.on('message', (query, peer) => {
    const { name, type, end } = readQuestion(query);
    const family = type === TYPE_A ? 4 : 6;
    queries.push({ name, family });
    const addresses = type === TYPE_A || type === TYPE_AAAA ? answer(name, family) : [];
    socket.send(reply(query.subarray(0, end), addresses, type), peer.port, peer.address);
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
const HEADER_BYTES = 12;

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let position = HEADER_BYTES;
  for (let length = query.readUInt8(position); length > 0; length = query.readUInt8(position)) {
    labels.push(query.toString('latin1', position + 1, position + 1 + length));
    position += 1 + length;
  }
  // c-ares writes names in random case (0x20) and compares the echo.
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(position + 1), end: position + 5 };
}

function reply(question: Buffer, addresses: string[], type: number): Buffer {
  const header = Buffer.from(question.subarray(0, HEADER_BYTES));
  header.writeUInt16BE(0x8580, 2); // an authoritative answer without error
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(addresses.length, 6);
  header.writeUInt32BE(0, 8);
  return Buffer.concat([
    header,
    question.subarray(HEADER_BYTES),
    ...addresses.map((one) => record(one, type)),
  ]);
}

function record(address: string, type: number): Buffer {
  const data = Buffer.from(isIPv4(address) ? address.split('.').map(Number) : ipv6Bytes(address));
  const fixed = Buffer.alloc(HEADER_BYTES);
  fixed.writeUInt16BE(0xc00c, 0); // the name of the question
  fixed.writeUInt16BE(type, 2);
  fixed.writeUInt16BE(1, 4);
  fixed.writeUInt16BE(data.length, 10);
  return Buffer.concat([fixed, data]);
}

function ipv6Bytes(address: string): number[] {
  // The URL parser writes an embedded IPv4 address in hexadecimal, and leaves one `::` at most.
  const canonical = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [before = [], after = []] = canonical.split('::').map((half) => half.split(':').filter(Boolean));
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...zeros, ...after].flatMap((group) => {
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}
