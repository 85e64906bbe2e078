// Entry of the script that other sites include: it registers <plyhouse-board> and <plyhouse-eval-bar>, once.
import { setHome } from "./home";

// Only while a script runs for the first time does the document know which one it is.
const script = document.currentScript as HTMLScriptElement | null;
if (script !== null) setHome(new URL(script.src).origin);

if (customElements.get("plyhouse-board") === undefined) {
  void Promise.all([import("./board"), import("./eval-bar")]);
}
