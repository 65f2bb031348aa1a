// Something that happens in one part of the page and that others want to know of.

export class Signal<Value = void> {
  private listeners: ((value: Value) => void)[] = [];

  listen(listener: (value: Value) => void) {
    this.listeners.push(listener);
  }

  tell(value: Value) {
    for (const listener of this.listeners) listener(value);
  }
}
