package org.aspas.appserver.port;

/**
 * Objects that nobody used for long, and that are on the disk alone: the core reads them in the middle of a step when something needs
 * them (ADR 20). What was read shortly before is in the memory of the machine, and costs the core no wait for the disk. Thread-safe.
 */
public interface RestingObjects {
    /** Of a server whose objects are all in memory. */
    RestingObjects NONE = new RestingObjects() {
        @Override
        public boolean any() {
            return false;
        }

        @Override
        public boolean rests(String key) {
            return false;
        }

        @Override
        public void readAhead(String key) {
            // Nothing is on a disk.
        }
    };

    /** Whether there are any now; costs nothing. */
    boolean any();

    boolean rests(String key);

    /**
     * Reads the object under a key with its elements, if it is on the disk. Takes as long as the disk does. It tells nothing, also when it
     * fails: the core reads again, and judges what it gets.
     */
    void readAhead(String key);
}
