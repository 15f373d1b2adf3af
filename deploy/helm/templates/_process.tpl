{{- define "quire.labels" -}}
app.kubernetes.io/name: quire
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "quire.deployment" -}}
{{- $process := index .root.Values .role -}}
{{- with .root -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ .Release.Name }}-{{ $.role }}
  labels: {{- include "quire.labels" . | nindent 4 }}
spec:
  replicas: {{ $process.replicas }}
  selector:
    matchLabels: {{- include "quire.labels" . | nindent 6 }}
      app.kubernetes.io/component: {{ $.role }}
  # A new process serves before an old one is stopped.
  strategy: { type: RollingUpdate, rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }
  template:
    metadata:
      labels: {{- include "quire.labels" . | nindent 8 }}
        app.kubernetes.io/component: {{ $.role }}
    spec:
      {{- with .Values.serviceAccount.name }}
      serviceAccountName: {{ . }}
      {{- end }}
      automountServiceAccountToken: {{ ne .Values.serviceAccount.name "" }}
      # Longer than the 15 s in which the service stops, and the delay before it.
      terminationGracePeriodSeconds: 45
      securityContext: { runAsNonRoot: true, runAsUser: 10001, runAsGroup: 10001, fsGroup: 10001, seccompProfile: { type: RuntimeDefault } }
      containers:
        - name: quire
          image: "{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}"
          imagePullPolicy: {{ .Values.image.pullPolicy }}
          securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false, capabilities: { drop: [ALL] } }
          ports: [{ name: http, containerPort: 8080 }]
          env:
            - { name: QUIRE_ROLE, value: {{ $.role }} }
            - { name: QUIRE_SAMPLE, value: "false" }
            - { name: QUIRE_STORAGE_URL, value: {{ required "storageUrl is needed" .Values.storageUrl | quote }} }
            {{- if .Values.certificateSecret }}
            - { name: QUIRE_EXTRA_CA_FILE, value: /run/certificates/ca.pem }
            {{- end }}
            {{- range $name, $value := .Values.settings }}
            - { name: {{ $name }}, value: {{ $value | quote }} }
            {{- end }}
          envFrom:
            - secretRef: { name: {{ required "existingSecret is needed" .Values.existingSecret }} }
          startupProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 2, failureThreshold: 150 }
          livenessProbe: { httpGet: { path: /healthz, port: http }, periodSeconds: 15, timeoutSeconds: 5 }
          readinessProbe: { httpGet: { path: /readyz, port: http }, periodSeconds: 5, timeoutSeconds: 4 }
          # Load balancers remove the process before it refuses connections.
          lifecycle: { preStop: { exec: { command: [sleep, "5"] } } }
          resources: {{- toYaml $process.resources | nindent 12 }}
          volumeMounts:
            - { name: scratch, mountPath: /data }
            - { name: tmp, mountPath: /tmp }
            {{- if .Values.certificateSecret }}
            - { name: certificates, mountPath: /run/certificates, readOnly: true }
            {{- end }}
      volumes:
        - { name: scratch, emptyDir: { sizeLimit: {{ .Values.scratchSize }} } }
        - { name: tmp, emptyDir: {} }
        {{- if .Values.certificateSecret }}
        - { name: certificates, secret: { secretName: {{ .Values.certificateSecret }} } }
        {{- end }}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ .Release.Name }}-{{ $.role }}
  labels: {{- include "quire.labels" . | nindent 4 }}
spec:
  maxUnavailable: 1
  selector:
    matchLabels: {{- include "quire.labels" . | nindent 6 }}
      app.kubernetes.io/component: {{ $.role }}
{{- end -}}
{{- end }}
