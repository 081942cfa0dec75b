"""Where objects of Kubernetes say which webhook is asked."""

# Lists of objects that do.
WITH_WEBHOOKS = ("/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                 "/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations",
                 "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations")


def client_configs(each):
    """Every place of the object that does."""
    if "group" in each.get("spec", {}):   # a CustomResourceDefinition; items of a list name no kind
        conversion = each["spec"].get("conversion", {})
        return [conversion["webhook"]["clientConfig"]] if conversion.get("strategy") == "Webhook" else []
    return [webhook["clientConfig"] for webhook in each.get("webhooks", [])]
