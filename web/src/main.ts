// Entry point of the page.
import "./theme.css";
import "./page.css";
import "./elements/app";
