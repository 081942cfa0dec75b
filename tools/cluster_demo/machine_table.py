"""Hosts with the machines that they are and the Nodes that these have become."""
from table import Table


class MachineTable(Table):
    head = {"HOST": 7, "MACHINE": 22, "STATE": 14, "POWER": 7, "NODE": 9, "STEP": 26, "AGE": 5}

    def __init__(self, hosts, ironic, nodes, out=None):
        super().__init__(hosts, ironic, {}, out)
        self.nodes = nodes

    def row(self, host, step, age):
        return host.name, host.consumer, host.state, host.power, self.nodes.now.get(host.consumer, ""), step, age

    def news(self, host, step):
        node = self.nodes.now.get(host.consumer)
        return [*super().news(host, step), *([f"machine {host.consumer}"] if host.consumer else []),
                *([f"Node {host.consumer} is {node}"] if node else [])]
