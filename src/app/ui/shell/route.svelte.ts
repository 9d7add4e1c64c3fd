/** The current address: follows the address bar, and builds links. */

import { formatAddress, parseAddress, type Address, type Panel, type Place } from './address.ts';

/** The part of a window that the route uses. */
export type AddressBar = Pick<Window, 'addEventListener'> & {
  readonly location: Pick<Location, 'hash' | 'replace'>;
};

export class Route {
  readonly #bar: AddressBar;
  readonly #oneAtATime: () => boolean;
  #address: Address = $state.raw({ place: { at: 'home' }, panel: null });

  /** @param oneAtATime whether an open drawer hides the bench, as on a phone */
  constructor(bar: AddressBar, oneAtATime: () => boolean) {
    this.#bar = bar;
    this.#oneAtATime = oneAtATime;
    this.#read();
    bar.addEventListener('hashchange', () => this.#read());
  }

  get place(): Place {
    return this.#address.place;
  }

  get panel(): Panel | null {
    return this.#address.panel;
  }

  /** The address of a place, with the drawer as it is if the bench stays visible. */
  to(place: Place): string {
    return formatAddress({ place, panel: this.#oneAtATime() ? null : this.panel });
  }

  toTool(name: string): string {
    return this.to({ at: 'tool', name, line: null });
  }

  toCall(id: string): string {
    return this.to({ at: 'call', id });
  }

  toSession(id: string, entry: number | null = null): string {
    return this.to({ at: 'session', id, entry, beside: [] });
  }

  toFile(path: string, line: number | null = null): string {
    return this.to({ at: 'file', path, line });
  }

  /** The address of the current place with a panel of the drawer, or none. */
  withPanel(panel: Panel | null): string {
    return formatAddress({ place: this.place, panel });
  }

  go(address: string): void {
    this.#bar.location.hash = address;
  }

  /** Navigates to an address, replacing the current history entry. */
  replace(address: string): void {
    this.#bar.location.replace(address);
  }

  #read(): void {
    this.#address = parseAddress(this.#bar.location.hash);
  }
}
