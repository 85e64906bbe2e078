// Entry of the page.
import { html, render } from "lit";

render(html`<h1>Plyhouse</h1>`, document.body);
