package org.aspas.emulab.sim.world;

/** A world's file that says something impossible. The message names the file, the line and what would be right. */
public final class MalformedWorldException extends Exception {
    private static final long serialVersionUID = 1;

    /**
     * One mistake.
     *
     * @param file the file's name
     * @param line from 1
     * @param mistake what is wrong, and what would be right
     */
    MalformedWorldException(String file, int line, String mistake) {
        super(file + ":" + line + ": " + mistake);
    }
}
