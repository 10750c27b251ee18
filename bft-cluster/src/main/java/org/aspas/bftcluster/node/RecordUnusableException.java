package org.aspas.bftcluster.node;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import org.aspas.certify.journal.ForeignJournalException;
import org.aspas.certify.journal.JournalDamagedException;
import org.aspas.certify.journal.file.DirectoryInUseException;

/** The durable record of a bftserver cannot be used; the message says which file, why, and what to do. */
public final class RecordUnusableException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean mayPass;

    private RecordUnusableException(String message, boolean mayPass, IOException cause) {
        super(message, cause);
        this.mayPass = mayPass;
    }

    static RecordUnusableException of(IOException failed) {
        boolean damaged = failed instanceof JournalDamagedException;
        boolean stays = damaged
                || failed instanceof ForeignJournalException
                || failed instanceof DirectoryInUseException
                || failed instanceof AccessDeniedException;
        String remedy = damaged
                ? "; if it cannot be had again, move the directory away: this replica then signs nothing until 2b+1"
                        + " others have taught it"
                : "";
        return new RecordUnusableException(
                "the record cannot be used: " + failed.getMessage() + remedy, !stays, failed);
    }

    /** Whether it may be usable later without anybody's help with it, as when a disk was full. */
    public boolean mayPass() {
        return mayPass;
    }
}
