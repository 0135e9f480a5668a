// Where the page's scripts begin: every part of the page comes in here, the last one starts the page.

import { adopted } from "./parts.js";
import { connect } from "./wire.js";
import { start as startShell } from "./shell.js";
import { start as startKeys } from "./keys.js";
import { start as startDesk } from "./desk.js";
import { start as startForms } from "./form.js";
import { start as startPaper } from "./paper.js";
import { start as startApi } from "./api.js";
import { start as startResults } from "./results.js";
import { start as startTables } from "./answer-table.js";
import { start as startTalk } from "./talk.js";
import "./answer-chart.js";
import "./chart.js";
import "./curves.js";
import "./inquiry.js";
import "./live-turn.js";
import "./shelf.js";

// A part reports itself when Gradio has put it into the page.
export function adopt(name, element, props, server) {
  adopted(name, element, props);
  if (name === "bar") startShell();
  if (name === "keys") startKeys();
  if (name === "page") {
    connect(server);
    startResults(server);
  }
  if (name === "api-room") {
    connect(server);
    startApi();
  }
  if (name === "wire") {
    connect(server);
    startForms();
    startPaper();
    startTables();
    startTalk();
    startDesk();
  }
}
