# The daemon in a container:
#   docker build -t pitboss .
#   docker run --rm -p 127.0.0.1:4580:4580 pitboss
FROM debian:bookworm-slim AS build
WORKDIR /src
# The packages first: their layer is kept as long as the list stays the same.
COPY .ci/packages .ci/packages
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
      $(sed -n 's/^build \+//p' .ci/packages) \
 && rm -rf /var/lib/apt/lists/*
COPY . .
RUN cmake --preset release \
 && cmake --build --preset release --target pitbossd pitboss

FROM debian:bookworm-slim
COPY .ci/packages /tmp/packages
RUN apt-get update \
 && DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends \
      $(sed -n 's/^run \+//p' /tmp/packages) \
 && rm -rf /var/lib/apt/lists/* /tmp/packages \
 && useradd --system --no-create-home --shell /usr/sbin/nologin pitboss
COPY --from=build /src/build/release/bin/pitbossd /src/build/release/bin/pitboss /usr/local/bin/
USER pitboss
EXPOSE 4580
ENTRYPOINT ["pitbossd"]
# Without =GAME, sessions begin with the daemon's default game. Arguments of `docker run` replace
# this line, so they have to name the address again; 127.0.0.1 could not be reached from outside.
# Who may reach the container is said by -p: docs/server.md.
CMD ["--open", "--listen", "0.0.0.0:4580"]
