package org.aspas.appserver.core.state;

/**
 * What a base has kept of the last {@link BaseImage}. It may be of any certificate before the last one, damaged, or somebody
 * else's: the core verifies it.
 */
public interface SavedBase {
    /** What was kept as {@link BaseImage#head}. */
    byte[] head();

    /**
     * Shows all keys with their contents, keys ascending as unsigned bytes.
     *
     * @return false when they could not all be read
     */
    boolean contents(Visitor visitor);

    @FunctionalInterface
    interface Visitor {
        /** Takes one; whether more is wanted. */
        boolean take(byte[] key, byte[] content);
    }
}
