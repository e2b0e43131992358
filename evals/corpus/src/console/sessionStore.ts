/** Keeps the signed-in member of the console and tells other tabs about changes. */

export interface Session {
  memberId: string;
  userName: string;
  workspaceSlug: string;
  expiresAt: number;
}

type Listener = (session: Session | null) => void;

const CHANNEL = "lumbra-session";
const REFRESH_MARGIN_MS = 90_000;

export class SessionStore {
  private current: Session | null = null;
  private readonly listeners = new Set<Listener>();
  private readonly channel = new BroadcastChannel(CHANNEL);

  constructor(private readonly fetchSession: () => Promise<Session | null>) {
    this.channel.onmessage = (event) => this.apply(event.data as Session | null);
  }

  /** Display name, or "guest" before anybody has signed in. */
  getUserName(): string {
    return this.current?.userName ?? "guest";
  }

  /** True when the session should be fetched again before the next request. */
  needsRefresh(now: number = Date.now()): boolean {
    return this.current !== null && this.current.expiresAt - now < REFRESH_MARGIN_MS;
  }

  async refreshSession(): Promise<void> {
    const next = await this.fetchSession();
    this.apply(next);
    this.channel.postMessage(next);
  }

  /** Signing out in one tab signs out all of them. */
  signOutEverywhere(): void {
    this.apply(null);
    this.channel.postMessage(null);
  }

  onChange(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private apply(session: Session | null): void {
    this.current = session;
    for (const listener of this.listeners) {
      listener(session);
    }
  }
}

/** `Plankton Lab!` becomes `plankton-lab`; an empty result is an error. */
export function toWorkspaceSlug(label: string): string {
  const slug = label
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-+|-+$/g, "");
  if (slug === "") {
    throw new RangeError("label has no letters or digits");
  }
  return slug.slice(0, 36);
}
