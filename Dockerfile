# Builds the server with the same make targets as on any Debian, then installs the wheel and the locked packages only.

FROM rust:1-bookworm AS rust

FROM node:20-bookworm AS build
COPY --from=rust /usr/local/cargo /usr/local/cargo
COPY --from=rust /usr/local/rustup /usr/local/rustup
ENV CARGO_HOME=/usr/local/cargo RUSTUP_HOME=/usr/local/rustup PATH=/usr/local/cargo/bin:$PATH
WORKDIR /plyhouse
COPY . .
RUN make wheel

FROM python:3.11-slim-bookworm
# The runtime for networks: cpu, or gpu with the CUDA libraries.
ARG RUNTIME=cpu
COPY --from=build /plyhouse/requirements.lock /plyhouse/dist/*.whl /tmp/plyhouse/
RUN pip install --no-cache-dir --constraint /tmp/plyhouse/requirements.lock "$(ls /tmp/plyhouse/*.whl)[$RUNTIME,postgres,mcp]" \
    && rm -r /tmp/plyhouse \
    && useradd --system --home-dir /data plyhouse \
    && install --directory --owner=plyhouse /data
USER plyhouse
# The working folder contains the database if that is a SQLite file, so it is a volume.
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/healthz', timeout=3)"]
CMD ["plyhouse", "serve", "--host", "0.0.0.0", "--port", "8000"]
