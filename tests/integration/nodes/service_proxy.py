"""Services' own addresses: what connects there is passed on to an endpoint that is ready, as by kube-proxy."""
import itertools
import threading
import time

from nodes.informer import Informer
from relay import Relay

SLICES = "/apis/discovery.k8s.io/v1/endpointslices"
SERVICE = "kubernetes.io/service-name"
SKIPPED = "default", "kubernetes"   # the API itself serves at its address


class Port(Relay):
    """One port of a Service. `endpoints()`: (address, port) of those that are ready, in an order that lasts."""

    turn = itertools.count()

    def __init__(self, address, port, endpoints):
        self.endpoints = endpoints
        super().__init__(None, port, address)

    def target(self):
        ready = self.endpoints()
        return ready[next(self.turn) % len(ready)] if ready else None


class ServiceProxy:
    """Of all Services of a cluster; what is connected stays so until one of both ends it."""

    def __init__(self, kube, network, closing):
        self.network, self.ports, self.left = network, {}, []   # ports by service; (moment, service, pod) of each removal
        self.lock = threading.Lock()
        self.ready_now = {}
        self.slices = Informer(kube, SLICES, closing, self._changed, self._changed).start()
        self.services = Informer(kube, "/api/v1/services", closing, self._serve, self._end).start()

    def ready(self, namespace, name):
        """Pods that may be asked, by name: their address."""
        return {endpoint["targetRef"]["name"]: endpoint["addresses"][0] for each in self._slices_of(namespace, name)
                for endpoint in each["endpoints"] or () if endpoint.get("conditions", {}).get("ready") and "targetRef" in endpoint}

    def left_after(self, moment, namespace, name, pod):
        """When this endpoint was removed; None while it was not."""
        return next((when for when, service, which in list(self.left) if when >= moment and (service, which) == ((namespace, name), pod)), None)

    def close(self):
        with self.lock:
            for address, ports in self.ports.values():
                for each in ports:
                    each.close()
                self.network.no_more_at(address)
            self.ports.clear()

    def _slices_of(self, namespace, name):
        return [each for each in list(self.slices.now.values())
                if each["metadata"]["namespace"] == namespace and each["metadata"]["labels"].get(SERVICE) == name]

    def _endpoints(self, namespace, name, port):
        return sorted((endpoint["addresses"][0], wanted["port"]) for each in self._slices_of(namespace, name)
                      for wanted in each["ports"] or () if wanted["name"] == port for endpoint in each["endpoints"] or ()
                      if endpoint.get("conditions", {}).get("ready"))

    def _changed(self, each):
        """Remembers who is no endpoint any more."""
        service = each["metadata"]["namespace"], each["metadata"]["labels"].get(SERVICE)
        ready = set(self.ready(*service))
        self.left += [(time.monotonic(), service, pod) for pod in self.ready_now.get(service, set()) - ready]
        self.ready_now[service] = ready

    def _serve(self, service):
        key, address = (service["metadata"]["namespace"], service["metadata"]["name"]), service["spec"].get("clusterIP", "None")
        with self.lock:
            if key in self.ports or key == SKIPPED or address in ("", "None"):
                return
            self.network.answer_at(address)
            self.ports[key] = address, [Port(address, port["port"], lambda name=port.get("name", ""): self._endpoints(*key, name))
                                        for port in service["spec"]["ports"]]

    def _end(self, service):
        with self.lock:
            address, ports = self.ports.pop((service["metadata"]["namespace"], service["metadata"]["name"]), (None, ()))
            for each in ports:
                each.close()
            if address:
                self.network.no_more_at(address)
