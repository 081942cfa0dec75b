"""What two tests share: a deployment that fails is told, and another image starts anew."""
import verify
from case import within
from ironic_world import PROVISION_SECONDS, IronicTest, IronicWorld


class ForgetfulWorld(IronicWorld):
    sync_seconds = 1   # a sync empties last_error, mostly before anybody has read it


class FailingImage(IronicTest):
    world_type = ForgetfulWorld

    def fails_with(self, image, words):
        world = self.world
        world.create_host("m0", image=world.image_spec(**image))
        world.hosts.wait_for("m0", lambda host: host.error_type == "provisioning error"
                             and all(word in host.error for word in ["Image provisioning failed", *words]),
                             PROVISION_SECONDS, f"a provisioning error that names {', '.join(words)}")
        within(10, "an Event tells of it", lambda: world.events("ProvisioningError"),   # it is written after the status
               lambda: sorted(event["reason"] for event in world.kube.items("/api/v1/events")))

    def heals(self):
        world = self.world
        world.patch_host("m0", {"image": world.image_spec()})
        world.provisioned()
        verify.image_is_on(world.fleet.machines["m0"].disk, world.image)
