package org.aspas.emulab.cli;

/** Numbers in sentences. */
final class Words {
    private Words() {}

    /** {@code 1 segment}, {@code 2 segments}. */
    static String count(long number, String noun) {
        return count(number, noun, noun + "s");
    }

    /** {@code 1 entry}, {@code 2 entries}. */
    static String count(long number, String one, String many) {
        return number + " " + (number == 1 ? one : many);
    }
}
