"""The one way in which a demo ends badly."""


class Failure(Exception):
    """What went wrong, in a sentence, and the file in which to read why; `folder` of the run, once there is one."""

    def __init__(self, what, log=None):
        super().__init__(what)
        self.log, self.folder = log, None

    def whereabouts(self):
        if self.log:
            return f"; read {self.log}"
        return f"; logs are in {self.folder}" if self.folder else ""


class Unanswered(Failure):
    """Nobody answered, or said that it cannot now. Who waits asks again."""
