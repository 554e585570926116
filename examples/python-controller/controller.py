# A speed control as a subsystem of Cosimo: python3 controller.py PORT [KEY-FILE]
#
# Bytes and names are those of docs/reference/messages.md. Python alone is enough, nothing is to be installed.
import contextlib, hashlib, hmac, os, socket, struct, sys

SETPOINT, PROPORTIONAL, INTEGRAL = 20.0, 3.0, 4.0  # rad/s, N m s/rad, N m/rad

BEGIN, COMMIT, SET_INPUTS, OUTPUTS, SAVE, RESTORE = 2, 7, 12, 13, 15, 16
# The answer to each request, and how many bytes it has. Where there are neither ports nor contacts they are zero.
ANSWERS = 2 * [(10, 0)] + 5 * [(0, 148)] + [(5, 168), (11, 0), (6, 28), (7, 96), (7, 96), (3, 0), (4, 0), (8, 16), (9, 0), (7, 96)]

def sized(content):
    return struct.pack("<Q", len(content)) + content

# Version 13 of the protocol, version 1 of the codec, no error; its name, no ports, no load ports, one input
GREETING = (struct.pack("<IBI", 13, 1, 0) + sized(b"governor") + struct.pack("<3Q", 0, 0, 1)
            # that is held and has no default; one output
            + sized(b"measurement") + sized(b"rad/s") + bytes(5) + struct.pack("<Q", 1) + sized(b"output") + sized(b"N m")
            # that depends on input 0 at once; it is affine, can roll back, takes impulses and any step; all else is empty or zero.
            + struct.pack("<2Q", 1, 0) + bytes(24) + bytes([0, 0, 0, 0, 1, 1, 1, 0, 1, 0, 0, 0, 0, 0]) + bytes(41 + 96 + 48))

def mac(key, *parts, size=32):
    return hashlib.blake2b(b"".join(parts), digest_size=size, key=key).digest()

class Controller:
    integral, measurement, period = 0.0, 0.0, 0.0  # N m, rad/s, s

    def answer(self, request):
        (call,), number = struct.unpack_from("<I", request, 1), lambda at: struct.unpack_from("<d", request, at)[0]
        answer, content = ANSWERS[call][0], bytes(ANSWERS[call][1])
        if call == BEGIN: self.period = number(13)
        if call == SET_INPUTS: self.measurement = number(21)
        if call == OUTPUTS: content = struct.pack("<Qd", 1, PROPORTIONAL * (SETPOINT - number(13)) + self.integral)
        if call == COMMIT: self.integral += INTEGRAL * self.period * (SETPOINT - self.measurement)
        if call == SAVE: content = sized(struct.pack("<d", self.integral))
        if call == RESTORE: self.integral = number(13)
        return struct.pack("<B2I", 1, 0, answer) + content + bytes(48) + bytes(2)

def serve(connection, key):
    receive, number = lambda count: connection.recv(count, socket.MSG_WAITALL), os.urandom(32)
    hello = receive(36)
    of = lambda label: mac(key, label, hello[4:], number)
    connection.sendall(b"\xc0CS1" + number + of(b"server"))
    if not hmac.compare_digest(receive(32), of(b"master")): return print("refused: it has another key")
    controller = Controller()
    for count, length in enumerate(iter(lambda: receive(4), b"")):
        message, check, place = receive(int.from_bytes(length, "little")), receive(16), struct.pack("<Q", count)
        if not hmac.compare_digest(check, mac(of(b"from master"), place, message, size=16)): return print("damaged")
        answer = controller.answer(message) if count else GREETING
        connection.sendall(struct.pack("<I", len(answer)) + answer + mac(of(b"from server"), place, answer, size=16))

key = hashlib.blake2b(open(sys.argv[2], "rb").read().strip(b" \t\n\f\r"), digest_size=32).digest() if sys.argv[2:] else bytes(32)
with socket.create_server(("127.0.0.1", int(sys.argv[1]))) as server:
    print("serves `governor` at %s:%s" % server.getsockname(), flush=True)
    while True:
        with server.accept()[0] as connection, contextlib.suppress(OSError): serve(connection, key)
