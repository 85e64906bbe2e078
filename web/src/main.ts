// Entry of the page.
import "./styles.css";
import "./elements/app";
