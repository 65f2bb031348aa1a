# The daemon in a container:
#   docker build -t pitboss .
#   docker run --rm -p 127.0.0.1:4580:4580 pitboss
FROM debian:12-slim AS build
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
WORKDIR /src
# The packages first: their layer is kept as long as the list stays the same; `docker build --no-cache --pull`
# takes the newest. They have no versions: those of Debian 12 stay the same, but for mends, which are wanted.
COPY .ci/packages .ci/packages
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get upgrade --yes \
 && sed -n 's/^\(build\|package\) \+//p' .ci/packages \
    | DEBIAN_FRONTEND=noninteractive xargs apt-get install --yes --no-install-recommends \
 && rm -rf /var/lib/apt/lists/*
COPY . .
# What `pitbossd --version` tells: docker build --build-arg PITBOSS_COMMIT=$(git rev-parse --short HEAD) ...
ARG PITBOSS_COMMIT=
RUN cmake --preset release \
 && cmake --build --preset release --target pitbossd pitboss pitboss_rules \
 && cpack --config build/release/CPackConfig.cmake -B build/package

FROM debian:12-slim
# The Debian package brings the programs, the networks and the configuration, and names the libraries.
COPY --from=build /src/build/package/pitboss_*.deb /tmp/
RUN apt-get update \
 && apt-get upgrade --yes \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends /tmp/pitboss_*.deb libpq5 \
 && rm -rf /var/lib/apt/lists/* /tmp/pitboss_*.deb \
 && useradd --system --no-create-home --shell /usr/sbin/nologin pitboss
USER pitboss
EXPOSE 4580
# Drains: searches answer, and the daemon ends within the 10 s that `docker stop` gives it.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=5s \
  CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/4580 && printf 'name\\nquit\\n' >&3 && grep -q Pitboss <&3"]
ENTRYPOINT ["pitbossd", "--config", "/etc/pitboss/pitbossd.conf"]
# Without =GAME, sessions begin with the daemon's default game. Arguments of `docker run` replace
# this line, so they have to name the address again; 127.0.0.1 could not be reached from outside.
# Who may reach the container is said by -p: docs/installing.md.
CMD ["--open", "--listen", "0.0.0.0:4580"]
