# Cloche as static files: docker build -t cloche . && docker run --rm -p 127.0.0.1:8080:8080 cloche
FROM node:20-slim AS build
WORKDIR /cloche
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
RUN npm run build

FROM caddy:2-alpine
COPY deploy/Caddyfile /etc/caddy/Caddyfile
COPY --from=build /cloche/dist /srv/cloche
USER 1000:1000
EXPOSE 8080
CMD ["caddy", "run", "--config", "/etc/caddy/Caddyfile", "--adapter", "caddyfile"]
