package org.aspas.emulab.cli;

/** The check of {@code --index}. */
final class NodeIndex {
    private NodeIndex() {}

    static int check(int index, int count) {
        if (index < 0 || index >= count) {
            throw new IllegalArgumentException("--index " + index + " is outside 0.." + (count - 1));
        }
        return index;
    }
}
