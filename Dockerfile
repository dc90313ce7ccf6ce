# The program in a small image: docker build -t sanban . && docker run -i --rm sanban
# The board: docker run --rm --network host sanban board --no-open
FROM rust:1-bookworm AS build
WORKDIR /sanban
COPY . .
RUN cargo install --locked --path . --root /usr/local

FROM debian:bookworm-slim
COPY --from=build /usr/local/bin/sanban /usr/local/bin/sanban
USER nobody
ENTRYPOINT ["sanban"]
