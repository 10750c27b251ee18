package org.aspas.emulab.workload;

/** Elements of sets with a length in bytes. */
public final class Elements {
    private Elements() {}

    /** The name followed by dots up to a length; the name alone if it is longer. */
    public static String padded(String name, int bytes) {
        return name.length() >= bytes ? name : name + ".".repeat(bytes - name.length());
    }
}
