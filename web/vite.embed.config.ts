// Build of the script that other sites embed: one classic script that includes the boards. Runs after the page's build.
import { defineConfig } from "vite";
import { compressedCopies } from "./vite.compress";
import { compactTemplates } from "./vite.templates";
import { texts } from "./vite.texts";

export default defineConfig({
  publicDir: false,
  plugins: [texts(), compactTemplates(), compressedCopies()],
  build: {
    target: "es2022",
    outDir: "../plyhouse/page/embed",
    emptyOutDir: true,
    lib: { entry: "src/embed/main.ts", name: "plyhouse", formats: ["iife"], fileName: () => "plyhouse.js" },
  },
});
