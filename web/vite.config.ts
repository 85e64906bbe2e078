// Build, development server and unit tests of the page.
// `plyhouse serve` serves `plyhouse/page/`, which is part of the Python package; `npm run dev` serves the sources and
// passes API requests on to a running `plyhouse serve`.
import { defineConfig } from "vitest/config";
import { compressedCopies } from "./vite.compress";
import { guides } from "./vite.guides";
import { compactTemplates } from "./vite.templates";
import { texts } from "./vite.texts";

const server = process.env.PLYHOUSE_URL ?? "http://127.0.0.1:8000";

export default defineConfig({
  plugins: [texts(), compactTemplates(), guides(), compressedCopies()],
  build: { target: "es2022", outDir: "../plyhouse/page", emptyOutDir: true },
  server: {
    proxy: {
      "/api": { target: server },
      "/ws": { target: server, ws: true },
    },
  },
  // One document for all files, since making one takes longer than the tests of a file: tests leave nothing behind.
  test: { environment: "happy-dom", isolate: false, include: ["src/**/*.test.ts", "tests/**/*.test.ts"] },
});
