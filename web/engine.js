// The way to the engine: the same questions go to a server on this machine or to a WebAssembly module in a worker.

/** Connects to whichever engine the page was served with. */
export async function connect(onLost) {
  if (document.documentElement.dataset.engine === "wasm") return wasm(onLost);
  return socket(onLost);
}

/** Keeps the questions that are not answered yet. */
class Questions {
  #next = 1;
  #open = new Map();

  /** Notes a question; `send` sends it. Findings on the way to the answer go to `onFinding`. */
  ask(question, onFinding, send) {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject, onFinding });
      send({ ...question, id });
    });
  }

  /** Takes a message of the engine. */
  hear(message) {
    const open = this.#open.get(message.id);
    if (!open) return;
    if (message.finding) {
      open.onFinding?.(message.finding);
      return;
    }
    this.#open.delete(message.id);
    open.resolve(message);
  }

  /** Nobody answers any more. */
  lose() {
    for (const open of this.#open.values()) open.reject(new Error("lost"));
    this.#open.clear();
  }
}

/** An engine behind a socket of the server that served the page. */
function socket(onLost) {
  return new Promise((resolve, reject) => {
    const questions = new Questions();
    const way = new WebSocket(`ws://${location.host}/socket`);
    const ask = (question, onFinding) => questions.ask(question, onFinding, (all) => way.send(JSON.stringify(all)));
    way.onopen = () => resolve({ ask, stop: () => ask({ ask: "stop" }) });
    way.onmessage = (event) => questions.hear(JSON.parse(event.data));
    way.onclose = () => {
      questions.lose();
      reject(new Error("closed"));
      onLost();
    };
  });
}

/** An engine in a worker of this page. */
function wasm(onLost) {
  return new Promise((resolve, reject) => {
    const questions = new Questions();
    const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    const ask = (question, onFinding) => questions.ask(question, onFinding, (all) => worker.postMessage(all));
    worker.onmessage = (event) => {
      if (event.data.ready) resolve({ ask, stop: () => ask({ ask: "stop" }) });
      else questions.hear(event.data);
    };
    worker.onerror = (event) => {
      questions.lose();
      reject(new Error(event.message));
      onLost();
    };
  });
}
