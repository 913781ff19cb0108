# The image of the action: sealmark and the toolchains that servers need.
# Base images are arguments, so that a mirror can stand in for them.
ARG GO_IMAGE=golang:1.26-bookworm
ARG NODE_IMAGE=node:22-bookworm-slim
ARG UV_IMAGE=ghcr.io/astral-sh/uv:0.9

FROM ${GO_IMAGE} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION=
RUN CGO_ENABLED=0 go build -trimpath -ldflags "-s -w -X github.com/sealmark/action/internal/version.release=${VERSION}" -o /sealmark ./cmd/sealmark

FROM ${UV_IMAGE} AS uv

# The runner mounts its files for root, so there is no USER and no WORKDIR here.
FROM ${NODE_IMAGE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates git python3 python3-venv \
 && rm -rf /var/lib/apt/lists/*
COPY --from=build /usr/local/go /usr/local/go
COPY --from=uv /uv /uvx /usr/local/bin/
COPY --from=build /sealmark /usr/local/bin/sealmark
ENV PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
ENTRYPOINT ["/usr/local/bin/sealmark", "action"]
