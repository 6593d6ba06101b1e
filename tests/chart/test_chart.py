"""Manifests that the chart makes of values: `make chart-test`.

Not among the tests of `make test`: Helm's library and the schemas of Kubernetes take 350 MB.
"""

import json

import helm_python
import kubernetes_validate
import pytest
import yaml
from helpers.charts import ALL, CHART, INGRESS, NAMESPACE, SETS, Rendered, Values, render

# The oldest that Chart.yaml allows, and the newest that the library knows.
VERSIONS = ("1.27", kubernetes_validate.latest_version())
NO_SCHEMA = {"ServiceMonitor"}  # of the Prometheus Operator
WARNING = 2  # of Helm's lint


@pytest.fixture(scope="module", params=ALL)
def rendered(request: pytest.FixtureRequest) -> Rendered:
    return render(ALL[request.param])


@pytest.mark.parametrize("name", ALL)
def test_lint_finds_nothing(name: str) -> None:
    report = helm_python.lint(CHART, ALL[name], strict=True, namespace=NAMESPACE)
    assert report["errors"] == []
    assert [each for each in report["messages"] if each["severity"] >= WARNING] == []


@pytest.mark.parametrize("version", VERSIONS)
def test_kubernetes_takes_every_object(rendered: Rendered, version: str) -> None:
    known = [each for each in rendered.objects if each["kind"] not in NO_SCHEMA]
    assert len(known) >= 5
    for each in known:
        kubernetes_validate.validate(each, version, strict=True)


def test_monitor_finds_the_service_of_the_metrics() -> None:
    rendered = render(SETS["autoscaling"])
    monitor, service = rendered.find("ServiceMonitor"), rendered.find("Service", "-metrics")
    wanted = monitor["spec"]["selector"]["matchLabels"]
    assert wanted.items() <= service["metadata"]["labels"].items()
    assert not wanted.items() <= rendered.find("Service")["metadata"]["labels"].items()
    [endpoint] = monitor["spec"]["endpoints"]
    assert endpoint["port"] in [port["name"] for port in service["spec"]["ports"]]


def test_pod_is_hardened(rendered: Rendered) -> None:
    pod, container = rendered.pod()["spec"], rendered.container()
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["securityContext"]["runAsUser"] == 10001
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert pod["automountServiceAccountToken"] is False
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert container["resources"]["limits"]["memory"]


def test_every_volume_is_mounted_once(rendered: Rendered) -> None:
    volumes = [each["name"] for each in rendered.pod()["spec"]["volumes"]]
    mounts = [each["name"] for each in rendered.container()["volumeMounts"]]
    assert sorted(volumes) == sorted(mounts)


def test_only_the_pods_of_the_server_are_selected(rendered: Rendered) -> None:
    labels = rendered.pod()["metadata"]["labels"]
    other = rendered.find("Pod", "-test")["metadata"]["labels"]
    selectors = [
        rendered.find("Service")["spec"]["selector"],
        rendered.find("Deployment")["spec"]["selector"]["matchLabels"],
        rendered.find("PodDisruptionBudget")["spec"]["selector"]["matchLabels"],
        rendered.find("NetworkPolicy")["spec"]["podSelector"]["matchLabels"],
    ]
    for selector in selectors:
        assert selector.items() <= labels.items()
        assert not selector.items() <= other.items()


def test_pod_is_killed_only_when_all_had_its_time() -> None:
    rendered = render({"drain": {"delay": 5, "timeout": 300, "grace": 15}})
    assert rendered.pod()["spec"]["terminationGracePeriodSeconds"] == 320
    assert rendered.container()["lifecycle"]["preStop"]["exec"]["command"] == ["sleep", "5"]
    assert "drain_timeout = 300\n" in rendered.configuration()
    assert 'drain = "finish"\n' in rendered.configuration()


def test_resources_follow_from_threads_and_hash() -> None:
    resources = render({"budget": {"threads": 4, "hashMb": 1024}}).container()["resources"]
    assert resources["requests"] == {"cpu": "4000m", "memory": "1808Mi"}
    assert resources["limits"] == {"memory": "1808Mi"}
    shared = render({"budget": {"threads": 4, "cpuPerThread": 0.25}}).container()["resources"]
    assert shared["requests"]["cpu"] == "1000m"


def test_probes_ask_the_port_that_listens(rendered: Rendered) -> None:
    container = rendered.container()
    ports = {port["name"]: port["containerPort"] for port in container["ports"]}
    tls = "\n[tls]\n" in rendered.configuration()
    for name, path in (("startup", "/healthz"), ("liveness", "/healthz"), ("readiness", "/readyz")):
        request = container[f"{name}Probe"]["httpGet"]
        assert (ports[request["port"]], request["path"]) == (8080, path)
        assert request["scheme"] == ("HTTPS" if tls else "HTTP")


def test_configuration_that_changes_makes_new_pods() -> None:
    def checksum(values: Values) -> str:
        return render(values).pod()["metadata"]["annotations"]["checksum/configuration"]

    assert checksum({}) == checksum({"replicas": 2})
    assert checksum({}) != checksum({"config": {"quota": {"threads": 1}}})


def test_autoscaler_and_replicas_exclude_each_other() -> None:
    assert render({"replicas": 3}).find("Deployment")["spec"]["replicas"] == 3
    assert "HorizontalPodAutoscaler" not in render().kinds()
    rendered = render(SETS["autoscaling"])
    assert "replicas" not in rendered.find("Deployment")["spec"]
    scaler = rendered.find("HorizontalPodAutoscaler")["spec"]
    targets = {
        each["pods"]["metric"]["name"]: each["pods"]["target"]["averageValue"]
        for each in scaler["metrics"]
    }
    # 70 % of 2 threads
    assert targets == {"rookery_sessions_searching": "1400m", "rookery_queue_length": "1"}
    assert scaler["behavior"]["scaleDown"] == {
        "stabilizationWindowSeconds": 1800,
        "policies": [{"type": "Pods", "value": 1, "periodSeconds": 900}],
    }


def test_clients_come_back_to_the_same_pod() -> None:
    assert render().find("Service")["spec"]["sessionAffinity"] == "ClientIP"
    haproxy = render(SETS["ingress"]).find("Ingress")["metadata"]["annotations"]
    # The lines that `python -m bench.balance` has tried.
    tried = (CHART.parents[1] / "haproxy.cfg").read_text()
    for line in haproxy["haproxy.org/backend-config-snippet"].splitlines():
        assert f"    {line}\n" in tried
    assert haproxy["haproxy.org/timeout-tunnel"] == "300s"
    nginx = render(SETS["nginx"]).find("Ingress")["metadata"]["annotations"]
    assert nginx["nginx.ingress.kubernetes.io/proxy-read-timeout"] == "600"
    assert "$http_authorization" in nginx["nginx.ingress.kubernetes.io/upstream-hash-by"]


def test_proxy_speaks_tls_to_a_server_that_does() -> None:
    own = {"existingSecret": "chess-example"}
    for controller, key, value in (
        ("haproxy", "haproxy.org/server-ssl", "true"),
        ("nginx", "nginx.ingress.kubernetes.io/backend-protocol", "HTTPS"),
    ):
        ingress = {**INGRESS, "controller": controller}
        given = render({"ingress": ingress, "tls": own}).find("Ingress")["metadata"]["annotations"]
        assert given[key] == value
        without = render({"ingress": ingress}).find("Ingress")["metadata"]["annotations"]
        assert key not in without
    assert "wss://127.0.0.1:8080/" in render({"tls": own}).notes


def test_annotations_of_the_operator_are_over_those_of_the_chart() -> None:
    given = {"haproxy.org/timeout-tunnel": "2h"}
    rendered = render({"ingress": {**INGRESS, "annotations": given}})
    assert given.items() <= rendered.find("Ingress")["metadata"]["annotations"].items()


def test_network_is_closed_but_for_what_is_needed() -> None:
    policy = render().find("NetworkPolicy")["spec"]
    assert policy["policyTypes"] == ["Ingress", "Egress"]
    assert policy["egress"] == []
    [clients, metrics] = policy["ingress"]
    assert [port["port"] for port in clients["ports"]] == ["http", "tcp"]
    assert [port["port"] for port in metrics["ports"]] == ["metrics"]
    assert metrics["from"]
    [database] = render(SETS["postgresql"]).find("NetworkPolicy")["spec"]["egress"]
    assert {port["port"] for port in database["ports"]} == {53, 5432}
    rendered = render({"networkPolicy": {"from": [{"ipBlock": {"cidr": "192.0.2.0/24"}}]}})
    own, test = rendered.find("NetworkPolicy")["spec"]["ingress"][0]["from"]
    assert own == {"ipBlock": {"cidr": "192.0.2.0/24"}}
    pod = rendered.find("Pod", "-test")["metadata"]["labels"]
    assert test["podSelector"]["matchLabels"].items() <= pod.items()


def test_no_secret_is_in_anything_but_the_secret() -> None:
    rendered = render(SETS["postgresql"])
    token = rendered.secret()["admin-token"].strip()
    others = [each for each in rendered.objects if each["kind"] != "Secret"]
    assert token not in json.dumps(others)
    assert token.split("_", 2)[2] not in rendered.secret()["tokens"]
    env = {each["name"]: each for each in rendered.container()["env"]}
    assert env["PGPASSWORD"]["valueFrom"]["secretKeyRef"] == {
        "name": "analyses-app",
        "key": "password",
    }


def test_each_installation_has_a_token_of_its_own() -> None:
    assert render().secret()["admin-token"] != render().secret()["admin-token"]
    assert "Secret" not in render({"tokens": {"existingSecret": "members"}}).kinds()


def test_notes_say_what_to_do_next(rendered: Rendered) -> None:
    ingress = "Ingress" in rendered.kinds()
    assert ("https://chess.example/" in rendered.notes) == ingress
    assert ("admin-token" in rendered.notes) == ("Secret" in rendered.kinds())


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"replicas": 0}, "'/replicas': minimum: got 0, want 1"),
        ({"tokns": {}}, "'tokns' not allowed"),
        ({"engines": []}, "'/engines': minItems"),
        ({"engines": [{"name": "a"}]}, "'/engines/0': missing property 'command'"),
        ({"engines": [{"name": "a", "command": "b"}] * 2}, 'engines has "a" twice'),
        ({"drain": {"timeout": 7200}}, "'/drain/timeout': maximum"),
        ({"budget": {"cpuPerThread": 2}}, "'/budget/cpuPerThread': maximum"),
        ({"storage": {"data": "much"}}, "'/storage/data'"),
        ({"service": {"type": "LoadBalancer"}}, "set tls.existingSecret"),
        ({"ingress": {**INGRESS, "host": ""}}, "ingress.host is empty"),
        ({"ingress": {**INGRESS, "tlsSecret": ""}}, "without TLS tokens would go over"),
        ({"ingress": {**INGRESS, "trustedProxies": []}}, "ingress.trustedProxies is empty"),
        ({"ingress": {**INGRESS, "trustedProxies": ["0.0.0.0/0"]}}, "is nearly everybody"),
        ({"ingress": {**INGRESS, "trustedProxies": ["10.0.0.0/8", "::/0"]}}, "has ::/0, which"),
        ({"ingress": {**INGRESS, "controller": "apache"}}, "'/ingress/controller'"),
        ({"config": {"quotta": {}}}, "'quotta' not allowed"),
        ({"config": {"server": {"host": "::"}}}, "config.server.host cannot be set"),
        ({"config": {"cache": {"url": "sqlite://"}}}, "use postgresql.existingSecret"),
        ({"config": {"budget": {"threads": 3}}}, "config.budget cannot be set"),
        (
            {"autoscaling": {"enabled": True, "minReplicas": 5, "maxReplicas": 2}},
            "autoscaling.minReplicas 5 is more than autoscaling.maxReplicas 2",
        ),
    ],
)
def test_bad_values_are_refused_with_a_reason(values: Values, words: str) -> None:
    with pytest.raises(helm_python.HelmError) as error:
        render(values)
    assert words in str(error.value)


def test_every_value_has_a_schema_and_a_default() -> None:
    """Neither the schema nor values.yaml has a key that the other lacks."""
    schema = json.loads((CHART / "values.schema.json").read_text())
    values = yaml.safe_load((CHART / "values.yaml").read_text())

    def compare(path: str, schema: dict, value: object) -> None:
        properties = schema.get("properties")
        if not properties or schema.get("additionalProperties", True) is not False:
            return
        assert isinstance(value, dict), path
        if value:  # an empty one has its keys from elsewhere: config, resources
            assert set(value) == set(properties) - {"global"}, path
            for key in value:
                compare(f"{path}.{key}", properties[key], value[key])

    compare("", schema, values)
