package org.aspas.appserver.store;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import org.aspas.certify.journal.JournalDamagedException;
import org.aspas.certify.journal.file.DirectoryInUseException;

/** The store of an appserver cannot be used; the message says which file, why, and what to do. */
public final class StoreUnusableException extends IOException {
    private static final long serialVersionUID = 1L;

    private final boolean mayPass;

    public StoreUnusableException(IOException failed) {
        super("the store cannot be used: " + failed.getMessage() + remedy(failed), failed);
        this.mayPass = !(failed instanceof JournalDamagedException
                || failed instanceof DirectoryInUseException
                || failed instanceof AccessDeniedException);
    }

    StoreUnusableException(String why) {
        super("the store cannot be used: " + why);
        this.mayPass = false;
    }

    private static String remedy(IOException failed) {
        return failed instanceof JournalDamagedException
                ? "; if it cannot be had again, move the directory away: this server then signs nothing, and serves"
                        + " certified reads"
                : "";
    }

    /** Whether it may be usable later without anybody's help with it, as when a disk was full. */
    public boolean mayPass() {
        return mayPass;
    }
}
