// Lint rules of the page: the strict, type-aware set, and Lit's own. Prettier takes care of the layout.
import js from "@eslint/js";
import { configs as lit } from "eslint-plugin-lit";
import { defineConfig, globalIgnores } from "eslint/config";
import typescript from "typescript-eslint";

export default defineConfig([
  globalIgnores(["node_modules/"]),
  js.configs.recommended,
  {
    files: ["**/*.ts"],
    extends: [
      typescript.configs.strictTypeChecked,
      typescript.configs.stylisticTypeChecked,
      lit["flat/recommended"],
    ],
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      "@typescript-eslint/explicit-function-return-type": ["error", { allowExpressions: true }],
      // Numbers read well in a template: `${ply}. ${move}`.
      "@typescript-eslint/restrict-template-expressions": ["error", { allowNumber: true }],
    },
  },
]);
