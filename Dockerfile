# The game server in a small image, compiled, not as root:
#
#   docker build -t quartermaster .
#   docker run -p 8080:8080 -v quartermaster:/data quartermaster
#
# compose.yaml has it with PostgreSQL and certificates.

FROM python:3.13-slim-trixie AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc libc6-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
COPY pyproject.toml setup.py MANIFEST.in README.md LICENSE ./
COPY packaging packaging
COPY src src
RUN python -m venv /opt/quartermaster \
    && QUARTERMASTER_COMPILE=always /opt/quartermaster/bin/pip install --no-cache-dir '.[server]' \
    && /opt/quartermaster/bin/python packaging/check_compiled.py

FROM python:3.13-slim-trixie
# pg_dump and pg_restore, for `quartermaster backup` of a PostgreSQL up to version 17.
RUN apt-get update \
    && apt-get install -y --no-install-recommends postgresql-client-17 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --home-dir /data --shell /usr/sbin/nologin quartermaster \
    && install -d -o quartermaster -g quartermaster -m 700 /data
COPY --from=build /opt/quartermaster /opt/quartermaster
ENV PATH=/opt/quartermaster/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    XDG_DATA_HOME=/data
USER quartermaster
WORKDIR /data
VOLUME /data
EXPOSE 8080
# Fails on 503 too: the database can not be written.
HEALTHCHECK --interval=30s --timeout=10s --start-period=30s --retries=3 \
    CMD ["python", "-c", "import urllib.request as u; u.urlopen('http://127.0.0.1:8080/healthz', timeout=8)"]
ENTRYPOINT ["quartermaster"]
CMD ["serve", "--host", "0.0.0.0", "--port", "8080", "--no-browser"]
