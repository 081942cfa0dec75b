"""Where objects of Kubernetes say which webhook is asked."""


def client_configs(each):
    """Every place of the object that does."""
    if each["kind"] == "CustomResourceDefinition":
        conversion = each["spec"].get("conversion", {})
        return [conversion["webhook"]["clientConfig"]] if conversion.get("strategy") == "Webhook" else []
    return [webhook["clientConfig"] for webhook in each.get("webhooks", [])]
