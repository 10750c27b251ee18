package org.aspas.appserver.store;

/** What an appserver's answers wait for. Own entries go to other servers only when they are on the disk, except with {@link #MEMORY}. */
public enum Durability {
    /** All that leaves waits until the disk has what it rests on. */
    SYNC(1),
    /**
     * Answers to updates wait until the operating system has their entries. After a power cut such a server is amnesiac, unless it
     * was stopped in order.
     */
    OS(2),
    /** Nothing is kept: a server that was started so is amnesiac at every start after that. */
    MEMORY(3);

    private final byte code;

    Durability(int code) {
        this.code = (byte) code;
    }

    /** How a record names it. */
    byte code() {
        return code;
    }
}
