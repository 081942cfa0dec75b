"""Reads a provider's rendered manifests and writes, as a JSON list, those that its manager needs when it runs as a plain process
of an administrator: its kinds and its webhooks. Without Deployment, Service, cert-manager and RBAC."""
import json
import sys

import yaml

KEPT = ("CustomResourceDefinition", "MutatingWebhookConfiguration", "ValidatingWebhookConfiguration")


def main():
    objects = yaml.load_all(sys.stdin, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    json.dump([each for each in objects if each["kind"] in KEPT], sys.stdout)


if __name__ == "__main__":
    main()
