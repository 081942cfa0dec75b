"""The one way in which a demo ends badly."""


class Failure(Exception):
    """What went wrong, in a sentence, and the file in which to read why."""

    def __init__(self, what, log=None):
        super().__init__(what)
        self.log = log
