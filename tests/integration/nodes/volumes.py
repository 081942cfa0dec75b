"""What a pod mounts, as folders of this machine: kept as the API has it, as a kubelet does."""
import base64
import datetime
import json
import os
import shutil
import time

SHARE = 0.8   # of a token's life, after which it is renewed
TOKEN_SECONDS = 3607


class Missing(Exception):
    """What the pod waits for."""


class Volumes:
    """`world`: has `kube` and the informers `secrets` and `config_maps`."""

    def __init__(self, world, folder, pod):
        self.world, self.folder, self.pod = world, folder, pod
        self.namespace = pod["metadata"]["namespace"]
        self.tokens = {}    # by volume and path: (token, when to renew it)
        self.written = {}   # by volume: the files that there are
        self.count = 0

    def refresh(self):
        """Brings every folder up to date; Missing where something is not there that must be."""
        for volume in self.pod["spec"].get("volumes", ()):
            place = self.path(volume["name"])
            place.mkdir(parents=True, exist_ok=True)
            if "emptyDir" in volume:
                place.chmod(0o777)
                continue
            files = self._files(volume)
            if self.written.get(volume["name"]) != files:
                self._write(place, files)
                self.written[volume["name"]] = files

    def path(self, name):
        return self.folder / "volumes" / name

    def mounts(self, container):
        """As container.sh wants them."""
        return [f"{self.path(each['name'])}:{each['mountPath']}:{'ro' if each.get('readOnly') else 'rw'}"
                for each in container.get("volumeMounts", ())]

    def remove(self):
        shutil.rmtree(self.folder, ignore_errors=True)

    # Contents by path

    def _files(self, volume):
        if "secret" in volume:
            return self._data(self.world.secrets, volume["secret"], volume["secret"]["secretName"])
        if "configMap" in volume:
            return self._data(self.world.config_maps, volume["configMap"], volume["configMap"]["name"])
        assert "projected" in volume, f"volume {volume} is of a kind that is not known here"
        files = {}
        for source in volume["projected"]["sources"]:
            files |= self._projected(volume["name"], source)
        return files

    def _projected(self, volume, source):
        if "secret" in source:
            return self._data(self.world.secrets, source["secret"], source["secret"]["name"])
        if "configMap" in source:
            return self._data(self.world.config_maps, source["configMap"], source["configMap"]["name"])
        if "downwardAPI" in source:
            return {item["path"]: field_of(self.pod, item["fieldRef"]["fieldPath"]).encode() for item in source["downwardAPI"]["items"]}
        wanted = source["serviceAccountToken"]
        return {wanted["path"]: self._token(volume, wanted).encode()}

    def _data(self, informer, wanted, name):
        found = informer.get(self.namespace, name)
        if found is None:
            if wanted.get("optional"):
                return {}
            raise Missing(f"{informer.path.rpartition('/')[2]} {name} is not there")
        decode = base64.b64decode if informer is self.world.secrets else str.encode
        data = {key: decode(value) for key, value in (found.get("data") or {}).items()}
        if "items" not in wanted:
            return data
        missing = [item["key"] for item in wanted["items"] if item["key"] not in data]
        if missing and not wanted.get("optional"):
            raise Missing(f"{name} has no {missing[0]}")
        return {item["path"]: data[item["key"]] for item in wanted["items"] if item["key"] in data}

    def _token(self, volume, wanted):
        """Of the pod's account, for this pod and as long as it lives."""
        token, renew_at = self.tokens.get((volume, wanted["path"]), ("", 0))
        if time.time() < renew_at:
            return token
        metadata, seconds = self.pod["metadata"], wanted.get("expirationSeconds", TOKEN_SECONDS)
        spec = {"expirationSeconds": seconds, "boundObjectRef": {
            "apiVersion": "v1", "kind": "Pod", "name": metadata["name"], "uid": metadata["uid"]}}
        if "audience" in wanted:
            spec["audiences"] = [wanted["audience"]]
        account = self.pod["spec"]["serviceAccountName"]
        status = self.world.kube.call("POST", f"/api/v1/namespaces/{self.namespace}/serviceaccounts/{account}/token", {"spec": spec})["status"]
        ends = datetime.datetime.fromisoformat(status["expirationTimestamp"].replace("Z", "+00:00")).timestamp()
        self.tokens[(volume, wanted["path"])] = status["token"], time.time() + SHARE * (ends - time.time())
        return status["token"]

    # All at once: whoever reads sees the old files, or the new ones

    def _write(self, place, files):
        self.count += 1
        new = place / f"..{self.count}"
        new.mkdir()
        for path, data in files.items():
            file = new / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
            file.chmod(0o644)
        before = os.readlink(place / "..data") if (place / "..data").is_symlink() else None
        (place / "..data.new").symlink_to(new.name)
        os.replace(place / "..data.new", place / "..data")
        tops = {path.split("/")[0] for path in files}
        for top in tops:
            if not (place / top).is_symlink():
                (place / top).symlink_to(f"..data/{top}")
        for link in place.iterdir():
            if not link.name.startswith("..") and link.name not in tops:
                link.unlink()
        if before:
            shutil.rmtree(place / before)


def field_of(pod, path):
    """What a fieldRef asks for."""
    if path.startswith(("metadata.labels['", "metadata.annotations['")):
        where, _, rest = path.removeprefix("metadata.").partition("['")
        return pod["metadata"].get(where, {}).get(rest.removesuffix("']"), "")
    found = pod
    for part in path.split("."):
        found = found.get(part, "")
    return found if isinstance(found, str) else json.dumps(found)
