# An image that reads traces, without Swift: the Debian package of opviz, and the packages that it depends on.
#
#   docker build -t opviz .
#   docker run --rm -v "$PWD:/traces" -u "$(id -u):$(id -g)" opviz why trace.json

FROM swift:6.3-bookworm AS build
WORKDIR /opviz
COPY . .
# setup.sh has the list of packages that opviz is built with; the two here make the package.
RUN bash Scripts/setup.sh --build-only make dpkg-dev && bash Scripts/deb.sh .build/deb

# The same release of Debian: the package depends on the versions of the libraries that it was built with.
FROM debian:bookworm-slim
COPY --from=build /opviz/.build/deb/*.deb /packages/
RUN apt-get -qq update \
    && DEBIAN_FRONTEND=noninteractive apt-get -qq install -y --no-install-recommends /packages/opviz_*.deb \
    && rm -rf /packages /var/lib/apt/lists/*
WORKDIR /traces
ENTRYPOINT ["opviz"]
