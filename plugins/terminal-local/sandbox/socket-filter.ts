/**
 * A program for the kernel's packet filter that checks system calls: no connection to a service of this machine through
 * a socket in the file system (docker, ssh-agent, D-Bus) or of a rare family, and no input injected into another
 * terminal. Socket pairs, which programs use to talk to their children, remain allowed. `undefined` where the numbers
 * are not known.
 */
export function socketFilter(architecture: NodeJS.Architecture): Uint8Array | undefined {
  const machine = MACHINES[architecture];
  if (machine === undefined) return undefined;
  const program: Instruction[] = [
    [LOAD, 0, 0, ARCHITECTURE],
    [IF_EQUAL, 1, 0, machine.audit],
    [RETURN, 0, 0, REFUSE],
    [LOAD, 0, 0, NUMBER],
    // The second set of numbers that x86-64 knows.
    [IF_AT_LEAST, 0, 1, 0x4000_0000],
    [RETURN, 0, 0, REFUSE],
    // io_uring opens sockets without the call that is judged here.
    [IF_AT_LEAST, 0, 2, IO_URING_FIRST],
    [IF_GREATER, 1, 0, IO_URING_LAST],
    [RETURN, 0, 0, NOT_THERE],
    [IF_EQUAL, 0, 6, machine.socket],
    [LOAD, 0, 0, ARGUMENT_1],
    [IF_EQUAL, 2, 0, AF_INET],
    [IF_EQUAL, 1, 0, AF_INET6],
    [IF_EQUAL, 0, 1, AF_NETLINK],
    [RETURN, 0, 0, ALLOW],
    [RETURN, 0, 0, REFUSE],
    // A datagram socket of a pair can still be pointed at a name.
    [IF_EQUAL, 0, 5, machine.socketpair],
    [LOAD, 0, 0, ARGUMENT_2],
    [AND, 0, 0, TYPE_BITS],
    [IF_EQUAL, 0, 1, SOCK_DGRAM],
    [RETURN, 0, 0, REFUSE],
    [RETURN, 0, 0, ALLOW],
    [IF_EQUAL, 0, 3, machine.ioctl],
    [LOAD, 0, 0, ARGUMENT_2],
    [IF_EQUAL, 0, 1, TIOCSTI],
    [RETURN, 0, 0, REFUSE],
    [RETURN, 0, 0, ALLOW],
  ];
  const bytes = new DataView(new ArrayBuffer(program.length * 8));
  for (const [index, [code, yes, no, value]] of program.entries()) {
    bytes.setUint16(index * 8, code, true);
    bytes.setUint8(index * 8 + 2, yes);
    bytes.setUint8(index * 8 + 3, no);
    bytes.setUint32(index * 8 + 4, value, true);
  }
  return new Uint8Array(bytes.buffer);
}

/** An operation, how many instructions to skip if it holds and if it does not, and its value. */
type Instruction = readonly [code: number, yes: number, no: number, value: number];

const MACHINES: Partial<
  Record<
    NodeJS.Architecture,
    { readonly audit: number; readonly socket: number; readonly socketpair: number; readonly ioctl: number }
  >
> = {
  x64: { audit: 0xc000_003e, socket: 41, socketpair: 53, ioctl: 16 },
  arm64: { audit: 0xc000_00b7, socket: 198, socketpair: 199, ioctl: 29 },
};

const LOAD = 0x20;
const AND = 0x54;
const IF_EQUAL = 0x15;
const IF_GREATER = 0x25;
const IF_AT_LEAST = 0x35;
const RETURN = 0x06;

// Places in what the kernel hands over about a call.
const NUMBER = 0;
const ARCHITECTURE = 4;
const ARGUMENT_1 = 16;
const ARGUMENT_2 = 24;

const ALLOW = 0x7fff_0000;
/** EPERM. */
const REFUSE = 0x0005_0001;
/** ENOSYS, on which programs fall back to what they did before. */
const NOT_THERE = 0x0005_0026;

const IO_URING_FIRST = 425;
const IO_URING_LAST = 427;
const AF_INET = 2;
const AF_INET6 = 10;
const AF_NETLINK = 16;
const SOCK_DGRAM = 2;
const TYPE_BITS = 0xf;
const TIOCSTI = 0x5412;
