{{- define "rookery.name" -}}
{{- if contains .Chart.Name .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name .Chart.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "rookery.selector" -}}
app.kubernetes.io/name: {{ .Chart.Name }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "rookery.labels" -}}
{{ include "rookery.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{- end -}}

{{- define "rookery.image" -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}

{{- define "rookery.tokensSecret" -}}
{{ .Values.tokens.existingSecret | default (printf "%s-tokens" (include "rookery.name" .)) }}
{{- end -}}

{{- /* Seconds from the end's beginning until the pod is killed. */ -}}
{{- define "rookery.gracePeriod" -}}
{{ add .Values.drain.delay .Values.drain.timeout .Values.drain.grace }}
{{- end -}}

{{- /*
MiB of a pod: the hash, 100 for each engine there may be besides (what Stockfish takes beside
its Hash is 83), 384 for the server, its spare engines and a shared network.
*/ -}}
{{- define "rookery.memoryMb" -}}
{{ add .Values.budget.hashMb (mul 100 .Values.budget.threads) 384 }}
{{- end -}}

{{- define "rookery.resources" -}}
{{- if .Values.resources -}}
{{ toYaml .Values.resources }}
{{- else -}}
requests:
  cpu: {{ mulf .Values.budget.threads .Values.budget.cpuPerThread 1000 | int }}m
  memory: {{ include "rookery.memoryMb" . }}Mi
limits:
  memory: {{ include "rookery.memoryMb" . }}Mi
{{- end -}}
{{- end -}}

{{- /*
A table of TOML: its values, then the tables in it.  JSON's strings, numbers, booleans and
lists of those are TOML's, too; `toToml` would write every number as a float.
*/ -}}
{{- define "rookery.table" -}}
{{- $path := .path -}}
{{- $values := dict -}}
{{- $tables := dict -}}
{{- range $key, $value := .table -}}
{{- if kindIs "map" $value -}}
{{- $_ := set $tables $key $value -}}
{{- else if not (kindIs "invalid" $value) -}}
{{- $_ := set $values $key $value -}}
{{- end -}}
{{- end -}}
{{- if or $values (not $tables) }}

[{{ $path }}]
{{- range $key, $value := $values }}
{{ include "rookery.key" $key }} = {{ toJson $value }}
{{- end }}
{{- end -}}
{{- range $key, $value := $tables -}}
{{- include "rookery.table" (dict "path" (printf "%s.%s" $path (include "rookery.key" $key)) "table" $value) -}}
{{- end -}}
{{- end -}}

{{- define "rookery.key" -}}
{{- if regexMatch "^[A-Za-z0-9_-]+$" . }}{{ . }}{{ else }}{{ toJson . }}{{ end -}}
{{- end -}}

{{- /* What the chart sets of the configuration, over what is in `config`. */ -}}
{{- define "rookery.own" -}}
server:
  host: 0.0.0.0
  port: 8080
  tcp_port: {{ .Values.service.tcp.enabled | ternary 8081 false }}
  tokens: /run/rookery/tokens/{{ .Values.tokens.key }}
  plain: {{ empty .Values.tls.existingSecret }}
  drain: finish
  drain_timeout: {{ .Values.drain.timeout }}
  {{- with .Values.ingress.trustedProxies }}
  trusted_proxies: {{ toJson . }}
  {{- end }}
{{- if .Values.tls.existingSecret }}
tls:
  certificate: /run/rookery/tls/tls.crt
  key: /run/rookery/tls/tls.key
{{- end }}
budget:
  threads: {{ int64 .Values.budget.threads }}
  hash_mb: {{ int64 .Values.budget.hashMb }}
metrics:
  host: 0.0.0.0
  port: 9100
control:
  socket: /data/control.sock
{{- if .Values.postgresql.existingSecret }}
cache:
  url: "postgresql://"
{{- end }}
{{- end -}}

{{- define "rookery.configuration" -}}
{{- $log := dict "log" (dict "format" "json") -}}
{{- $config := mustMergeOverwrite $log (deepCopy .Values.config) (include "rookery.own" . | fromYaml) -}}
# Made by the chart; change its values instead.
{{- range $name, $table := $config -}}
{{- include "rookery.table" (dict "path" $name "table" $table) -}}
{{- end -}}
{{- range .Values.engines -}}
{{- include "rookery.table" (dict "path" (printf "engines.%s" (include "rookery.key" .name)) "table" (omit . "name")) -}}
{{- end }}
{{ end -}}
