"""Where objects of Kubernetes say which webhook is asked."""


def client_configs(each):
    """Every place of the object that does."""
    if "group" in each.get("spec", {}):   # a CustomResourceDefinition; items of a list name no kind
        conversion = each["spec"].get("conversion", {})
        return [conversion["webhook"]["clientConfig"]] if conversion.get("strategy") == "Webhook" else []
    return [webhook["clientConfig"] for webhook in each.get("webhooks", [])]
