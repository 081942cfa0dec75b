"""What is asked of Ironic, node by node: each verb from states that allow it and from some that do not, work that fails,
work that is aborted, faults, power, records. Answers are kept in tests/data/ironic/answers.json.

A step: method, path below the node, body; `until`: states of which one is waited for; `breaks`: the verb (or
"power") whose work the double shall let fail here, where the real one fails by how the node is set up; `bmc`: "lost" or
"back", from this step on, for the double; `fault`: the node's fault that is waited for, "" for none; `forgotten`: that it has
no last_error is waited for; `passing`: Ironic goes on to what the next step waits for by itself, and may have been seen on
its way.
"""

FAKE = {"driver": "fake-hardware",
        **{f"{kind}_interface": "fake" for kind in ("boot", "deploy", "inspect", "management", "power", "raid")}}
# Its ramdisk is asked for and never comes: wait states last.
PATIENT = {**FAKE, "boot_interface": "ipxe", "deploy_interface": "direct", "inspect_interface": "agent",
           "properties": {"capabilities": "boot_mode:uefi"}}
# A web server that is no BMC: each request fails at once.
NOWHERE = {"redfish_address": "http://files", "redfish_system_id": "/redfish/v1/Systems/1", "redfish_username": "u",
           "redfish_password": "p"}
IMAGE = {"image_source": "http://files/image.raw", "image_os_hash_algo": "sha256", "image_os_hash_value": "SHA256",
         "image_disk_format": "raw"}
INSTANCE = "11111111-2222-4333-8444-555555555555"
OTHER = "21111111-2222-4333-8444-555555555555"


def step(method, path, body=None, until=(), breaks=""):
    out = {"method": method, "path": path}
    if body is not None:
        out["body"] = body
    if until:
        out["until"] = [until] if isinstance(until, str) else list(until)
    if breaks:
        out["breaks"] = breaks
    return out


def verb(target, until=(), breaks="", **more):
    return step("PUT", "states/provision", {"target": target, **more}, until, breaks)


def power(target, breaks=""):
    return step("PUT", "states/power", {"target": target}, breaks=breaks)


def patch(**values):
    return step("PATCH", "", [{"op": "add", "path": "/" + key.replace("__", "/"), "value": value}
                              for key, value in values.items()])


def drop(path):
    return step("PATCH", "", [{"op": "remove", "path": path}])


def maintenance(on=True):
    return step("PUT", "maintenance", {"reason": "by hand"}) if on else step("DELETE", "maintenance")


LENT = step("PUT", "maintenance", {"reason": "ingot: lent to an agent, which erases the disks"})
# Booted each time over a network on which it has no port: cannot be adopted.
UNBOOTABLE = {**FAKE, "boot_interface": "ipxe", "deploy_interface": "ramdisk"}
DELETE = step("DELETE", "")
LENT_TO_BOOT = step("PUT", "maintenance", {"reason": "ingot: lent to an agent, which boots the host"})
ISO = {"instance_uuid": INSTANCE, "instance_info__boot_iso": "http://files/image.raw", "extra__ingot_live_iso": "lent"}
MANAGE = verb("manage", "manageable")
UNCLEAN = patch(automated_clean=False)
AVAILABLE = [MANAGE, UNCLEAN, verb("provide", "available")]
ACTIVE = [*AVAILABLE, verb("active", "active")]
RECORD = patch(extra={"note": "x"})
# Fails without a ramdisk having been asked for.
BAD = {"disable_ramdisk": True}
NO_SUCH_STEP = [{"interface": "deploy", "step": "no_such_step"}]
NOTHING_SET = [{"interface": "bios", "step": "apply_configuration", "args": {"settings": [{}]}}]   # breaks while it runs
NO_SETTINGS = [{"interface": "bios", "step": "factory_reset"}]
REBOOT = [{"interface": "power", "step": "reboot"}]

# The sync of power meets a BMC that is none.
TO_NOWHERE = step("PATCH", "?reset_interfaces=true", [{"op": "add", "path": "/driver", "value": "redfish"},
                                                     {"op": "add", "path": "/driver_info", "value": NOWHERE}])
LOST = {**TO_NOWHERE, "bmc": "lost"}
BACK = {**step("PATCH", "?reset_interfaces=true", [{"op": "add", "path": "/driver", "value": "fake-hardware"}]), "bmc": "back",
        "passing": True}
POWER_FAILURE = {**step("GET", ""), "fault": "power failure"}
RECOVERED = {**step("GET", ""), "fault": "", "forgotten": True}   # by the sync that finds it well again
TRIED_AGAIN = {**maintenance(False), "passing": True}   # the next sync declares it lost anew
# Told by an Ironic that looks at power every two seconds, which the others could not bear.
LOST_BMCS = [
    {"name": "a BMC that is lost", "node": FAKE, "steps": [
        *ACTIVE, power("power on"), maintenance(), LOST, maintenance(False), POWER_FAILURE, RECORD, verb("manage"),
        verb("active"), maintenance(), power("power off", breaks="power"), POWER_FAILURE, maintenance(), BACK, RECOVERED,
        verb("deleted", "available"), DELETE]},
    {"name": "a BMC that is lost for good", "node": FAKE, "steps": [
        *ACTIVE, power("power on"), maintenance(), LOST, maintenance(False), POWER_FAILURE,
        verb("deleted", "error", breaks="deleted"), RECORD, DELETE]},
    {"name": "a lost BMC whose maintenance is ended by hand", "node": FAKE, "steps": [
        *AVAILABLE, maintenance(), LOST, maintenance(False), POWER_FAILURE, TRIED_AGAIN, POWER_FAILURE,
        verb("provide"), verb("active"), DELETE]},
]

STORIES = [
    {"name": "enroll and back to it", "node": FAKE, "steps": [
        verb("provide"), verb("active"), verb("abort"), verb("inspect"), verb("nonsense"), RECORD,
        MANAGE, verb("manage"), verb("active"), verb("abort"), verb("deleted"), DELETE]},
    {"name": "a BMC that is none", "node": {"driver": "redfish", "driver_info": NOWHERE}, "steps": [
        verb("manage", "enroll", breaks="manage"), verb("provide"), RECORD, DELETE]},
    {"name": "inspection", "node": PATIENT, "mac": "52:54:00:aa:00:01", "steps": [
        MANAGE, verb("inspect", "inspect wait"), RECORD, patch(inspect_interface="agent"), power("power on"), verb("manage"),
        verb("inspect"), DELETE, verb("abort", "inspect failed"), RECORD, patch(inspect_interface="fake"), verb("provide"),
        verb("abort"), verb("inspect", "inspect wait"), verb("abort", "inspect failed"), MANAGE,
        patch(inspect_interface="fake"), verb("inspect", "manageable"), DELETE]},
    {"name": "cleaning", "node": PATIENT, "mac": "52:54:00:aa:00:02", "steps": [
        MANAGE, verb("clean"), verb("clean", "clean failed", breaks="clean", clean_steps=NO_SUCH_STEP, **BAD), RECORD,
        patch(deploy_interface="fake"), verb("provide"), verb("inspect"), power("power on"), MANAGE,
        verb("provide", "clean wait"), power("power off"), RECORD, verb("provide"), DELETE,
        verb("abort", "clean failed"), verb("clean", clean_steps=NO_SUCH_STEP, **BAD), DELETE, maintenance(), MANAGE,
        verb("clean", clean_steps=NO_SUCH_STEP, **BAD), maintenance(False), UNCLEAN, verb("provide", "available"),
        verb("provide"), verb("clean", clean_steps=NO_SUCH_STEP, **BAD), MANAGE, DELETE]},
    {"name": "steps of a cleaning", "node": {**FAKE, "bios_interface": "fake"}, "steps": [
        MANAGE, verb("clean", "manageable", clean_steps=NO_SETTINGS),
        verb("clean", "clean failed", breaks="clean", clean_steps=NOTHING_SET), RECORD, patch(raid_interface="no-raid"),
        power("power on"), verb("provide"), MANAGE, verb("provide", "available"), MANAGE,
        verb("clean", clean_steps=NO_SETTINGS), maintenance(False),
        verb("clean", "clean failed", breaks="clean", clean_steps=NOTHING_SET), maintenance(False), DELETE, maintenance(),
        DELETE]},
    {"name": "deployment", "node": FAKE, "steps": [
        *AVAILABLE, patch(instance_uuid=INSTANCE), patch(instance_uuid=INSTANCE), patch(instance_uuid=OTHER), DELETE,
        patch(instance_info=IMAGE), maintenance(), verb("active"), maintenance(False), verb("active", "active"),
        verb("manage"), verb("inspect"), verb("adopt"), verb("abort"), RECORD, patch(deploy_interface="direct"), drop("/instance_uuid"),
        power("power off"), power("power on"), DELETE, verb("deleted", "available"), DELETE]},
    {"name": "lent for an erasure", "node": FAKE, "steps": [
        *ACTIVE, power("power on"), patch(automated_clean=False, extra__ingot_erasure_owed=True), verb("deleted", "available"),
        LENT, power("power on"), power("power off"), maintenance(False), drop("/extra/ingot_erasure_owed"),
        verb("active", "active"), patch(extra__ingot_erasure_owed=True), verb("deleted", "available"), LENT, maintenance(False),
        MANAGE, patch(automated_clean=True), drop("/extra/ingot_erasure_owed"), verb("provide", "available"), DELETE]},
    {"name": "lent for a boot", "node": FAKE, "steps": [
        *AVAILABLE, patch(**ISO, deploy_interface="ramdisk"), LENT_TO_BOOT, power("power on"),
        patch(extra__ingot_live_iso="booted"), maintenance(False), MANAGE, verb("adopt", "active"), power("power on"), LENT_TO_BOOT,
        power("power off"), patch(extra__ingot_live_iso="ejected"), maintenance(False), drop("/extra/ingot_live_iso"),
        verb("deleted", "available"), patch(**ISO), LENT_TO_BOOT, patch(extra__ingot_live_iso="ejected"), maintenance(False), MANAGE,
        drop("/extra/ingot_live_iso"), verb("provide", "available"), patch(**ISO), LENT_TO_BOOT, maintenance(False), MANAGE,
        verb("adopt", "active"), verb("deleted", "available"), DELETE]},
    {"name": "a deployment that waits", "node": PATIENT, "mac": "52:54:00:aa:00:03", "steps": [
        *AVAILABLE, patch(instance_info=IMAGE), verb("active", "wait call-back"), RECORD, verb("active"), power("power off"),
        DELETE, verb("abort", "deploy failed"), RECORD, patch(deploy_interface="fake"), verb("manage"), verb("provide"),
        power("power on"), DELETE, verb("active", "wait call-back"), verb("deleted", "available"), DELETE]},
    {"name": "a deployment that fails", "node": PATIENT, "mac": "52:54:00:aa:00:04", "steps": [
        *AVAILABLE, patch(instance_info={**IMAGE, "image_source": "http://files/nowhere.raw"}),
        verb("active", "deploy failed", breaks="active"), verb("abort"), verb("deleted", "available"), DELETE]},
    {"name": "adoption", "node": UNBOOTABLE, "steps": [
        MANAGE, verb("adopt", "adopt failed", breaks="adopt"), RECORD, patch(deploy_interface="fake"), power("power on"),
        verb("provide"), verb("deleted"), MANAGE, patch(deploy_interface="fake"), verb("adopt", "active"), maintenance(),
        DELETE]},
    {"name": "an adoption given up", "node": UNBOOTABLE, "steps": [
        MANAGE, verb("adopt", "adopt failed", breaks="adopt"), DELETE]},
    {"name": "a tear-down that fails", "node": FAKE, "steps": [
        *ACTIVE, power("power on"), maintenance(),
        TO_NOWHERE,
        power("power off", breaks="power"), maintenance(False), verb("deleted", "error", breaks="deleted"), RECORD,
        patch(deploy_interface="direct"), patch(deploy_interface="ramdisk"), verb("manage"), verb("provide"), verb("active"),
        DELETE, verb("deleted", "error", breaks="deleted"), maintenance(), DELETE]},
    {"name": "servicing", "node": FAKE, "steps": [
        *AVAILABLE, verb("service", service_steps=NO_SUCH_STEP), verb("active", "active"), verb("service"),
        verb("service", "service failed", breaks="service", service_steps=NO_SUCH_STEP), RECORD,
        patch(raid_interface="no-raid"), power("power on"), verb("manage"), verb("abort"), maintenance(False), DELETE,
        verb("abort"), maintenance(), verb("service", service_steps=NO_SUCH_STEP), maintenance(False),
        verb("service", "service failed", breaks="service", service_steps=NO_SUCH_STEP), verb("deleted", "available"),
        maintenance(False), DELETE]},
    {"name": "steps of a service", "node": FAKE, "steps": [
        *ACTIVE, verb("service", "active", service_steps=REBOOT), power("power off"), verb("abort"),
        verb("deleted", "available"), maintenance(), DELETE]},
    {"name": "a service that failed is given up", "node": FAKE, "steps": [
        *ACTIVE, verb("service", "service failed", breaks="service", service_steps=NO_SUCH_STEP), maintenance(False),
        patch(raid_interface="no-raid"), DELETE, maintenance(), DELETE]},
    {"name": "a service that fails before its ramdisk", "node": FAKE, "steps": [
        *ACTIVE, verb("service", "servicing", breaks="service", service_steps=NO_SUCH_STEP, **BAD), RECORD,
        power("power on"), verb("abort"), verb("manage"), verb("deleted"), DELETE, maintenance(), DELETE]},
    {"name": "a service that waits", "node": PATIENT, "mac": "52:54:00:aa:00:05", "steps": [
        MANAGE, UNCLEAN, verb("adopt", "active"), verb("service", "service wait", service_steps=NO_SUCH_STEP), RECORD,
        power("power off"), verb("service", service_steps=NO_SUCH_STEP), DELETE, verb("abort", "active"),
        verb("service", "service wait", service_steps=NO_SUCH_STEP), verb("deleted", "available"), DELETE]},
    {"name": "power", "node": FAKE, "steps": [
        power("power on"), MANAGE, power("power on"), power("power off"), power("soft power off"), power("rebooting"),
        power("soft rebooting"), power("nonsense"), patch(disable_power_off=True), power("power off"),
        power("soft power off"), power("rebooting"), DELETE]},
    {"name": "held by hand", "node": FAKE, "steps": [
        MANAGE, maintenance(), maintenance(), verb("provide", "available"), patch(deploy_interface="direct"),
        power("power on"), MANAGE, verb("inspect", "manageable"), maintenance(False), maintenance(False), DELETE]},
]
