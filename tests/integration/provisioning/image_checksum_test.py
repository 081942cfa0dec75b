"""A wrong checksum: the host says so, nothing of the image may run, and the right checksum heals."""
import failing_image


class ImageChecksum(failing_image.FailingImage):
    machines = {"m0": "redfish-virtualmedia"}

    def test_a_wrong_checksum_is_named_and_the_right_one_heals(self):
        wrong = "0" * 64
        self.fails_with({"checksum": wrong}, [wrong, "checksum"])
        self.assertNotIn("Hdd", [entry["detail"] for entry in self.world.fleet.journal("m0") if entry["action"] == "boot"])
        self.heals()
