"""The objects that the tests create."""


def secret(name, username, password):
    return {"apiVersion": "v1", "kind": "Secret", "metadata": {"name": f"{name}-bmc"},
            "stringData": {"username": username, "password": password}}


IPMI_USERNAME, IPMI_PASSWORD = "bmc-op-3e9a71", "never-print-9b1e"   # IPMI has room for 16 and 20 letters


def machine(name, is_ipmi, username, password, timing):
    """As a fleet file has it."""
    known = {"name": name, "timing": timing}
    if is_ipmi:
        return {**known, "protocol": "ipmi", "username": IPMI_USERNAME, "password": IPMI_PASSWORD}
    return {**known, "username": username, "password": password}


IMAGE = {"url": "http://10.0.0.1/image.img", "checksum": "0" * 32, "checksumType": "md5"}


def host(name, machine, online, scheme="redfish", image=True, **spec):
    return {
        "apiVersion": "metal3.io/v1alpha1", "kind": "BareMetalHost", "metadata": {"name": name},
        "spec": {
            "online": online, "bootMACAddress": machine.mac,
            "bmc": {"address": machine.bmc_address(scheme), "credentialsName": f"{name}-bmc"},
            **({"image": IMAGE} if image else {}), **spec,
        },
    }


def plain_host(name, address):
    """One that is off and runs nothing."""
    return {"apiVersion": "metal3.io/v1alpha1", "kind": "BareMetalHost", "metadata": {"name": name},
            "spec": {"online": False, "bootMACAddress": "52:54:00:00:00:01", "bmc": {"address": address, "credentialsName": f"{name}-bmc"}}}
