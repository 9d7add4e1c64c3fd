/** A server that nothing may reach: it logs every request, connection and datagram. */

import { createSocket, type Socket as Datagrams } from 'node:dgram';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

export interface Witness {
  /** `http://localhost:<port>`, a host that the page's policy does not know. */
  readonly origin: string;
  readonly host: string;
  readonly port: number;
  /** What arrived, such as `GET /fetch`, or `connection` where no request came over it. */
  readonly log: string[];
  close(): Promise<void>;
}

export async function startWitness(): Promise<Witness> {
  const log: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    log.push(`${request.method ?? ''} ${request.url ?? ''}`);
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Allow-Headers', '*');
    response.end('reached');
  });
  server.on('upgrade', (request, socket) => {
    log.push(`upgrade ${request.url ?? ''}`);
    socket.destroy();
  });
  server.on('connection', (socket) => {
    log.push('connection');
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const datagrams = [listen('udp4', port, log), listen('udp6', port, log)];
  return {
    origin: `http://localhost:${port}`,
    host: `localhost:${port}`,
    port,
    log,
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        for (const socket of datagrams) socket.close();
        server.close(() => {
          resolve();
        });
      }),
  };
}

/** WebTransport comes as datagrams, to the first address of localhost. */
function listen(type: 'udp4' | 'udp6', port: number, log: string[]): Datagrams {
  const socket = createSocket(type);
  socket.on('message', () => log.push('datagram'));
  // A machine without IPv6, or a port that another program has.
  socket.on('error', () => undefined);
  socket.bind(port, type === 'udp4' ? '127.0.0.1' : '::1');
  return socket;
}
