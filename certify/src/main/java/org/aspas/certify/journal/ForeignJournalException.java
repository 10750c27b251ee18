package org.aspas.certify.journal;

import java.io.IOException;

/** A journal is whole, and belongs to somebody else. */
public final class ForeignJournalException extends IOException {
    private static final long serialVersionUID = 1L;

    ForeignJournalException(String file) {
        super(file + ": it is the journal of another deployment or node");
    }
}
