package org.aspas.certify.journal;

import java.io.IOException;

/** What is stored is not what was stored: the message names the file, the byte and what is wrong there. */
public final class JournalDamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    /**
     * Damage that was found.
     *
     * @param file how people find the file
     * @param offset the byte of the file where reading ended, from 0
     * @param why what is wrong there
     */
    JournalDamagedException(String file, long offset, String why) {
        super(file + ", byte " + offset + ": " + why);
    }
}
