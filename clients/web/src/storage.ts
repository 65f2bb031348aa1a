// What the browser keeps for this page: words for all its tabs or for one, which last until the page is left where the
// browser keeps nothing; and what is larger, in a database.

import { Signal } from "./signal";

/** The browser has refused to keep something. */
export const refused = new Signal();

class Store {
  private readonly memory = new Map<string, string>();

  constructor(private readonly area: () => Storage) {}

  get(key: string): string | null {
    try {
      return this.area().getItem(`pitboss-${key}`);
    } catch {
      return this.memory.get(key) ?? null;
    }
  }

  set(key: string, value: string) {
    try {
      this.area().setItem(`pitboss-${key}`, value);
    } catch {
      this.memory.set(key, value);
      refused.tell();
    }
  }
}

/** For all tabs, also when the browser begins anew. */
export const everyTab = new Store(() => localStorage);
/** For this tab, until it is closed. */
export const thisTab = new Store(() => sessionStorage);

let database: Promise<IDBDatabase> | undefined;

/** The browser's database; fails where the browser keeps nothing. What is in its stores has an `id`. */
export function openDatabase(): Promise<IDBDatabase> {
  database ??= Promise.resolve().then(() => new Promise<IDBDatabase>((done, failed) => {
    const request = indexedDB.open("pitboss", 2);
    request.onupgradeneeded = () => {
      const stores = request.result.objectStoreNames;
      for (const name of ["games", "files"]) {
        if (!stores.contains(name)) request.result.createObjectStore(name, { keyPath: "id" });
      }
    };
    request.onsuccess = () => {
      request.result.onversionchange = () => request.result.close();  // a later page opens it
      done(request.result);
    };
    request.onerror = () => failed(request.error);
  }));
  return database;
}

interface KeptFile {
  name: string;
  text: string;
}

/** Files that people have opened, by what they are for; one that the browser does not keep is opened again. */
export const keptFiles = {
  async get(id: string): Promise<KeptFile | undefined> {
    const request = (await openDatabase()).transaction("files").objectStore("files").get(id);
    return new Promise((done, failed) => {
      request.onsuccess = () => done(request.result);
      request.onerror = () => failed(request.error);
    });
  },

  put(id: string, file: KeptFile) {
    openDatabase().then((opened) => {
      opened.transaction("files", "readwrite").objectStore("files").put({ id, ...file });
    }).catch(() => {});
  },
};
