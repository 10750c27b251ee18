package org.aspas.certify.journal;

import java.io.IOException;

/** What is stored is not what was stored: the message names the file, the byte and what is wrong there. */
public final class JournalDamagedException extends IOException {
    private static final long serialVersionUID = 1L;

    /** Names the file, and the byte of it where reading ended, from 0. */
    JournalDamagedException(String file, long offset, String why) {
        super(file + ", byte " + offset + ": " + why);
    }
}
