"""An OCI image layout (image-spec 1.1): blobs by digest, and an index that names images."""
import json
import typing

from layer import digest

MANIFEST = "application/vnd.oci.image.manifest.v1+json"
CONFIG = "application/vnd.oci.image.config.v1+json"
LAYER = "application/vnd.oci.image.layer.v1.tar+gzip"
SPDX = "application/spdx+json"
EMPTY = "application/vnd.oci.empty.v1+json"
EPOCH = "1970-01-01T00:00:00Z"


class Config(typing.NamedTuple):
    entrypoint: list
    user: str
    labels: dict


class NoLayout(Exception):
    pass


def check(folder):
    """Raises NoLayout for one that holds anything else: it is going to be replaced."""
    if folder.exists() and not (folder / "oci-layout").exists() and any(folder.iterdir()):
        raise NoLayout(f"{folder} holds other things than an OCI layout")


class Layout:
    """In a folder that is empty."""

    def __init__(self, folder):
        self.folder = folder
        (folder / "blobs/sha256").mkdir(parents=True)
        (folder / "oci-layout").write_text('{"imageLayoutVersion":"1.0.0"}')
        self.manifests, self.named = [], {}

    def add(self, name, layer, config, bill):
        """The image, and its bill of materials beside it, which refers to it. Returns the bytes of its layer."""
        described = self._blob(CONFIG, {
            "architecture": "amd64", "os": "linux", "created": EPOCH,
            "config": {"Entrypoint": config.entrypoint, "User": config.user, "WorkingDir": "/", "Labels": config.labels,
                       "Env": ["PATH=/usr/bin", "HOME=/tmp"]},
            "rootfs": {"type": "layers", "diff_ids": [layer.plain]},
            "history": [{"created": EPOCH, "created_by": "./dev image"}]})
        packed = self._blob(LAYER, layer.packed)
        image = self._blob(MANIFEST, {"schemaVersion": 2, "mediaType": MANIFEST, "config": described, "layers": [packed],
                                      "annotations": config.labels})
        self.manifests.append({**image, "platform": {"architecture": "amd64", "os": "linux"},
                               "annotations": {"org.opencontainers.image.ref.name": name}})
        self.named[name] = image["digest"]
        listed = self._blob(SPDX, bill)
        nothing = self._blob(EMPTY, {})
        self.manifests.append({**self._blob(MANIFEST, {
            "schemaVersion": 2, "mediaType": MANIFEST, "artifactType": SPDX, "config": nothing, "layers": [listed], "subject": image}),
            "artifactType": SPDX})
        return len(layer.packed)

    def digest_of(self, name):
        return self.named[name]

    def finish(self):
        index = {"schemaVersion": 2, "mediaType": "application/vnd.oci.image.index.v1+json", "manifests": self.manifests}
        (self.folder / "index.json").write_text(json.dumps(index, indent=1, sort_keys=True))

    def _blob(self, media_type, content):
        if not isinstance(content, bytes):
            content = json.dumps(content, sort_keys=True, separators=(",", ":")).encode()
        name = digest(content)
        (self.folder / "blobs/sha256" / name.removeprefix("sha256:")).write_bytes(content)
        return {"mediaType": media_type, "digest": name, "size": len(content)}
