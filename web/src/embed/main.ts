// Entry point of the script that other sites include: it registers <plyhouse-board> and <plyhouse-eval-bar>, once,
// and <plyhouse-position>, which only our own pages for frames use.
import { setHome } from "./home";

// The document knows the current script only while it runs for the first time.
const script = document.currentScript as HTMLScriptElement | null;
if (script !== null) setHome(new URL(script.src).origin);

if (customElements.get("plyhouse-board") === undefined) {
  void Promise.all([import("./board"), import("./lone-eval-bar"), import("./position")]);
}
