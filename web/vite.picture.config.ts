// Build of the script that draws positions on servers and in programs: one classic script for a host without a document.
import { defineConfig } from "vite";
import { texts } from "./vite.texts";

export default defineConfig({
  publicDir: false,
  plugins: [texts()],
  // Lit's own build for hosts without a document.
  resolve: { conditions: ["node"] },
  build: {
    target: "es2022",
    outDir: "../engines/pictures/script",
    emptyOutDir: true,
    lib: { entry: "src/picture/main.ts", name: "picture", formats: ["iife"], fileName: () => "drawing.js" },
  },
});
