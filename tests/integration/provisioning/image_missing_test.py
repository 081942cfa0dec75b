"""An image that is not there: the host says so, with the URL, and heals with the right one."""
import failing_image


class ImageMissing(failing_image.FailingImage):
    machines = {"m0": "redfish"}

    def test_an_image_that_is_not_there_is_named_and_the_right_one_heals(self):
        self.fails_with({"url": f"{self.world.fleet.url}/nowhere.raw"}, ["/nowhere.raw", "404"])
        self.heals()
