# The image of the action: sealmark and the toolchains that build servers.
# docs/image.md says how the pinned bases are renewed and how to add a
# toolchain. The arguments let a mirror or a local image stand in for a base.
ARG GO_HOST=go-host-pinned
ARG GO=go-pinned
ARG NODE=node-pinned
ARG UV=uv-pinned

# Tag and digest stand in FROM, where dependabot finds and renews them.
FROM --platform=$BUILDPLATFORM golang:1.26.9-bookworm@sha256:d9c68c2c51161e12fd77e4c6320687c9cd86e1af1e3ad6e6cd63ff970641453c AS go-host-pinned
FROM golang:1.26.9-bookworm@sha256:d9c68c2c51161e12fd77e4c6320687c9cd86e1af1e3ad6e6cd63ff970641453c AS go-pinned
FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS node-pinned
FROM ghcr.io/astral-sh/uv:0.12.23@sha256:61d393e44e249f2e4b526b6c7ddcecce245946826e608e11c93ad4f5bba55b21 AS uv-pinned

# The compiler runs on the machine that builds, for the one that is built for.
FROM ${GO_HOST} AS build
WORKDIR /src
COPY go.mod go.sum ./
RUN go mod download
COPY . .
ARG VERSION
ARG TARGETOS
ARG TARGETARCH
RUN CGO_ENABLED=0 GOOS=$TARGETOS GOARCH=$TARGETARCH go build -trimpath \
    -ldflags "-s -w -X github.com/sealmark/action/internal/version.release=${VERSION}" -o /sealmark ./cmd/sealmark

FROM ${GO} AS go
FROM ${UV} AS uv

# The runner mounts its files for root, so there is no USER and no WORKDIR here:
# sealmark itself takes the servers to a user of their own.
FROM ${NODE}
RUN apt-get update \
 && apt-get install -y --no-install-recommends ca-certificates git python-is-python3 python3 python3-venv \
 && rm -rf /var/lib/apt/lists/*
COPY --from=go /usr/local/go /usr/local/go
COPY --from=uv /uv /uvx /usr/local/bin/
ENV PATH=/usr/local/go/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    UV_TOOL_DIR=/opt/uv-tools \
    UV_TOOL_BIN_DIR=/usr/local/bin
# pnpm and yarn for repositories that pin none, ready without a network.
COPY scripts/image/corepack /opt/corepack/run
RUN for name in corepack pnpm pnpx yarn yarnpkg; do ln -sf /opt/corepack/run /usr/local/bin/$name; done \
 && corepack install --global \
    pnpm@10.34.9+sha512.f49b5a8ea0fdedb44bb3c0c1d6575092a53c2950d95b7ad15df11f17974877a2de3a01c07e934e9b28ce716e51c09a94962c7306d09be2e1e4b18a8c8762fd32 \
    yarn@1.22.22+sha512.a6b2f7906b721bba3d67d4aff083df04dad64c399707841b7acf00f6b133b7ac24255f2652fa22ae3534329dc6180534e98d17432037ff6fd140556e2bb3137e \
 && chmod 1777 /opt/corepack/v1 /opt/corepack/v1/*
COPY --from=build /sealmark /usr/local/bin/sealmark
ARG VERSION
LABEL org.opencontainers.image.title="Sealmark" \
      org.opencontainers.image.description="Tests MCP servers: launches them, questions them, and reports what they get wrong" \
      org.opencontainers.image.source="https://github.com/sealmark/action" \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="${VERSION}"
ENTRYPOINT ["/usr/local/bin/sealmark", "action"]
