package org.aspas.appserver.core.state;

/**
 * Whether a server's store holds all that the server ever promised under its key. The shell finds that out when it opens the
 * store, before the core is made.
 */
public sealed interface StoreState {
    StoreState GOOD = new Good();

    /** It does, as far as the store itself can tell. */
    record Good() implements StoreState {}

    /**
     * It does not, or nobody can know: the server may have signed what it no longer holds.
     *
     * @param reason how that is known, in words for people
     */
    record Amnesiac(String reason) implements StoreState {}
}
