# A cart with a hook, served at a free port of this machine: only the requests that docs/reference/messages.md calls the least are answered,
# and those of a subsystem that can roll back where there is an argument.
import hashlib, os, socket, struct, sys

MASS, CAN_ROLL_BACK = 2.0, len(sys.argv) > 1


def numbers(*values):
    return struct.pack("<Q%dd" % len(values), len(values), *values)


def sized(content):
    return struct.pack("<Q", len(content)) + content


def mac(key, *parts, size=32):
    return hashlib.blake2b(b"".join(parts), digest_size=size, key=key).digest()


def load(message, at):
    return struct.unpack_from("<Qd", message, at)[1]


class Cart:
    position, velocity, size = 1.0, 0.5, 0.0  # m, m/s, s

    def present(self):
        energy = struct.pack("<3d", MASS * self.velocity**2 / 2, 0, 0)
        return numbers(self.position) + numbers(self.velocity) + bytes(40) + energy + bytes(16)

    def introduction(self):
        capabilities = bytes([0, 0, 0, 0, 1, CAN_ROLL_BACK, 0, 0, 1, 0, 0, 0, 0, 0])
        port = struct.pack("<Q", 1) + sized(b"hook") + struct.pack("<QB", 1, 0)
        description = sized(b"cart") + port + bytes(48) + capabilities + bytes(41)
        return struct.pack("<IBI", 13, 1, 0) + description + self.present() + bytes(48)

    def ends(self, impulse):
        velocity = self.velocity + impulse / MASS
        return self.position + self.size * (self.velocity + velocity) / 2, velocity

    def response(self, impulse):
        ends = b"".join(map(numbers, self.ends(impulse)))
        inverse_mass = struct.pack("<I2Q", 0, 1, 1) + numbers(1 / MASS)
        # The revision is the size of the step: the weights change with it.
        weights = struct.pack("<4d8xd", *4 * [self.size / 2], self.size)
        return ends + inverse_mass + bytes(56) + weights

    def commit(self, impulse):
        position, velocity = self.ends(impulse)
        work = impulse / self.size * (position - self.position)
        self.position, self.velocity = position, velocity
        return struct.pack("<3d48x", MASS * velocity**2 / 2, 0, work) + self.present()

    def content(self, call, message):
        if call in (2, 3):
            self.size = struct.unpack_from("<d", message, 13)[0]
            return 0, self.response(0.0)
        if call == 7:
            return 5, self.commit(load(message, 5))
        if call in (0, 1):
            return 10, b""
        if not CAN_ROLL_BACK:
            raise KeyError
        if call in (4, 6):
            return 0, self.response(load(message, 5))
        if call == 8:
            return 11, b""
        if call == 15:
            return 9, sized(struct.pack("<2d", self.position, self.velocity))
        if call == 16:
            self.position, self.velocity = struct.unpack_from("<2d", message, 13)
            return 7, self.present()
        raise KeyError

    def answer(self, message):
        call = struct.unpack_from("<I", message, 1)[0]
        try:
            number, content = self.content(call, message)
            return struct.pack("<B2I", 1, 0, number) + content + bytes(50)
        except KeyError:
            error = sized(b"cart") + sized(b"answer request %d" % call)
            return struct.pack("<B2I", 1, 1, 11) + error + bytes(50)


def serve(connection):
    receive, own = lambda count: connection.recv(count, socket.MSG_WAITALL), os.urandom(32)
    hello = receive(36)
    of = lambda label: mac(bytes(32), label, hello[4:], own)
    connection.sendall(b"\xc0CS1" + own + of(b"server"))
    assert receive(32) == of(b"master")
    cart = Cart()
    for count, length in enumerate(iter(lambda: receive(4), b"")):
        message, place = receive(int.from_bytes(length, "little")), struct.pack("<Q", count)
        assert receive(16) == mac(of(b"from master"), place, message, size=16)
        answer = cart.answer(message) if count else cart.introduction()
        check = mac(of(b"from server"), place, answer, size=16)
        connection.sendall(struct.pack("<I", len(answer)) + answer + check)


with socket.create_server(("127.0.0.1", 0)) as server:
    print("serves `cart` at %s:%s" % server.getsockname(), flush=True)
    while True:
        with server.accept()[0] as connection:
            serve(connection)
