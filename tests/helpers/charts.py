"""The chart of docker/chart/rookery, rendered by Helm's own library, and values to try it with."""

import base64
import re
from dataclasses import dataclass
from pathlib import Path

import helm_python
import yaml

CHART = Path(__file__).parents[2] / "docker" / "chart" / "rookery"
GUIDE = CHART.parents[2] / "docs" / "kubernetes.md"
RELEASE, NAMESPACE = "chess", "games"

Values = dict[str, object]

INGRESS: Values = {
    "enabled": True,
    "className": "haproxy",
    "controller": "haproxy",
    "host": "chess.example",
    "tlsSecret": "chess-example",
    "trustedProxies": ["10.42.0.0/16"],
}
SETS: dict[str, Values] = {
    "default": {},
    "ingress": {"ingress": INGRESS},
    "nginx": {"ingress": {**INGRESS, "controller": "nginx", "timeout": 600}},
    "own TLS": {
        "tls": {"existingSecret": "chess-example"},
        "service": {"type": "LoadBalancer", "port": 443},
    },
    "autoscaling": {
        "autoscaling": {"enabled": True, "maxReplicas": 4},
        "metrics": {"serviceMonitor": {"enabled": True, "labels": {"release": "prometheus"}}},
    },
    "postgresql": {
        "postgresql": {"existingSecret": "analyses-app"},
        "config": {"cache": {"shared": True, "rows": 1000000}},
        "replicas": 3,
    },
    "everything else": {
        "image": {"tag": "1.2.3", "pullSecrets": ["registry"], "pullPolicy": "Always"},
        "engines": [
            {
                "name": "stockfish-17.1",
                "command": ["/usr/games/stockfish"],
                "nice": 3,
                "options": {"Move Overhead": 100, "UCI_ShowWDL": True},
                "aliases": {"SyzygyPath": {"small": "/tables/3-4-5"}},
            },
            {"name": "rookery", "command": "rookery-engine"},
        ],
        "budget": {"threads": 8, "hashMb": 2048, "cpuPerThread": 0.25},
        "config": {
            "quota": {"threads": 2, "longest_search": 600},
            "quotas": {"anna": {"longest_search": False}},
            "server": {"origins": ["https://club.example"], "hosts": ["chess.example"]},
            "log": {"level": "debug"},
            "machines": {"enabled": False},
        },
        "tokens": {"existingSecret": "members", "key": "members.jsonl"},
        "service": {"tcp": {"enabled": False}},
        "networkPolicy": {
            "from": [{"ipBlock": {"cidr": "192.0.2.0/24"}}],
            "extraEgress": [{"to": [{"ipBlock": {"cidr": "192.0.2.7/32"}}]}],
        },
        "podDisruptionBudget": {"maxUnavailable": "25%"},
        "resources": {"requests": {"cpu": 4}, "limits": {"memory": "8Gi"}},
        "priorityClassName": "high",
        "nodeSelector": {"disk": "ssd"},
        "tolerations": [{"key": "engines", "operator": "Exists"}],
        "affinity": {"nodeAffinity": {}},
        "spread": False,
        "podAnnotations": {"a": "b"},
        "podLabels": {"team": "chess"},
    },
}


def guide_sets() -> dict[str, Values]:
    """Return the values that the guide shows."""
    blocks = re.findall(r"```yaml\n# values.*?\n(.*?)```", GUIDE.read_text(), re.DOTALL)
    return {f"guide {number}": yaml.safe_load(text) for number, text in enumerate(blocks, 1)}


ALL = SETS | guide_sets()


@dataclass(frozen=True)
class Rendered:
    """Return the manifests of an installation with some values."""

    notes: str
    objects: tuple[dict[str, object], ...]

    def kinds(self) -> list[str]:
        return [str(each["kind"]) for each in self.objects]

    def find(self, kind: str, suffix: str = "") -> dict:
        """Return the one object of a kind whose name ends so."""
        [found] = [
            each
            for each in self.objects
            if each["kind"] == kind and each["metadata"]["name"] == f"{RELEASE}-rookery{suffix}"
        ]
        return found

    def pod(self) -> dict:
        return self.find("Deployment")["spec"]["template"]

    def container(self) -> dict:
        [container] = self.pod()["spec"]["containers"]
        return container

    def configuration(self) -> str:
        return self.find("ConfigMap")["data"]["rookery.toml"]

    def secret(self) -> dict[str, str]:
        data = self.find("Secret", "-tokens")["data"]
        return {key: base64.b64decode(value).decode() for key, value in data.items()}


def render(values: Values | None = None) -> Rendered:
    """Render the chart.

    Raises:
        helm_python.HelmError: the values cannot be used; the message says why.

    """
    with helm_python.Chart.load(CHART) as chart:
        files = chart.render(values=values or {}, name=RELEASE, namespace=NAMESPACE)
    [notes] = [text for name, text in files.items() if name.endswith("NOTES.txt")]
    objects = [
        document
        for name, text in files.items()
        if not name.endswith("NOTES.txt")
        for document in yaml.safe_load_all(text)
        if document
    ]
    return Rendered(notes, tuple(objects))
