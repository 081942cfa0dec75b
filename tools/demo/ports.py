"""Ports of this machine for servers that are about to start. As a program: as many as it is asked for, one a line."""
import errno
import pathlib
import random
import socket
import sys

FIRST_PORT = 10240
PORT_RANGE = pathlib.Path("/proc/sys/net/ipv4/ip_local_port_range")
kept = []   # sockets


def free_port(address="127.0.0.1"):
    """Below the range from which the kernel gives ports to clients: one of those might take it before its server listens. As
    long as this process lives no other one is given it, though servers with SO_REUSEADDR may listen there, one at a time."""
    first_of_clients = int(PORT_RANGE.read_text().split()[0])
    for _ in range(100):
        if first_of_clients <= FIRST_PORT:
            break
        port = random.randrange(FIRST_PORT, first_of_clients)
        if is_free(address, port) and keep(address, port):
            return port
    keep(address, 0)
    return kept[-1].getsockname()[1]


def keep(address, port):
    """Binds a socket that never listens: who looks whether the port is free finds it taken. Whether it could."""
    placeholder = socket.socket()
    placeholder.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        placeholder.bind((address, port))
    except OSError as error:
        placeholder.close()
        if error.errno != errno.EADDRINUSE:
            raise
        return False
    kept.append(placeholder)
    return True


def is_free(address, port):
    with socket.socket() as probe:
        try:
            probe.bind((address, port))
        except OSError:
            return False
        return True


if __name__ == "__main__":
    for _ in range(int(sys.argv[1])):
        print(free_port())
