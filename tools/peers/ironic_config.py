#!/usr/bin/env python3
"""Writes the ironic.conf of a loopback Ironic (one process, SQLite) and the folders it wants.

    ironic_config.py --state DIR --api-port P --http-url URL --http-root DIR [--verify-ca PEM] [...]

Everything below DIR belongs to this Ironic; the HTTP root is served by somebody else at --http-url.
"""
import argparse
import pathlib
import subprocess

TEMPLATE = """\
[DEFAULT]
auth_strategy = noauth
rpc_transport = none
host = localhost
my_ip = 127.0.0.1
state_path = {state}/state
tempdir = {state}/tmp
log_file = {state}/ironic.log
debug = {debug}
default_log_levels = {log_levels}
enabled_hardware_types = fake-hardware,redfish,ipmi,manual-management
enabled_bios_interfaces = no-bios,fake,redfish
enabled_boot_interfaces = ipxe,redfish-virtual-media,fake
enabled_console_interfaces = no-console
enabled_deploy_interfaces = direct,fake,ramdisk,noop,custom-agent
enabled_firmware_interfaces = no-firmware,fake,redfish
enabled_inspect_interfaces = agent,no-inspect,fake,redfish
enabled_management_interfaces = fake,redfish,ipmitool,noop
enabled_network_interfaces = noop
enabled_power_interfaces = fake,redfish,ipmitool
enabled_raid_interfaces = no-raid,fake,agent,redfish
enabled_rescue_interfaces = no-rescue,fake,agent
enabled_storage_interfaces = noop,fake
enabled_vendor_interfaces = no-vendor,fake,ipmitool,redfish
default_network_interface = noop
default_inspect_interface = agent
default_deploy_interface = direct

[api]
host_ip = 127.0.0.1
port = {api_port}
public_endpoint = http://127.0.0.1:{api_port}
api_workers = 1

[service_catalog]
auth_type = none
endpoint_override = http://127.0.0.1:{api_port}

[database]
connection = sqlite:///{state}/state/ironic.sqlite

[conductor]
automated_clean = True
clean_callback_timeout = {callback_timeout}
deploy_callback_timeout = {callback_timeout}
inspect_wait_timeout = {callback_timeout}
deploy_kernel = {http_url}/ipa.kernel
deploy_ramdisk = {http_url}/ipa.initramfs
bootloader = {http_url}/esp.img
file_url_allowed_paths = {state}/images,{http_root}
sync_power_state_interval = {power_sync_interval}
power_failure_recovery_interval = {power_recovery_interval}
force_power_state_during_sync = {force_power_state}
# The periodic checks that notice timeouts; the default minute would make failures slow to see.
check_provision_state_interval = 10
power_state_change_timeout = 60

[deploy]
http_root = {http_root}
http_url = {http_url}
default_boot_option = local
erase_devices_priority = 0
erase_devices_metadata_priority = 10

[dhcp]
dhcp_provider = none

[pxe]
tftp_root = {state}/tftp
tftp_server = 127.0.0.1
tftp_master_path = {state}/master/tftp
images_path = {state}/images
instance_master_path = {state}/master/instance

[agent]
image_download_source = http
require_tls = False
certificates_path = {state}/state/certificates

[inspector]
require_managed_boot = True

[redfish]
use_swift = False
auth_type = basic
connection_attempts = 2
connection_retry_interval = 1
{verify_ca}

[ipmi]
min_command_interval = 1
use_ipmitool_retries = False
"""

# Ironic's own list.
LOG_LEVELS = ("amqp=WARNING", "amqplib=WARNING", "qpid.messaging=INFO", "oslo.messaging=INFO", "oslo_messaging=INFO",
              "stevedore=INFO", "iso8601=WARNING", "requests=WARNING", "urllib3.connectionpool=WARNING",
              "keystonemiddleware.auth_token=INFO", "keystoneauth.session=INFO", "openstack=WARNING", "oslo_policy=WARNING",
              "oslo_concurrency.lockutils=WARNING")
LOCKS = "ironic.conductor.task_manager=DEBUG"

FOLDERS = ("state", "state/certificates", "tmp", "tftp", "master/tftp", "master/instance", "images")


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--state", required=True, type=pathlib.Path)
    parser.add_argument("--api-port", required=True, type=int)
    parser.add_argument("--http-url", required=True, help="where the HTTP root is served, without a slash at the end")
    parser.add_argument("--http-root", required=True, type=pathlib.Path)
    parser.add_argument("--verify-ca", type=pathlib.Path, help="PEM file of the authority that signed the BMCs' certificates")
    parser.add_argument("--power-sync-interval", type=int, default=60, help="seconds (Ironic's own default)")
    parser.add_argument("--power-recovery-interval", type=int, default=300,
                        help="seconds from one look for a lost BMC to the next (Ironic's own default)")
    parser.add_argument("--force-power-state", choices=("True", "False"), default="True",
                        help="whether a power sync puts nodes back to the power Ironic remembers")
    parser.add_argument("--callback-timeout", type=int, default=120, help="seconds to wait for a ramdisk")
    parser.add_argument("--debug", action="store_true")
    parser.add_argument("--log-locks", action="store_true", help="log what takes a lock on a node, each power sync included")
    return parser.parse_args()


def make_boot_files(http_root):
    """Ironic downloads these; nobody executes them, so any bytes do. The ESP must be a real FAT image."""
    for name in ("ipa.kernel", "ipa.initramfs"):
        (http_root / name).write_bytes(f"stand-in for {name}\n".encode())
    esp = http_root / "esp.img"
    if not esp.exists():
        subprocess.run(["/usr/sbin/mkfs.vfat", "-C", str(esp), "4096"], check=True, stdout=subprocess.DEVNULL)


def main():
    args = arguments()
    state = args.state.resolve()
    http_root = args.http_root.resolve()
    for folder in FOLDERS:
        (state / folder).mkdir(parents=True, exist_ok=True)
    http_root.mkdir(parents=True, exist_ok=True)
    make_boot_files(http_root)
    text = TEMPLATE.format(
        state=state, api_port=args.api_port, http_url=args.http_url.rstrip("/"), http_root=http_root, debug=args.debug,
        log_levels=",".join(LOG_LEVELS + ((LOCKS,) if args.log_locks else ())),
        callback_timeout=args.callback_timeout, power_sync_interval=args.power_sync_interval,
        power_recovery_interval=args.power_recovery_interval,
        force_power_state=args.force_power_state,
        verify_ca=f"verify_ca = {args.verify_ca.resolve()}" if args.verify_ca else "")
    (state / "ironic.conf").write_text(text)
    print(state / "ironic.conf")


if __name__ == "__main__":
    main()
