package org.aspas.emulab.sim.world;

/** A file that says something impossible. The message names the file, the line and what would be right. */
public final class MalformedFileException extends Exception {
    private static final long serialVersionUID = 1;

    /**
     * One mistake.
     *
     * @param line from 1
     * @param mistake what is wrong, and what would be right
     */
    MalformedFileException(String file, int line, String mistake) {
        super(file + ":" + line + ": " + mistake);
    }
}
