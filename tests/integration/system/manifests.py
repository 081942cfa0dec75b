"""The objects that the tests create."""


def secret(name, username, password):
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": f"{name}-bmc"},
            "stringData": {"username": username, "password": password}}


def host(name, machine, online):
    return {
        "apiVersion": "metal3.io/v1alpha1", "kind": "BareMetalHost", "metadata": {"name": name},
        "spec": {
            "online": online, "bootMACAddress": machine.mac,
            "bmc": {"address": machine.bmc_address("redfish"), "credentialsName": f"{name}-bmc"},
            "image": {"url": "http://10.0.0.1/image.img", "checksum": "0" * 32, "checksumType": "md5"},
        },
    }
