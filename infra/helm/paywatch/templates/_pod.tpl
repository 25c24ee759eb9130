{{- define "paywatch.labels" -}}
app.kubernetes.io/name: paywatch
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "paywatch.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- end }}
{{- if not .Values.image.digest -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end }}
{{- end }}

{{/* Where a process finds its configuration: secrets as files, all else in the environment. */}}
{{- define "paywatch.env" -}}
- { name: NODE_ENV, value: production }
- { name: ADMIN_HOST, value: "0.0.0.0" }
{{- range $name, $value := .Values.config }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range .Values.secret.keys }}
- name: {{ . }}_FILE
  value: /run/secrets/paywatch/{{ . }}
{{- end }}
{{- end }}

{{- define "paywatch.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "paywatch.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "paywatch.secretVolume" -}}
- name: secrets
  secret:
    secretName: {{ required "secret.name: a Secret with DATABASE_URL, REDIS_URL and ENCRYPTION_KEYS" .Values.secret.name }}
    defaultMode: 0440
{{- end }}

{{/* The same for what connects to Postgres alone, as another role than the services: its own Secret, or theirs. */}}
{{- define "paywatch.databaseEnv" -}}
- { name: NODE_ENV, value: production }
{{- range .keys }}
- name: {{ . }}_FILE
  value: /run/secrets/paywatch/{{ . }}
{{- end }}
{{- end }}

{{- define "paywatch.pullSecrets" -}}
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{- toYaml . | nindent 2 }}
{{- end }}
{{- end }}
